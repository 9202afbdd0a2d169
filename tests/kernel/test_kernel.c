/* labels: arithmetic memory */
/* test_kernel.c: the fast kernels compared with the reference (with a tolerance) and with each other (same bits per
 * precision): outputs and gradients of chunks for many systems, and extreme rows. */
#include "kernel_test_support.h"

/* --- Systems --- */

/* Each is tested with both Gaussian kinds, grids also with the other MFs. */
static const char *const bases[] = {
    "1",
    "2",
    "22",
    "222",
    "2222",
    "22222",
    "222222",
    "2222222",
    "22222222",
    "222222222",
    "2222222222",
    "3",
    "33",
    "333",
    "3333",
    "4",
    "44",
    "444",
    "44444",
    "5",
    "55",
    "555",
    "7",
    "8",
    "9",
    "2314",
    "4132",
    "202",
    "0220",
    "00003",
    "1111",
    "225",
    "52",
    "32",
    "23",
    "own 1 1",
    "own 1 2",
    "own 1 13",
    "own 1 50",
    "own 3 1",
    "own 3 5",
    "own 7 2",
    "own 30 2",
    "own 30 5",
    "own 30 13",
    "own 30 50",
    "own 5 3",
    "own 5 4",
    "own 5 9",
    "own 3 20",
    "own 4 37",
    "own 33 1",
    "own 33 5",
    "own 33 13",
    "own 64 3",
    "back 1 7",
    "back 6 5",
    "back 9 14",
    "shared 1 2",
    "shared 5 1",
    "shared 4 26",
    "shared 9 4",
    "shared 32 5",
    "shared 33 7",
    "shared 81 3",
    "own 1 1 1",
    "own 1 3 3",
    "own 5 4 2",
    "own 7 9 2",
    "own 3 20 1",
    "own 9 14 3",
    "own 33 5 1",
    "own 30 16 3",
    "own 64 9 2",
    "own 4 37 2",
    "back 6 5 2",
    "shared 9 4 3",
    "shared 33 7 1",
    "shared 4 26 2",
};
enum { BASES = sizeof bases / sizeof *bases };

static const char *const kinds[] = {"gauss", "gauss-a", "gbell", "tri", "trap", "gauss2"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 64, 96, 120, 127, 128};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Widths of z (0: that of a), including those with a remainder of 0, 1 or 2 for tiles of twelve sums. */
static const size_t widths[] = {0, 1, 2, 13, 0, 12, 11, 24};
enum { WIDTHS = sizeof widths / sizeof *widths };

static const char *about(const shape *sh, size_t n, masks mask, bool gaps)
{
    static char text[160];
    snprintf(text, sizeof text, "%s, %s, %zu outputs, %zu terms, h %s, %zu rows, masks %d%s", sh->text, sh->mf,
             sh->outputs, sh->terms, sh->mean_log ? "1/M" : "1", n, (int)mask, gaps ? ", missing inputs" : "");
    return text;
}

/* --- Running a kernel --- */

typedef struct result {
    size_t outputs, parameters;
    double *y, *predicted; /* (outputs, SG_PITCH) of the last chunk: with training, and without */
    double *grad;          /* of all chunks */
} result;

static result new_result(const sg_block *b)
{
    result r = {b->outputs, sg_block_parameters(b), calloc(b->outputs, SG_PITCH * sizeof(double)),
                calloc(b->outputs, SG_PITCH * sizeof(double)), calloc(sg_block_parameters(b), sizeof(double))};
    assert_true(r.y && r.predicted && r.grad);
    return r;
}

static void free_result(result *r)
{
    free(r->y);
    free(r->predicted);
    free(r->grad);
}

/* Padding is unspecified. */
static void forget_padding(result *r, size_t n)
{
    for (size_t o = 0; o < r->outputs; o++)
        for (size_t i = n; i < SG_PITCH; i++) r->y[o * SG_PITCH + i] = r->predicted[o * SG_PITCH + i] = 0;
}

