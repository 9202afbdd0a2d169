/* labels: arithmetic memory */
/* test_vector_ops.c: vector operations in double: rows to columns and transforms, with the bits of src/prep;
 * residuals, the l2 gradient, Adam steps, bounds. */
#include "kernel_test_support.h"

enum { MOST = 13 };

/* --- Rows --- */

/* Pipelines, one letter per transform: z-score, clamp, pca with decreasing width. */
static const char *const chains[] = {"",   "z",  "c",  "p",   "zc",   "zcp",   "zp",  "cz",
                                     "pz", "pc", "zz", "zcc", "zczc", "zcpzc", "ppp", "zzcpc"};
enum { CHAINS = sizeof chains / sizeof *chains };

/* Numbers that comparisons, differences or products may treat specially. */
static const double odd[] = {0, -0.0, 1e300, -1e300, INFINITY, -INFINITY, 5e-324, -3.1e-310, 1e100, 0.25};

static double odd_or(double x, sg_random_stream *s)
{
    size_t k = sg_random_stream_below(s, 4 * sizeof odd / sizeof *odd);
    return k < sizeof odd / sizeof *odd ? odd[k] : x;
}

/* Including bounds at 0 and with unusual signs. */
static void random_clamp(sg_transform *s, sg_random_stream *r)
{
    for (size_t i = 0; i < s->in; i++) {
        s->parameter[0][i] = sg_random_stream_below(r, 3) ? draw(r, -2.3, 0) : 0;
        s->parameter[1][i] = sg_random_stream_below(r, 3) ? draw(r, 0, 1e6) : 0;
    }
}

static void add_steps(sg_pipeline *v, const char *chain, sg_random_stream *r)
{
    for (; *chain; chain++) {
        const sg_transform_kind *kind = *chain == 'z'   ? &sg_transform_zscore
                                        : *chain == 'c' ? &sg_transform_clamp
                                                        : &sg_transform_pca;
        sg_transform *s = sg_pipeline_append(v, kind, *chain == 'p' ? (v->out + 1) / 2 : v->out);
        assert_non_null(s);
        for (size_t i = 0; i < kind->count(s, 0); i++) s->parameter[0][i] = draw(r, -1.3, 1.2);
        for (size_t i = 0; i < kind->count(s, 1); i++) s->parameter[1][i] = draw(r, 0.2, 3.1);
        if (*chain == 'c') random_clamp(s, r);
    }
}

typedef struct columns {
    double *x, *a, *z, *scratch; /* MOST features each, scratch twice as many */
} columns;

static columns new_columns(void)
{
    size_t bytes = MOST * SG_PITCH * sizeof(double);
    columns c = {malloc(bytes), malloc(bytes), malloc(bytes), malloc(2 * bytes)};
    assert_true(c.x && c.a && c.z && c.scratch);
    return c;
}

static void free_columns(columns *c)
{
    free(c->x);
    free(c->a);
    free(c->z);
    free(c->scratch);
}

static void check_view(const char *name, const char *chain, size_t features, size_t n, const double *x,
                       const double *expected)
{
    for (size_t k = 0; k < features; k++)
        for (size_t i = 0; i < (n + 7) / 8 * 8; i++) {
            const double *is = &x[k * SG_PITCH + i], *due = &expected[k * SG_PITCH + (i < n ? i : n - 1)];
            if (memcmp(is, due, sizeof *is) != 0)
                fail_msg("%s, view \"%s\", feature %zu of row %zu of %zu: %a, not %a", name, chain, k, i, n, *is, *due);
            if (isnan(*is)) fail_msg("%s, view \"%s\": a NaN", name, chain);
        }
}

