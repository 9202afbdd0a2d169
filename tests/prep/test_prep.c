/* test_prep.c: moments of columns, transforms and pipelines, principal components.
 * labels: memory */
#include "base/random/random.h"
#include "linalg/linalg.h"
#include "prep/moments.h"
#include "prep/transform_pipeline.h"
#include "test.h"

#include <stdlib.h>

enum { ROWS = 37, COLUMNS = 4 };

/* Columns with different means and scales; some weights are 0. */
static void fill(double *x, double *w, uint64_t seed)
{
    static const double place[] = {0, 1e6, -2.385, 3e-9}, size[] = {1, 1e-2, 117, 1e-9};
    sg_random_stream s = sg_random_stream_at(seed, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] = place[i % COLUMNS] + size[i % COLUMNS] * sg_random_stream_normal(&s);
    for (size_t i = 0; i < ROWS; i++) w[i] = i % 5 == 3 ? 0 : 0.1 + 3 * sg_random_stream_uniform(&s);
}

static void moments_agree_with_the_definition(void **state)
{
    double x[ROWS * COLUMNS], w[ROWS];
    (void)state;
    fill(x, w, 1);
    for (int weighted = 0; weighted < 2; weighted++) {
        sg_moments s;
        assert_true(sg_moments_init(&s, COLUMNS));
        sg_moments_compute(&s, x, weighted ? w : NULL, 1, ROWS);
        for (size_t c = 0; c < COLUMNS; c++) {
            long double sum = 0, total = 0, squares = 0;
            double low = INFINITY, high = -INFINITY;
            size_t n = 0;
            for (size_t r = 0; r < ROWS; r++) {
                double v = x[r * COLUMNS + c], weight = weighted ? w[r] : 1;
                if (weight == 0) continue;
                n++;
                total += weight;
                sum += (long double)weight * v;
                low = fmin(low, v);
                high = fmax(high, v);
            }
            long double mean = sum / total;
            for (size_t r = 0; r < ROWS; r++) {
                long double d = x[r * COLUMNS + c] - mean;
                squares += (weighted ? w[r] : 1) * d * d;
            }
            double deviation = (double)sqrtl(squares / total * n / (n - 1));
            assert_true(*s.rows == (double)n);
            assert_close(*s.weight_sum, (double)total, 1e-12);
            assert_close(s.mean[c], (double)mean, 1e-14 * fmax(fabs((double)mean), deviation));
            assert_close(sg_moments_stddev(&s, c), deviation, 1e-7 * deviation);
            assert_true(s.low[c] == low && s.high[c] == high);
            assert_false(sg_moments_is_constant(&s, c));
        }
        sg_moments_release(&s);
        assert_null(s.mean);
    }
}

static bool same(const sg_moments *a, const sg_moments *b)
{
    return *a->rows == *b->rows && *a->weight_sum == *b->weight_sum &&
           memcmp(a->mean, b->mean, 4 * COLUMNS * sizeof(double)) == 0;
}

/* The moments of a column depend only on its own cells, whatever is missing in others. */
static void missing_cells_do_not_count(void **state)
{
    double x[ROWS * COLUMNS], w[ROWS], cell[ROWS], weight[ROWS];
    (void)state;
    fill(x, w, 3);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        if (i % 7 == 2 || i % COLUMNS == 3) x[i] = NAN;
    for (int weighted = 0; weighted < 2; weighted++) {
        sg_moments all;
        assert_true(sg_moments_init(&all, COLUMNS));
        sg_moments_compute(&all, x, weighted ? w : NULL, 1, ROWS);
        for (size_t c = 0; c < COLUMNS; c++) {
            sg_moments one;
            size_t n = 0;
            assert_true(sg_moments_init(&one, 1));
            for (size_t r = 0; r < ROWS; r++) {
                if (isnan(x[r * COLUMNS + c])) continue;
                cell[n] = x[r * COLUMNS + c];
                weight[n++] = w[r];
            }
            sg_moments_compute(&one, cell, weighted ? weight : NULL, 1, n);
            assert_true(all.mean[c] == one.mean[0] && all.low[c] == one.low[0] && all.high[c] == one.high[0]);
            assert_true(all.column_count[c] == one.column_count[0]);
            assert_true(sg_moments_stddev(&all, c) == sg_moments_stddev(&one, 0));
            assert_int_equal(sg_moments_is_constant(&all, c), c == 3);
            sg_moments_release(&one);
        }
        sg_moments_release(&all);
    }
}