/* Runs forward and backward on `chunks` chunks and adds the gradient; adding it again must add nothing. */
static void train_chunks(const sg_kernel *k, const sg_block *b, const chunk_rows *r, size_t chunks, size_t most,
                         result *out)
{
    sg_drop_target dropped = r->keep.bits ? SG_DROP_RULES : SG_DROP_NOTHING;
    void *room = k->open(b, most, true, dropped);
    assert_non_null(room);
    k->load_theta(room);
    for (size_t i = 0; i < chunks; i++) {
        k->forward(room, &r[i].chunk, r[i].keep, out->y);
        k->backward(room, &r[i].chunk, r[i].slope);
    }
    k->add_gradient(room, out->grad);
    double *again = calloc(out->parameters, sizeof *again);
    assert_non_null(again);
    k->add_gradient(room, again);
    for (size_t i = 0; i < out->parameters; i++) assert_true(again[i] == 0);
    free(again);
    k->close(room);
}

static void predict_chunk(const sg_kernel *k, const sg_block *b, const chunk_rows *r, size_t most, result *out)
{
    void *room = k->open(b, most, false, SG_DROP_NOTHING);
    assert_non_null(room);
    k->load_theta(room);
    k->forward(room, &r->chunk, (sg_dropout_bits){0}, out->predicted);
    k->close(room);
}

static result run(const sg_kernel *k, const sg_block *b, const chunk_rows *r, size_t chunks, size_t most)
{
    result out = new_result(b);
    const chunk_rows *last = &r[chunks - 1];
    if (k->supports_block(b, true, r->keep.bits ? SG_DROP_RULES : SG_DROP_NOTHING))
        train_chunks(k, b, r, chunks, most, &out);
    predict_chunk(k, b, last, most, &out);
    forget_padding(&out, last->chunk.n);
    return out;
}

/* --- Comparisons --- */

/* The output of a single row may be close to 0 by cancellation. */
static const double least_output = 0.1;

/* In float, with very few rows, cancellation may be large relative to the result. */
static double slack_of(const sg_kernel *k, size_t rows) { return is_single(k) && rows < 8 ? 4 : 1; }

/* Relative to the largest number, but at least to `least`. */
static void check_close(const char *what, const double *x, const double *expected, size_t n, double least, double slack,
                        const sg_kernel *k, const char *where)
{
    double largest = least;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(expected[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i] - expected[i]) <= slack * tolerance_of(k) * largest))
            fail_msg("%s %s, %s: %s %zu of %zu is %.17g, not %.17g; off by %.1e of the largest", k->name, k->precision,
                     where, what, i, n, x[i], expected[i], fabs(x[i] - expected[i]) / largest);
}

static void check_bits(const char *what, const double *x, const double *expected, size_t n, const sg_kernel *k,
                       const char *where)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&x[i], &expected[i], sizeof *x) != 0)
            fail_msg("%s %s, %s: %s %zu of %zu is %a, by portable %a", k->name, k->precision, where, what, i, n, x[i],
                     expected[i]);
}

static void check_outputs(const result *r, const result *reference, const sg_kernel *k, const char *where)
{
    size_t n = r->outputs * SG_PITCH;
    check_close("output", r->y, reference->y, n, least_output, 1, k, where);
    check_close("prediction", r->predicted, reference->predicted, n, least_output, 1, k, where);
}

static void check_same_outputs(const result *r, const result *portable, const sg_kernel *k, const char *where)
{
    size_t n = r->outputs * SG_PITCH;
    check_bits("output", r->y, portable->y, n, k, where);
    check_bits("prediction", r->predicted, portable->predicted, n, k, where);
}

/* The largest derivative of a log membership with respect to a parameter. It is unbounded near the foot of a triangle
 * and amplifies rounding errors. */