/* n rows of `stride` numbers; some of them, in any order, are the inputs of the model. */
static void check_rows(const sg_model *m, const char *chain_a, const char *chain_z, size_t n, size_t stride,
                       const size_t *column, sg_random_stream *s)
{
    double *table = malloc(n * stride * sizeof *table);
    columns plain = new_columns();
    assert_non_null(table);
    for (size_t i = 0; i < n * stride; i++) table[i] = odd_or(draw(s, -2.6, 2.7), s);
    for (size_t k = 0; k < m->features; k++)
        for (size_t i = 0; i < n; i++) plain.x[k * SG_PITCH + i] = table[i * stride + (column ? column[k] : k)];
    sg_pipeline_apply_batch(&m->a, n, SG_PITCH, plain.x, plain.a, plain.scratch);
    sg_pipeline_apply_batch(&m->z, n, SG_PITCH, plain.x, plain.z, plain.scratch);
    for (size_t i = 0; i < FAST_KERNELS; i++) {
        const sg_kernel *kernel = fast_kernels[i];
        if (!kernel->is_supported()) continue;
        columns c = new_columns();
        kernel->ops->load_columns(m, table, stride, column, n, c.x);
        kernel->ops->transform(m, n, c.x, c.a, m->shared_pipeline ? c.a : c.z, c.scratch);
        check_view(kernel->name, chain_a, m->a.out, n, c.a, plain.a);
        if (!m->shared_pipeline) check_view(kernel->name, chain_z, m->z.out, n, c.z, plain.z);
        free_columns(&c);
    }
    free_columns(&plain);
    free(table);
}

static void rows_as_plain_steps(void **state)
{
    static const size_t list[MOST] = {3, 0, 7, 14, 1, 2, 9, 11, 5, 4, 13, 10, 8};
    static const char *const names[MOST] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"};
    size_t most = is_quick() ? 19 : SG_CHUNK;
    (void)state;
    for (size_t n = 1; n <= most; n++)
        for (size_t i = 0; i < CHAINS; i++) {
            sg_random_stream s = sg_random_stream_at(41, SG_RANDOM_SYNTHETIC_DATA, (uint32_t)n, i);
            size_t inputs = 1 + sg_random_stream_below(&s, MOST);
            const char *chain_a = chains[i], *chain_z = chains[(i + n) % CHAINS];
            sg_model *m;
            check(sg_model_new(names, inputs, names, 1, &m));
            m->shared_pipeline = n % 3 == 0;
            add_steps(&m->a, chain_a, &s);
            add_steps(&m->z, chain_z, &s);
            check_rows(m, chain_a, chain_z, n, inputs, NULL, &s);
            check_rows(m, chain_a, chain_z, n, 15, list, &s);
            sg_model_free(m);
        }
}

/* A NaN at any position is detected, and finite numbers never are. */
static void a_nan_is_noticed(void **state)
{
    static const char *const names[MOST] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"};
    static const size_t list[MOST] = {3, 0, 7, 12, 1, 2, 9, 11, 5, 4, 6, 10, 8};
    double table[19 * MOST], x[MOST * SG_PITCH];
    (void)state;
    for (size_t n = 1; n <= 19; n++)
        for (size_t inputs = 1; inputs <= MOST; inputs += 2)
            for (size_t at = 0; at <= n * inputs; at++) {
                sg_random_stream s = sg_random_stream_at(43, SG_RANDOM_SYNTHETIC_DATA, (uint32_t)n, at);
                const bool listed = at % 2;
                const size_t stride = listed ? MOST : inputs;
                sg_model *m;
                check(sg_model_new(names, inputs, names, 1, &m));
                for (size_t i = 0; i < n * stride; i++) table[i] = draw(&s, -2.6, 2.7);
                size_t row = at / inputs, k = at % inputs;
                if (row < n) table[row * stride + (listed ? list[k] : k)] = NAN;
                for (size_t i = 0; i < FAST_KERNELS; i++)
                    if (fast_kernels[i]->is_supported() &&
                        fast_kernels[i]->ops->load_columns(m, table, stride, listed ? list : NULL, n, x) != (row < n))
                        fail_msg("%s: input %zu of row %zu of %zu", fast_kernels[i]->name, k, row, n);
                sg_model_free(m);
            }
}

/* --- Transformed rows --- */