static void gaps_are_filled_and_opened(void **state)
{
    const double mean[] = {-0.4, 2.385};
    double x[] = {1.7, NAN, 9, NAN, 0.3, 9}, missing[6] = {9, 9, 9, 9, 9, 9};
    (void)state;
    assert_true(sg_missing_impute(2, 2, 3, mean, x, missing));
    assert_true(x[0] == 1.7 && x[1] == -0.4 && x[3] == 2.385 && x[4] == 0.3);
    assert_true(missing[0] == 0 && missing[1] == 1 && missing[3] == 1 && missing[4] == 0);
    assert_true(x[2] == 9 && missing[2] == 9); /* beyond the rows */
    assert_false(sg_missing_impute(2, 2, 3, mean, x, missing));
    double row[] = {5, 6}, gone[] = {0, 1};
    sg_missing_restore(2, gone, row);
    assert_true(row[0] == 5 && isnan(row[1]));
    sg_pipeline v = {.in = 2, .out = 2};
    assert_true(sg_pipeline_is_elementwise(&v));
    assert_non_null(sg_pipeline_append(&v, &sg_transform_zscore, 2));
    assert_true(sg_pipeline_is_elementwise(&v));
    assert_non_null(sg_pipeline_append(&v, &sg_transform_pca, 2));
    assert_false(sg_pipeline_is_elementwise(&v));
    sg_pipeline_release(&v);
}

/* Two parts of the rows and an empty part, merged in order; rounded results may differ, exact ones may not. */
static void parts_are_merged(void **state)
{
    double x[ROWS * COLUMNS], w[ROWS];
    (void)state;
    fill(x, w, 2);
    x[5] = NAN;
    for (int weighted = 0; weighted < 2; weighted++) {
        sg_moments whole, left, right;
        assert_true(sg_moments_init(&whole, COLUMNS) && sg_moments_init(&left, COLUMNS) &&
                    sg_moments_init(&right, COLUMNS));
        sg_moments_compute(&whole, x, weighted ? w : NULL, 1, ROWS);
        for (size_t cut = 0; cut <= ROWS; cut++) {
            sg_moments_compute(&left, x, weighted ? w : NULL, 1, cut);
            sg_moments_compute(&right, x + cut * COLUMNS, weighted ? w + cut : NULL, 1, ROWS - cut);
            sg_moments_merge(&left, &right);
            assert_true(*left.rows == *whole.rows);
            for (size_t c = 0; c < COLUMNS; c++) {
                double deviation = sg_moments_stddev(&whole, c);
                assert_true(left.low[c] == whole.low[c] && left.high[c] == whole.high[c] &&
                            left.column_count[c] == whole.column_count[c]);
                assert_close(left.column_weight[c], whole.column_weight[c], 1e-13 * whole.column_weight[c]);
                assert_close(left.mean[c], whole.mean[c], 1e-15 * (fabs(whole.mean[c]) + deviation));
                assert_close(sg_moments_stddev(&left, c), deviation, 1e-7 * deviation);
            }
        }
        sg_moments_release(&whole);
        sg_moments_release(&left);
        sg_moments_release(&right);
    }
}

/* A row of weight 0 is ignored, whatever it contains. */
static void rows_without_weight_are_left_out(void **state)
{
    double x[ROWS * COLUMNS], w[ROWS], kept[ROWS * COLUMNS], kept_w[ROWS];
    size_t n = 0;
    sg_moments all, some;
    (void)state;
    fill(x, w, 3);
    for (size_t r = 0; r < ROWS; r++) {
        if (w[r] == 0) {
            for (size_t c = 0; c < COLUMNS; c++) x[r * COLUMNS + c] = c % 2 ? (double)NAN : 1e300;
            continue;
        }
        memcpy(kept + n * COLUMNS, x + r * COLUMNS, COLUMNS * sizeof *x);
        kept_w[n++] = w[r];
    }
    assert_true(n < ROWS && sg_moments_init(&all, COLUMNS) && sg_moments_init(&some, COLUMNS));
    sg_moments_compute(&all, x, w, 1, ROWS);
    sg_moments_compute(&some, kept, kept_w, 1, n);
    assert_true(same(&all, &some));
    sg_moments_release(&all);
    sg_moments_release(&some);
}