static double steepest(const sg_block *b, const chunk_rows *r, size_t chunks)
{
    double most = 0, p[SG_MF_MAX_PARAMETERS], d[SG_MF_MAX_PARAMETERS];
    for (size_t c = 0; c < chunks; c++)
        for (size_t j = 0; j < b->mfs; j++)
            for (size_t i = 0; i < r[c].chunk.n; i++) {
                sg_mf_get(b, j, p);
                b->kind->gradient(r[c].a[b->input_of[j] * SG_PITCH + i], p, d);
                for (size_t k = 0; k < b->kind->arity; k++) most = fmax(most, fabs(d[k]));
            }
    return most;
}

/* Blocks that a kernel does not train are trained by the reference. */
static void copy_training(const result *from, result *to)
{
    memcpy(to->y, from->y, from->outputs * SG_PITCH * sizeof *to->y);
    memcpy(to->grad, from->grad, from->parameters * sizeof *to->grad);
}

/* Runs all kernels on the same chunks. */
static void compare_kernels(const sg_block *b, const chunk_rows *r, size_t chunks, size_t most, const char *where)
{
    result reference = run(&sg_kernel_reference, b, r, chunks, most), portable[2];
    const double steep = strncmp(b->kind->name, "gauss", 5) ? steepest(b, r, chunks) : 0;
    const size_t n = reference.parameters;
    for (size_t i = 0; i < FAST_KERNELS; i++) {
        const sg_kernel *k = fast_kernels[i];
        if (!k->is_supported()) continue;
        bool trains = k->supports_block(b, true, r->keep.bits ? SG_DROP_RULES : SG_DROP_NOTHING);
        if (!k->supports_block(b, false, SG_DROP_NOTHING) || (!trains && b->kind != &sg_mf_gauss2))
            fail_msg("%s: not covered", where);
        result now = run(k, b, r, chunks, most);
        if (!trains) copy_training(&reference, &now);
        check_close("gradient", now.grad, reference.grad, n, steep, slack_of(k, r[chunks - 1].chunk.n), k, where);
        check_outputs(&now, &reference, k, where);
        if (i < 2) { /* portable is first, in both precisions */
            portable[is_single(k)] = now;
            continue;
        }
        check_bits("gradient", now.grad, portable[is_single(k)].grad, n, k, where);
        check_same_outputs(&now, &portable[is_single(k)], k, where);
        free_result(&now);
    }
    free_result(&portable[0]);
    free_result(&portable[1]);
    free_result(&reference);
}

/* --- The table of cases --- */

/* Case number c determines masks, chunks and so on. One to three chunks; the last is the largest. The workspace has the
 * exact size or is larger. */
static void check_case(shape sh, size_t c, size_t n, bool gaps)
{
    sg_random_stream s = sg_random_stream_at(29, SG_RANDOM_SYNTHETIC_DATA, 0, c);
    masks mask = (masks)(c % MASKS);
    sh.mean_log = c / 5 % 2;
    sg_model *m = random_model(&sh, &s);
    size_t chunks = 1 + c / 7 % 3;
    chunk_rows r[3];
    for (size_t i = 0; i < chunks; i++) {
        size_t now = i + 1 == chunks ? n : 1 + sg_random_stream_below(&s, n);
        r[i] = random_rows(&m->block[0], m->shared_pipeline, mask, now, &s);
        if (gaps) lose_inputs(&r[i], &m->block[0], &s);
    }
    compare_kernels(&m->block[0], r, chunks, c % 2 ? n : SG_CHUNK, about(&sh, n, mask, gaps));
    for (size_t i = 0; i < chunks; i++) free_rows(&r[i]);
    sg_model_free(m);
}

static bool suits(const shape *sh, const char *mf)
{
    if (sh->rank && strcmp(mf, "gauss2") == 0) return false; /* gauss2 has no centre for low-rank terms */
    return strncmp(mf, "gauss", 5) == 0 || (sh->base == GRID && rules_of(sh) <= 256);
}

/* Expensive cases are drawn with a probability that falls with their cost: otherwise the largest systems take most of
 * the time. */