/* n rows of a table, some of them repeated, or its first n. */
static void check_turn(size_t n, size_t width, bool gathered, sg_random_stream *s)
{
    enum { TABLE = 2000 }; /* large enough for prefetching */
    double *table = malloc(TABLE * width * sizeof *table), *column = malloc(width * SG_PITCH * sizeof *column);
    size_t index[SG_CHUNK];
    assert_true(table && column);
    for (size_t i = 0; i < TABLE * width; i++) table[i] = odd_or(draw(s, -2.6, 2.7), s);
    for (size_t i = 0; i < n; i++) index[i] = gathered ? sg_random_stream_below(s, TABLE) : i;
    for (size_t i = 0; i < FAST_KERNELS; i++) {
        if (!fast_kernels[i]->is_supported()) continue;
        memset(column, 0xff, width * SG_PITCH * sizeof *column);
        fast_kernels[i]->ops->transpose(table, width, gathered ? index : NULL, n, column);
        for (size_t k = 0; k < width; k++)
            for (size_t r = 0; r < (n + 7) / 8 * 8; r++) {
                const double *due = &table[index[r < n ? r : n - 1] * width + k];
                if (memcmp(&column[k * SG_PITCH + r], due, sizeof *due) != 0)
                    fail_msg("%s: number %zu of row %zu of %zu", fast_kernels[i]->name, k, r, n);
            }
    }
    free(table);
    free(column);
}