/* Rescaling the weights changes neither mean nor deviation; weights of 1 change no bit. */
static void weights_have_no_scale(void **state)
{
    double x[ROWS * COLUMNS], w[ROWS], scaled[ROWS], ones[ROWS];
    sg_moments s[4];
    (void)state;
    fill(x, w, 4);
    for (size_t r = 0; r < ROWS; r++) {
        scaled[r] = 1024 * w[r];
        ones[r] = 1;
    }
    const double *weights[4] = {w, scaled, ones, NULL};
    for (size_t k = 0; k < 4; k++) {
        assert_true(sg_moments_init(&s[k], COLUMNS));
        sg_moments_compute(&s[k], x, weights[k], 1, ROWS);
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        assert_true(s[0].mean[c] == s[1].mean[c]);
        assert_true(sg_moments_stddev(&s[0], c) == sg_moments_stddev(&s[1], c));
    }
    assert_true(same(&s[2], &s[3]));
    for (size_t k = 0; k < 4; k++) sg_moments_release(&s[k]);
}

static void constants_are_exact(void **state)
{
    static const double values[COLUMNS] = {0.1, -2.385, 1e99, 0};
    double x[1000 * COLUMNS], w[1000];
    (void)state;
    for (size_t i = 0; i < 1000 * COLUMNS; i++) x[i] = values[i % COLUMNS];
    for (size_t r = 0; r < 1000; r++) w[r] = 0.1 + 0.3 * (double)(r % 7);
    for (int weighted = 0; weighted < 2; weighted++) {
        sg_moments s;
        assert_true(sg_moments_init(&s, COLUMNS));
        sg_moments_compute(&s, x, weighted ? w : NULL, 1, 1000);
        for (size_t c = 0; c < COLUMNS; c++) {
            assert_true(s.mean[c] == values[c] && sg_moments_stddev(&s, c) == 0);
            assert_true(sg_moments_is_constant(&s, c));
        }
        sg_moments_release(&s);
    }
}