static bool is_drawn(const shape *sh, size_t rows, size_t c)
{
    sg_random_stream s = sg_random_stream_at(53, SG_RANDOM_SYNTHETIC_DATA, 0, c);
    size_t terms = sh->terms ? sh->terms : inputs_of(sh), cost = rules_of(sh) * (inputs_of(sh) + sh->outputs * terms);
    return draw(&s, 0, (double)(cost * rows)) < (is_quick() ? 200 : 2000);
}

static void kernels_agree(void **state)
{
    size_t c = 0, cases = 0;
    (void)state;
    for (size_t i = 0; i < BASES; i++)
        for (size_t kind = 0; kind < KINDS; kind++)
            for (size_t k = 0; k < SIZES; k++, c++) {
                shape sh = shape_of(bases[i], kinds[kind], 1 + c / 2 % 3, widths[c / 3 % WIDTHS]);
                bool always = !is_quick() && kind == i % 2 && k == i % SIZES;
                if (!suits(&sh, sh.mf) || !(always || is_drawn(&sh, sizes[k], c))) continue;
                check_case(sh, c, sizes[k], c / 2 % 2);
                cases++;
            }
    assert_true(cases > 100);
}

/* --- Models of several blocks --- */

typedef struct engine_result {
    double y[3 * SG_PITCH];
    double *grad;
} engine_result;

static engine_result run_engine(const char *kernel, const char *precision, const sg_model *m, const chunk_rows *r)
{
    engine_result out = {.grad = calloc(m->parameters, sizeof(double))};
    sg_dropout_bits keep[2] = {r->keep, {0}};
    sg_engine e;
    assert_non_null(out.grad);
    use_kernel(kernel);
    check(sg_engine_init(&e, m, precision, true, SG_DROP_RULES));
    use_kernel(NULL);
    assert_true(r->chunk.n <= e.rows);
    sg_engine_load_theta(&e);
    sg_engine_forward(&e, &r->chunk, keep);
    for (size_t o = 0; o < m->outputs; o++)
        memcpy(out.y + o * SG_PITCH, e.y + o * SG_PITCH, r->chunk.n * sizeof *out.y);
    sg_engine_backward(&e, &r->chunk, r->slope);
    sg_engine_add_gradient(&e, out.grad);
    sg_engine_release(&e);
    return out;
}

/* The expected result, block by block: y = y0 + sum of weight * block output, and its gradient. */
static engine_result add_up_blocks(const sg_model *m, const chunk_rows *r)
{
    engine_result out = {.grad = calloc(m->parameters, sizeof(double))};
    assert_non_null(out.grad);
    for (size_t o = 0; o < m->outputs; o++)
        for (size_t i = 0; i < r->chunk.n; i++) out.y[o * SG_PITCH + i] = m->y0[o];
    for (size_t k = 0; k < m->blocks; k++) {
        const sg_block *b = &m->block[k];
        double y[3 * SG_PITCH] = {0}, slope[3 * SG_PITCH] = {0};
        void *room = sg_kernel_reference.open(b, SG_CHUNK, true, SG_DROP_RULES);
        assert_non_null(room);
        for (size_t i = 0; i < m->outputs * SG_PITCH; i++) slope[i] = b->weight * r->slope[i];
        sg_kernel_reference.load_theta(room);
        sg_kernel_reference.forward(room, &r->chunk, k ? (sg_dropout_bits){0} : r->keep, y);
        sg_kernel_reference.backward(room, &r->chunk, slope);
        sg_kernel_reference.add_gradient(room, out.grad + (b->mf - m->theta));
        sg_kernel_reference.close(room);
        for (size_t i = 0; i < m->outputs * SG_PITCH; i++) out.y[i] += b->weight * y[i];
    }
    return out;
}