static void rows_become_columns(void **state)
{
    sg_random_stream s = sg_random_stream_at(47, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (size_t n = 1; n <= SG_CHUNK; n += n < 20 ? 1 : 9)
        for (size_t width = 4; width <= 20; width += 4)
            for (int gathered = 0; gathered < 2; gathered++) check_turn(n, width, gathered, &s);
}

/* --- Residuals and penalty --- */

/* The sum of a kernel agrees with the formula and has the same bits as that of the others. */
static void check_sum(const char *name, size_t n, double sum, double due, double *first)
{
    if (!(fabs(sum - due) <= 1e-14 * due)) fail_msg("%s, %zu numbers: %.17g, not %.17g", name, n, sum, due);
    if (isnan(*first)) *first = sum;
    if (memcmp(&sum, first, sizeof sum) != 0) fail_msg("%s, %zu numbers: other bits", name, n);
}

static void errors_as_the_formula(void **state)
{
    sg_random_stream s = sg_random_stream_at(53, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (size_t n = 1; n <= SG_CHUNK; n++) {
        double y[SG_PITCH], t[SG_PITCH], w[SG_PITCH], slope[SG_PITCH], due = 0, first = NAN;
        for (size_t i = 0; i < SG_PITCH; i++) { /* numbers beyond n must be ignored */
            y[i] = i < n ? draw(&s, -2.3, 2.4) : (double)NAN;
            t[i] = i < n ? draw(&s, -1.3, 1.4) : (double)NAN;
            w[i] = i < n ? draw(&s, 0.1, 2.2) : (double)NAN;
            if (i < n) due += w[i] * (y[i] - t[i]) * (y[i] - t[i]);
        }
        for (size_t i = 0; i < FAST_KERNELS; i++) {
            if (!fast_kernels[i]->is_supported()) continue;
            memset(slope, 0xff, sizeof slope);
            double sum = fast_kernels[i]->ops->residuals(n, y, t, w, slope);
            check_sum(fast_kernels[i]->name, n, sum, due, &first);
            for (size_t r = 0; r < n; r++) assert_true(slope[r] == w[r] * (y[r] - t[r]));
            for (size_t r = n; r < (n + 7) / 8 * 8; r++) assert_true(slope[r] == 0);
        }
    }
}

static void units_as_the_formula(void **state)
{
    static const double limit[][2] = {{-0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023}, {-7.5e5, 3.25e9}};
    static const double x[] = {1.3, -0.0, 5e-324, 1e300, -1e300, INFINITY, -INFINITY, NAN, -2.385, 7e-5, 1e-300};
    enum { N = sizeof x / sizeof *x };
    (void)state;
    for (size_t i = 0; i < 2 * FAST_KERNELS; i++)
        for (size_t n = 1; n <= N && fast_kernels[i / 2]->is_supported(); n++) {
            double y[N], mean = -0.37, scale = 1e10, low = limit[i % 2][0], high = limit[i % 2][1];
            fast_kernels[i / 2]->ops->denormalise(n, mean, scale, low, high, x, y);
            for (size_t k = 0; k < n; k++) {
                double due = mean + scale * x[k];
                due = due > high ? high : due < low ? low : due;
                if (isnan(due) ? !isnan(y[k]) : y[k] != due)
                    fail_msg("%s: %g becomes %g", fast_kernels[i / 2]->name, x[k], y[k]);
            }
        }
}

static void check_decay(size_t n, size_t period, sg_random_stream *s)
{
    double lambda[8 * 9], home[8 * 9], x[90], grad[90], due = 0, first = NAN;
    for (size_t i = 0; i < 8 * period; i++) {
        lambda[i] = i < period ? (i ? draw(s, 0.1, 0.9) : 0) : lambda[i - period];
        home[i] = i < period ? draw(s, -0.5, 0.5) : home[i - period];
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = draw(s, -1.8, 1.7);
        grad[i] = draw(s, -2.8, 2.7);
        due += lambda[i % period] * (x[i] - home[i % period]) * (x[i] - home[i % period]);
    }
    for (size_t i = 0; i < FAST_KERNELS; i++) {
        if (!fast_kernels[i]->is_supported()) continue;
        double *to = malloc(n * sizeof *to); /* sanitizers detect a write beyond the end */
        assert_non_null(to);
        memcpy(to, grad, n * sizeof *to);
        double sum = fast_kernels[i]->ops->l2_gradient(n, period, lambda, home, x, to);
        check_sum(fast_kernels[i]->name, n, sum, due, &first);
        for (size_t k = 0; k < n; k++) assert_true(to[k] == grad[k] + lambda[k % period] * (x[k] - home[k % period]));
        free(to);
    }
}

static void penalty_as_the_formula(void **state)
{
    sg_random_stream s = sg_random_stream_at(59, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (size_t n = 1; n <= 90; n++)
        for (size_t period = 1; period <= 9; period++) check_decay(n, period, &s);
}

/* One number at every position that is within, beyond, or NaN. */
static void bounds_are_kept(void **state)
{
    static const struct {
        double x;
        bool fine;
    } cases[] = {{1e100, true},      {-1e100, true},     {1.0000000000000002e100, false},
                 {-1.01e100, false}, {NAN, false},       {-(double)NAN, false},
                 {INFINITY, false},  {-INFINITY, false}, {-0.0, true},
                 {5e-324, true}};
    (void)state;
    for (size_t i = 0; i < FAST_KERNELS; i++)
        for (size_t n = 1; n <= 21 && fast_kernels[i]->is_supported(); n++)
            for (size_t at = 0; at < n; at++)
                for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                    double x[21];
                    for (size_t j = 0; j < n; j++) x[j] = (double)j - 7.3;
                    x[at] = cases[k].x;
                    if (fast_kernels[i]->ops->all_within(n, x, 1e100) != cases[k].fine)
                        fail_msg("%s: %g at %zu of %zu", fast_kernels[i]->name, x[at], at, n);
                }
}

/* --- Adam --- */

enum { STEPS = 7, NUMBERS = 212 };

typedef struct moving {
    double theta[NUMBERS], m[NUMBERS], v[NUMBERS], rates;
} moving;

/* The definition, as in src/train/optim/optimiser.c. */
static void plain_step(const sg_adam *s, size_t n, const double *grad, moving *x)
{
    x->rates = 0;
    for (size_t i = 0; i < n; i++) {
        x->m[i] = s->beta1 * x->m[i] + (1 - s->beta1) * grad[i];
        double spread = s->belief ? grad[i] - x->m[i] : grad[i];
        x->v[i] = s->beta2 * x->v[i] + (1 - s->beta2) * spread * spread;
        double rate = s->rate / (sqrt(x->v[i] * s->bias_correction2) + s->epsilon);
        rate = fmax(s->low, fmin(s->high, rate));
        x->theta[i] -= rate * (x->m[i] * s->bias_correction1);
        x->rates += rate;
    }
}

static sg_adam step_number(size_t k, int kind)
{
    sg_adam s = {.rate = 0.013, .epsilon = 1e-8, .beta1 = 0.9, .beta2 = 0.999, .high = INFINITY};
    s.bias_correction1 = 1 / (1 - pow(s.beta1, (double)k));
    s.bias_correction2 = 1 / (1 - pow(s.beta2, (double)k));
    if (kind == 1) {
        double t = (1 - s.beta2) * (double)k;
        s.low = 0.01 * (1 - 1 / (t + 1));
        s.high = 0.01 * (1 + 1 / t);
    }
    s.belief = kind == 2;
    return s;
}

static void check_numbers(const char *name, const double *x, const double *expected, size_t n, double tolerance)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(expected[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i] - expected[i]) <= tolerance * largest))
            fail_msg("%s, number %zu of %zu: %.17g, not %.17g", name, i, n, x[i], expected[i]);
}