static void knows_what_is_constant(void **state)
{
    static const struct {
        double x[3];
        size_t rows;
        bool constant;
    } cases[] = {
        {{7, 7, 7}, 3, true},           {{7, 7, 7.0000001}, 3, false},      {{7, 0, 0}, 1, true},
        {{0, 0, 0}, 0, true},           {{0, 1e-120, 0}, 3, true},          {{0, 1e-90, 0}, 3, false},
        {{-1e100, 1e100, 0}, 3, false}, {{1e16, 1e16, 1e16 + 2}, 3, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_moments s;
        assert_true(sg_moments_init(&s, 1));
        sg_moments_compute(&s, cases[i].x, NULL, 1, cases[i].rows);
        if (sg_moments_is_constant(&s, 0) != cases[i].constant) fail_msg("case %zu", i);
        assert_true(isfinite(sg_moments_stddev(&s, 0)));
        sg_moments_release(&s);
    }
}

/* --- pipelines --- */

static void put(double *to, const double *from, size_t n) { memcpy(to, from, n * sizeof *to); }

/* (x - mean) / scale, then clamp, then two components. */
static sg_pipeline three_steps(void)
{
    static const double mean[] = {0.5, -2.385, 100}, scale[] = {2, 0.25, 30};
    static const double low[] = {-1, -2, -3}, high[] = {1, 2, 3};
    static const double components[] = {0.6, 0.8, 0, -0.8, 0.6, 0.1};
    sg_pipeline v = {.in = 3, .out = 3};
    sg_transform *s = sg_pipeline_append(&v, &sg_transform_zscore, 3);
    assert_non_null(s);
    assert_true(s->parameter[0][0] == 0 && s->parameter[1][2] == 0);
    put(s->parameter[0], mean, 3);
    put(s->parameter[1], scale, 3);
    assert_non_null(s = sg_pipeline_append(&v, &sg_transform_clamp, 3));
    put(s->parameter[0], low, 3);
    put(s->parameter[1], high, 3);
    assert_non_null(s = sg_pipeline_append(&v, &sg_transform_pca, 2));
    put(s->parameter[0], components, 6);
    assert_true(v.in == 3 && v.out == 2 && v.steps == 3);
    return v;
}

static void steps_follow_each_other(void **state)
{
    static const struct {
        double x[3], z[2];
    } cases[] = {
        {{0.5, -2.385, 100}, {0, 0}},
        {{1.5, -2.385, 100}, {0.3, -0.4}},
        {{0.5, -2.135, 100}, {0.8, 0.6}},
        {{0.5, -2.385, 130}, {0, 0.1}},
        {{1e300, -2.385, -1e300}, {0.6, -0.8 - 0.3}}, /* clamped to 1 and -3 */
        {{0.5, -1e6, 100}, {-1.6, -1.2}},
    };
    sg_pipeline v = three_steps();
    double *scratch = malloc(sg_pipeline_scratch_size(&v) * sizeof *scratch);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double z[2];
        sg_pipeline_apply(&v, cases[i].x, z, scratch);
        for (size_t k = 0; k < 2; k++) assert_close(z[k], cases[i].z[k], 1e-14);
    }
    free(scratch);
    sg_pipeline_release(&v);
}