/* A grid and clustered rules, one with masks; weights and y0 as in an ensemble. */
static sg_model *two_blocks(sg_random_stream *s, size_t terms)
{
    const shape first = shape_of("2321", "gauss-a", 2, terms);
    shape second = shape_of("own 6 4", "gauss", 2, terms);
    second.mean_log = true;
    sg_model *m = new_model(&first, s);
    add_random_block(m, &first, s);
    add_random_block(m, &second, s);
    check(sg_model_alloc_theta(m));
    random_parameters(m, s);
    m->block[0].weight = 1.37;
    m->block[1].weight = -0.62;
    m->y0[0] = 0.83;
    m->y0[1] = -2.4;
    return m;
}

static void kernels_agree_on_two_blocks(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 16; n += 5)
        for (size_t terms = 0; terms <= 3; terms += 3) {
            sg_random_stream s = sg_random_stream_at(31, SG_RANDOM_SYNTHETIC_DATA, 0, n + terms);
            sg_model *m = two_blocks(&s, terms);
            chunk_rows r = random_rows(&m->block[0], m->shared_pipeline, RANDOM, n, &s);
            engine_result reference = add_up_blocks(m, &r), portable[2];
            for (size_t i = 0; i < FAST_KERNELS; i++) {
                const sg_kernel *k = fast_kernels[i];
                if (!k->is_supported()) continue;
                engine_result now = run_engine(k->name, k->precision, m, &r);
                check_close("gradient", now.grad, reference.grad, m->parameters, 0, 1, k, "two blocks");
                check_close("output", now.y, reference.y, 3 * SG_PITCH, least_output, 1, k, "two blocks");
                if (i < 2) {
                    portable[i] = now;
                    continue;
                }
                check_bits("gradient", now.grad, portable[i % 2].grad, m->parameters, k, "two blocks");
                check_bits("output", now.y, portable[i % 2].y, 3 * SG_PITCH, k, "two blocks");
                free(now.grad);
            }
            free(portable[0].grad);
            free(portable[1].grad);
            free(reference.grad);
            free_rows(&r);
            sg_model_free(m);
        }
}

/* --- Extreme values --- */

/* Factors for inputs, centres, widths and consequents. */
typedef struct extreme {
    double x, centre, width, conseq;
    bool f64, f32; /* whether the precision suffices to compare with the reference */
} extreme;

static const extreme extremes[] = {
    {1, 1, 1, 1, true, true},           {1e6, 1, 1, 1, true, false},        {1, 1e6, 1, 1, true, false},
    {1e6, 1e6, 1, 1, true, false},      {1, 1, 1e-50, 1, true, false},      {1, 1, 1e50, 1, true, false},
    {1e100, 1, 1, 1, false, false},     {1, 1e100, 1, 1, false, false},     {1e100, 1e100, 1e-100, 1, false, false},
    {0, 0, 1e-100, 1, true, true},      {1, 1, 1e100, 1, false, false},     {1e100, 1, 1e-100, 1, false, false},
    {0, 1, 1, 1, true, true},           {1e-300, 1e-300, 1, 1, true, true}, {10, 1, 1, 1e5, true, false},
    {1, 1, 1, 1e9, true, true},         {1e6, 1, 1, 1e9, true, false},      {1e3, 1, 1, 1e100, false, false},
    {1e6, 1, 1e-3, 1e100, true, false},
};

static void stretch(sg_model *m, chunk_rows *r, const extreme *e)
{
    sg_block *b = &m->block[0];
    bool inverse = strcmp(b->kind->name, "gauss-a") == 0;
    for (size_t i = 0; i < b->mfs; i++) {
        b->mf[i] *= e->centre;
        b->mf[b->mfs + i] *= inverse ? 1 / e->width : e->width;
    }
    for (size_t i = 0; i < b->rules * (b->terms + 1) * b->outputs; i++) b->conseq[i] *= e->conseq;
    for (size_t i = 0; i < b->inputs * SG_PITCH; i++) r->a[i] *= e->x;
}

/* In float, a gradient may overflow for rows beyond the usual clamp of 1e6; training then stops with an error. */
static bool has_gradient(const extreme *e, const sg_kernel *k)
{
    return !is_single(k) || (e->x <= 1e6 && e->centre <= 1e6 && e->conseq <= 1e9);
}