/* single: rates in float. */
static void check_adam(size_t n, int kind, bool single)
{
    const double exact = 1e-14, tolerance = single ? 2e-7 * STEPS : exact;
    static moving plain, first, now;
    for (size_t i = 0; i < FAST_KERNELS; i++) {
        const sg_kernel *kernel = fast_kernels[i];
        if (!kernel->is_supported()) continue;
        sg_random_stream s = sg_random_stream_at(43, SG_RANDOM_SYNTHETIC_DATA, (uint32_t)kind, n);
        memset(&plain, 0, sizeof plain);
        for (size_t k = 0; k < n; k++) plain.theta[k] = draw(&s, -1.7, 1.6);
        now = plain;
        for (size_t k = 1; k <= STEPS; k++) {
            double *grad = malloc(n * sizeof *grad), was[NUMBERS]; /* sanitizers detect a read beyond the end */
            assert_non_null(grad);
            memcpy(was, now.theta, sizeof was);
            for (size_t g = 0; g < n; g++) grad[g] = g % 5 == 3 ? 0 : draw(&s, -2.9, 3.1);
            sg_adam step = step_number(k, kind);
            step.f32_rates = single;
            plain_step(&step, n, grad, &plain);
            now.rates = kernel->ops->adam(&step, n, grad, now.theta, now.m, now.v);
            assert_memory_equal(grad, was, n * sizeof *grad);
            free(grad);
            check_numbers(kernel->name, now.theta, plain.theta, n, tolerance);
            check_numbers(kernel->name, now.m, plain.m, n, exact);
            check_numbers(kernel->name, now.v, plain.v, n, exact);
            check_numbers(kernel->name, &now.rates, &plain.rates, 1, tolerance);
            for (size_t g = n; g < NUMBERS; g++) assert_true(now.theta[g] == 0 && now.m[g] == 0 && now.v[g] == 0);
        }
        if (i) assert_memory_equal(&now, &first, sizeof now);
        first = now;
    }
}

static void adam_as_the_formula(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (size_t n = 1; n <= 9; n++) check_adam(n, kind, n % 2);
        check_adam(NUMBERS, kind, false);
        check_adam(NUMBERS, kind, true);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_as_plain_steps),  cmocka_unit_test(a_nan_is_noticed),
    cmocka_unit_test(rows_become_columns),  cmocka_unit_test(errors_as_the_formula),
    cmocka_unit_test(units_as_the_formula), cmocka_unit_test(penalty_as_the_formula),
    cmocka_unit_test(bounds_are_kept),      cmocka_unit_test(adam_as_the_formula),
};
TEST_GROUP(tests, NULL, NULL)