static void affine_is_apply_inside_the_box(void **state)
{
    sg_pipeline v = three_steps();
    double matrix[6], shift[2], x[3], z[2], *scratch = malloc(sg_pipeline_scratch_size(&v) * sizeof *scratch);
    sg_random_stream s = sg_random_stream_at(6, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    check(sg_pipeline_affine(&v, matrix, shift));
    for (int i = 0; i < 50; i++) {
        x[0] = 0.5 + 2 * (2 * sg_random_stream_uniform(&s) - 1);
        x[1] = -2.385 + 0.5 * (2 * sg_random_stream_uniform(&s) - 1);
        x[2] = 100 + 90 * (2 * sg_random_stream_uniform(&s) - 1);
        sg_pipeline_apply(&v, x, z, scratch);
        for (size_t k = 0; k < 2; k++) {
            double sum = shift[k];
            for (size_t j = 0; j < 3; j++) sum += matrix[k * 3 + j] * x[j];
            assert_close(z[k], sum, 1e-13);
        }
    }
    free(scratch);
    sg_pipeline_release(&v);
}

/* Shifts are carried through every kind of step. */
static void affine_maps_are_composed(void **state)
{
    static const double mean[] = {0.25, -0.5}, scale[] = {0.125, 3}, low[] = {-1e9, -1e9}, high[] = {1e9, 1e9};
    sg_pipeline v = three_steps();
    double matrix[6], shift[2], x[3] = {1.1, -2.3, 123}, z[2], scratch[6];
    (void)state;
    for (int again = 0; again < 2; again++) {
        sg_transform *s = sg_pipeline_append(&v, &sg_transform_zscore, 2);
        assert_non_null(s);
        put(s->parameter[0], mean, 2);
        put(s->parameter[1], scale, 2);
        assert_non_null(s = sg_pipeline_append(&v, &sg_transform_clamp, 2));
        put(s->parameter[0], low, 2);
        put(s->parameter[1], high, 2);
    }
    check(sg_pipeline_affine(&v, matrix, shift));
    sg_pipeline_apply(&v, x, z, scratch);
    for (size_t k = 0; k < 2; k++) {
        double sum = shift[k];
        for (size_t j = 0; j < 3; j++) sum += matrix[k * 3 + j] * x[j];
        assert_close(z[k], sum, 1e-12);
    }
    sg_pipeline_release(&v);
}

static void an_empty_view_changes_nothing(void **state)
{
    sg_pipeline v = {.in = 3, .out = 3}, copy;
    double x[3] = {2.385, -1e99, 0}, z[3], scratch[6], matrix[9], shift[3];
    static const double unit[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    (void)state;
    assert_int_equal(sg_pipeline_scratch_size(&v), 6);
    sg_pipeline_apply(&v, x, z, scratch);
    assert_memory_equal(x, z, sizeof x);
    x[1] = -1e308; /* except what would overflow later */
    sg_pipeline_apply(&v, x, z, scratch);
    assert_true(z[0] == 2.385 && z[1] == -1e100 && z[2] == 0);
    check(sg_pipeline_affine(&v, matrix, shift));
    assert_memory_equal(matrix, unit, sizeof unit);
    assert_true(shift[0] == 0 && shift[1] == 0 && shift[2] == 0);
    assert_true(sg_pipeline_copy(&v, &copy));
    assert_true(copy.in == 3 && copy.out == 3 && copy.steps == 0);
    sg_pipeline_release(&copy);
    sg_pipeline_release(&v);
}

/* Parameters and rows as large as a file may contain. */
static void views_do_not_overflow(void **state)
{
    static const double large[] = {1e100, -1e100, 1e100, 1e100}, mean[] = {1e100, -1e100}, scale[] = {1e-100, 1e-100};
    static const double far[] = {0, 1.7e308, -1.7e308, 1e100, -3};
    (void)state;
    for (int order = 0; order < 2; order++) {
        sg_pipeline v = {.in = 2, .out = 2};
        for (int i = 0; i < 4; i++) {
            sg_transform *s = sg_pipeline_append(&v, (i + order) % 2 ? &sg_transform_zscore : &sg_transform_pca, 2);
            assert_non_null(s);
            put(s->parameter[0], s->kind == &sg_transform_pca ? large : mean, s->kind->count(s, 0));
            if (s->kind == &sg_transform_zscore) put(s->parameter[1], scale, 2);
        }
        for (size_t i = 0; i < 25; i++) {
            double x[2] = {far[i % 5], far[i / 5]}, z[2], scratch[4];
            sg_pipeline_apply(&v, x, z, scratch);
            assert_true(fabs(z[0]) <= 1e100 && fabs(z[1]) <= 1e100);
        }
        sg_pipeline_release(&v);
    }
}

static void copies_stand_alone(void **state)
{
    sg_pipeline v = three_steps(), copy;
    double x[3] = {1.13, -2.2, 123}, before[2], after[2], *scratch;
    (void)state;
    scratch = malloc(sg_pipeline_scratch_size(&v) * sizeof *scratch);
    sg_pipeline_apply(&v, x, before, scratch);
    assert_true(sg_pipeline_copy(&v, &copy));
    v.step[0].parameter[0][0] = 17;
    sg_pipeline_release(&v);
    sg_pipeline_apply(&copy, x, after, scratch);
    assert_memory_equal(before, after, sizeof before);
    sg_pipeline_release(&copy);
    free(scratch);
}

static void steps_know_what_is_wrong(void **state)
{
    static const struct {
        const char *name;
        double first, second;
        bool wrong;
    } cases[] = {
        {"zscore", 2.385, 1, false}, {"zscore", 0, 1e-100, false}, {"zscore", 0, 0, true},  {"zscore", 0, -1, true},
        {"zscore", 0, 1e-101, true}, {"zscore", 0, NAN, true},     {"clamp", -1, 1, false}, {"clamp", 1, 1, false},
        {"clamp", 1, -1, true},      {"clamp", NAN, 1, true},      {"pca", 0, 0, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_pipeline v = {.in = 2, .out = 2};
        sg_transform *s = sg_pipeline_append(&v, sg_transform_find(cases[i].name), 2);
        assert_non_null(s);
        for (int k = 0; k < 2; k++) {
            double value = k ? cases[i].second : cases[i].first;
            if (s->kind->count(s, k)) s->parameter[k][1] = value;
        }
        if (s->kind == &sg_transform_zscore) s->parameter[1][0] = 1;
        if ((s->kind->validate(s) != NULL) != cases[i].wrong) fail_msg("case %zu", i);
        sg_pipeline_release(&v);
    }
    assert_null(sg_transform_find("quantil"));
}

/* --- principal components --- */

enum { N = 5, COUNT = 60 };

/* Centred rows where column 3 is a combination of the first two and column 4 is nearly constant. */
static void gram_of_rows(double *x, double *gram, double last)
{
    sg_random_stream s = sg_random_stream_at(8, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    double mean[N] = {0};
    for (size_t r = 0; r < COUNT; r++) {
        double *row = x + r * N;
        for (size_t c = 0; c < N; c++) row[c] = sg_random_stream_normal(&s) * (double)(c + 1);
        row[3] = 0.5 * row[0] - 2 * row[1];
        row[4] *= last;
        for (size_t c = 0; c < N; c++) mean[c] += row[c] / COUNT;
    }
    for (size_t i = 0; i < COUNT * N; i++) x[i] -= mean[i % N];
    memset(gram, 0, N * N * sizeof *gram);
    sg_gram_add(x, NULL, COUNT, N, gram);
}

static void components_are_orthogonal_and_sorted(void **state)
{
    double x[COUNT * N], gram[N * N], z[N], scratch[2 * N], sum[N * N] = {0};
    sg_pipeline v = {.in = N, .out = N};
    (void)state;
    gram_of_rows(x, gram, 1);
    check(sg_pca_fit(gram, N, 3, &v));
    assert_true(v.out == 3 && v.steps == 1 && v.step[0].kind == &sg_transform_pca);
    for (size_t r = 0; r < COUNT; r++) {
        sg_pipeline_apply(&v, x + r * N, z, scratch);
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++) sum[i * 3 + j] += z[i] * z[j];
    }
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < i; j++) assert_close(sum[i * 3 + j], 0, 1e-10 * sum[0]);
    assert_true(sum[0] > sum[4] && sum[4] > sum[8] && sum[8] > 1);
    const double *c = v.step[0].parameter[0];
    for (size_t i = 0; i < 3; i++) {
        double norm = 0, top = 0;
        for (size_t j = 0; j < N; j++) {
            norm += c[i * N + j] * c[i * N + j];
            if (fabs(c[i * N + j]) > fabs(top)) top = c[i * N + j];
        }
        assert_close(norm, 1, 1e-13);
        assert_true(top > 0);
    }
    sg_pipeline_release(&v);
}

static void directions_without_spread_are_dropped(void **state)
{
    static const struct {
        double last;
        size_t most, kept;
    } cases[] = {{1, 5, 4}, {1, 100, 4}, {1, 2, 2}, {1e-3, 5, 4}, {1e-7, 5, 3}, {0, 5, 3}, {1, 1, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x[COUNT * N], gram[N * N];
        sg_pipeline v = {.in = N, .out = N};
        gram_of_rows(x, gram, cases[i].last);
        check(sg_pca_fit(gram, N, cases[i].most, &v));
        if (v.out != cases[i].kept) fail_msg("case %zu: %zu components", i, v.out);
        sg_pipeline_release(&v);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(moments_agree_with_the_definition),
    cmocka_unit_test(missing_cells_do_not_count),
    cmocka_unit_test(gaps_are_filled_and_opened),
    cmocka_unit_test(parts_are_merged),
    cmocka_unit_test(rows_without_weight_are_left_out),
    cmocka_unit_test(weights_have_no_scale),
    cmocka_unit_test(constants_are_exact),
    cmocka_unit_test(knows_what_is_constant),
    cmocka_unit_test(steps_follow_each_other),
    cmocka_unit_test(affine_is_apply_inside_the_box),
    cmocka_unit_test(affine_maps_are_composed),
    cmocka_unit_test(an_empty_view_changes_nothing),
    cmocka_unit_test(views_do_not_overflow),
    cmocka_unit_test(copies_stand_alone),
    cmocka_unit_test(steps_know_what_is_wrong),
    cmocka_unit_test(components_are_orthogonal_and_sorted),
    cmocka_unit_test(directions_without_spread_are_dropped),
};
TEST_GROUP(tests, NULL, NULL)