static void check_finite(const result *r, const result *reference, const sg_kernel *k, const extreme *e,
                         const char *where)
{
    for (size_t i = 0; has_gradient(e, k) && i < r->parameters; i++)
        if (!isfinite(r->grad[i]) && isfinite(reference->grad[i]))
            fail_msg("%s %s, %s: gradient %zu is %g, not %g", k->name, k->precision, where, i, r->grad[i],
                     reference->grad[i]);
    for (size_t i = 0; i < r->outputs * SG_PITCH; i++)
        if (!isfinite(r->y[i]) || !isfinite(r->predicted[i]))
            fail_msg("%s %s, %s: output %zu is %g, predicted %g", k->name, k->precision, where, i, r->y[i],
                     r->predicted[i]);
}

static void check_extreme(const shape *sh, const extreme *e, masks mask, size_t c)
{
    char where[300];
    sg_random_stream s = sg_random_stream_at(37, SG_RANDOM_SYNTHETIC_DATA, 0, c);
    sg_model *m = random_model(sh, &s);
    chunk_rows r = random_rows(&m->block[0], m->shared_pipeline, mask, 9, &s);
    stretch(m, &r, e);
    snprintf(where, sizeof where, "%s, x %g, centres %g, widths %g, consequents %g", about(sh, 9, mask, false), e->x,
             e->centre, e->width, e->conseq);
    result reference = run(&sg_kernel_reference, &m->block[0], &r, 1, 16), portable[2];
    for (size_t i = 0; i < FAST_KERNELS; i++) {
        const sg_kernel *k = fast_kernels[i];
        if (!k->is_supported()) continue;
        result now = run(k, &m->block[0], &r, 1, 16);
        check_finite(&now, &reference, k, e, where);
        if (is_single(k) ? e->f32 : e->f64) check_outputs(&now, &reference, k, where);
        if (i < 2) {
            portable[i] = now;
            continue;
        }
        check_same_outputs(&now, &portable[i % 2], k, where);
        free_result(&now);
    }
    free_result(&portable[0]);
    free_result(&portable[1]);
    free_result(&reference);
    free_rows(&r);
    sg_model_free(m);
}

static void extreme_values_stay_finite(void **state)
{
    static const char *const shapes[] = {"222", "332", "own 5 3", "shared 7 4", "22222", "own 5 3 2", "shared 7 4 3"};
    size_t c = 0;
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t kind = 0; kind < 2; kind++)
            for (size_t k = 0; k < sizeof extremes / sizeof *extremes; k++)
                for (int mask = WITHOUT; mask <= RANDOM; mask++, c++) {
                    shape sh = shape_of(shapes[i], kinds[kind], 1 + i % 2, i == 3 ? 3 : 0);
                    if (is_quick() && c % 5) continue;
                    check_extreme(&sh, &extremes[k], (masks)mask, c);
                }
}

/* An MF that never fires, far away and narrow, must not receive rounding errors from its neighbour's gradient. */
static void a_far_mf_has_no_gradient(void **state)
{
    static const char *const shapes[] = {"22", "222", "22222", "222222", "2322", "22222"};
    (void)state;
    for (size_t c = 0; c < 4 * sizeof shapes / sizeof *shapes; c++) {
        sg_random_stream s = sg_random_stream_at(41, SG_RANDOM_SYNTHETIC_DATA, 0, c);
        shape sh = shape_of(shapes[c / 4], kinds[0], 1 + c / 4 % 2, 0);
        sg_model *m = random_model(&sh, &s);
        sg_block *b = &m->block[0];
        size_t input = c % b->inputs, far = 0;
        while (b->input_of[far] != input) far++;
        if (c % 2) far++; /* its second MF */
        b->mf[far] = c % 2 ? 173.2 : -173.2;
        chunk_rows r = random_rows(b, m->shared_pipeline, WITHOUT, 64, &s);
        compare_kernels(b, &r, 1, 64, about(&sh, 64, WITHOUT, false));
        free_rows(&r);
        sg_model_free(m);
    }
}

/* The MFs of an input that is always missing have a gradient of exactly 0. */
static void a_missing_input_has_no_gradient(void **state)
{
    static const char *const shapes[] = {"22",      "222",        "22222",     "2322",      "3",           "own 5 3",
                                         "own 3 9", "shared 7 4", "own 5 3 2", "own 3 9 3", "shared 7 4 1"};
    (void)state;
    for (size_t c = 0; c < 2 * sizeof shapes / sizeof *shapes; c++) {
        sg_random_stream s = sg_random_stream_at(47, SG_RANDOM_SYNTHETIC_DATA, 0, c);
        shape sh = shape_of(shapes[c / 2], kinds[c % 2], 1 + c / 4 % 2, 0);
        sg_model *m = random_model(&sh, &s);
        sg_block *b = &m->block[0];
        size_t lost = c % b->inputs;
        chunk_rows r = random_rows(b, m->shared_pipeline, c % 3 ? WITHOUT : RANDOM, 41, &s);
        lose_inputs(&r, b, &s);
        for (size_t i = 0; i < 48; i++) r.missing[lost * SG_PITCH + i] = 1;
        for (size_t i = 0; i < FAST_KERNELS; i++) {
            if (!fast_kernels[i]->is_supported()) continue;
            result now = run(fast_kernels[i], b, &r, 1, 64);
            for (size_t j = 0; j < b->mfs; j++)
                for (size_t k = 0; b->input_of[j] == lost && k < b->kind->arity; k++)
                    if (now.grad[k * b->mfs + j] != 0)
                        fail_msg("%s: %g", fast_kernels[i]->name, now.grad[k * b->mfs + j]);
            for (size_t j = lost; j < b->rules * b->rank * b->inputs; j += b->inputs)
                if (now.grad[(size_t)(b->low_rank - b->mf) + j] != 0)
                    fail_msg("%s: tilt %zu", fast_kernels[i]->name, j);
            free_result(&now);
        }
        free_rows(&r);
        sg_model_free(m);
    }
}

/* The outputs of a row do not depend on missing inputs of other rows. */
static void rows_are_independent(void **state)
{
    (void)state;
    for (size_t c = 0; c < BASES * 2; c++) {
        sg_random_stream s = sg_random_stream_at(53, SG_RANDOM_SYNTHETIC_DATA, 0, c);
        shape sh = shape_of(bases[c / 2], kinds[c % 2], 1, 0);
        if (rules_of(&sh) > 40 || (is_quick() && c % 3)) continue;
        sg_model *m = random_model(&sh, &s);
        chunk_rows r = random_rows(&m->block[0], m->shared_pipeline, WITHOUT, 64, &s);
        for (size_t i = 0; i < FAST_KERNELS; i++) {
            if (!fast_kernels[i]->is_supported()) continue;
            r.chunk.missing = NULL;
            result whole = run(fast_kernels[i], &m->block[0], &r, 1, 64);
            if (!r.missing) lose_inputs(&r, &m->block[0], &s);
            r.chunk.missing = r.missing;
            result gaps = run(fast_kernels[i], &m->block[0], &r, 1, 64);
            if (gaps.y[1] != whole.y[1] || gaps.predicted[1] != whole.predicted[1])
                fail_msg("%s %s, %s", fast_kernels[i]->name, fast_kernels[i]->precision, about(&sh, 64, WITHOUT, true));
            free_result(&whole);
            free_result(&gaps);
        }
        free_rows(&r);
        sg_model_free(m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kernels_agree),
    cmocka_unit_test(kernels_agree_on_two_blocks),
    cmocka_unit_test(extreme_values_stay_finite),
    cmocka_unit_test(a_far_mf_has_no_gradient),
    cmocka_unit_test(a_missing_input_has_no_gradient),
    cmocka_unit_test(rows_are_independent),
};
TEST_GROUP(tests, NULL, NULL)
