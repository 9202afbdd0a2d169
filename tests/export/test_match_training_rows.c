/* test_match_training_rows.c: which rows the HTML report recognises as the training rows. labels: memory */
#include "test.h"

#include "export/match_training_rows.h"

enum { ROWS = 200, COLUMNS = 4 };

typedef struct rows {
    double value[ROWS][COLUMNS];
} rows;

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    memcpy(out, ((rows *)self)->value[first], n * COLUMNS * sizeof *out);
    return SG_OK;
}

static const char *level_of(void *self, size_t column, size_t i)
{
    static const char *const levels[] = {"oak", "ash", "elm"};
    (void)self;
    return column == 2 && i < 3 ? levels[i] : NULL;
}

/* Two numbers, a category and the target; some inputs are missing, and `gaps` targets. */
static sg_source source_of(rows *r, size_t gaps)
{
    static const char *const names[] = {"a", "b", "kind", "y"};
    for (size_t i = 0; i < ROWS; i++) {
        double a = (double)(i * 7919 % 997) / 997, b = (double)(i * 104729 % 883) / 883;
        const double row[] = {i % 7 == 3 ? (double)NAN : a, b, (double)(i % 3), i < gaps ? (double)NAN : 3 * a - b};
        memcpy(r->value[i], row, sizeof row);
    }
    return (sg_source){.self = r,
                       .name = "rows",
                       .rows = ROWS,
                       .columns = COLUMNS,
                       .names = names,
                       .read = read_rows,
                       .level = level_of};
}

static sg_model *model_of(const sg_source *s, const sg_source *valid, const char *settings)
{
    sg_options *o = options_of(settings);
    sg_model *m;
    check(sg_train(o, s, valid, NULL, NULL, &m));
    sg_options_free(o);
    return m;
}

static sg_rows_origin origin_of(const sg_model *m, const sg_source *s, const char *weights)
{
    sg_rows_origin origin;
    check(sg_rows_find_origin(m, s, weights, 2, &origin));
    return origin;
}

static void test_training_rows(void **state)
{
    (void)state;
    static rows r, other;
    static const char *const settings[] = {"preset=rr pca=0", "preset=additive-pairs",
                                           "preset=mbgd-rda rules=3 iters=2",
                                           "preset=mbgd-rda rules=3 iters=2 effects=a,b"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (size_t gaps = 0; gaps < 9; gaps += 5) {
            sg_source s = source_of(&r, gaps), changed = source_of(&other, gaps), few = s;
            sg_model *m = model_of(&s, NULL, settings[i]);
            assert_int_equal(origin_of(m, &s, NULL), SG_ROWS_TRAINING);
            few.rows -= 20;
            assert_int_equal(origin_of(m, &few, NULL), SG_ROWS_OTHER);
            other.value[50][0] += 1e-6;
            assert_int_equal(origin_of(m, &changed, NULL), SG_ROWS_UNKNOWN);
            sg_model_free(m);
        }
}

static void test_split(void **state)
{
    (void)state;
    static rows r;
    sg_source s = source_of(&r, 3), half = s;
    sg_model *m = model_of(&s, NULL, "preset=mbgd-rda rules=3 iters=2 seed=5 valid-fraction=0.25");
    assert_int_equal(origin_of(m, &s, NULL), SG_ROWS_SPLIT);
    sg_model_free(m);
    half.rows = ROWS / 2;
    m = model_of(&s, &half, "preset=mbgd-rda rules=3 iters=2");
    assert_int_equal(origin_of(m, &half, NULL), SG_ROWS_VALIDATION);
    assert_int_equal(origin_of(m, &s, NULL), SG_ROWS_TRAINING);
    sg_model_free(m);
}

/* Weights are part of the fingerprint. */
static void test_weights(void **state)
{
    (void)state;
    static rows r;
    sg_source s = source_of(&r, 0);
    sg_model *m = model_of(&s, NULL, "preset=mbgd-rda rules=3 iters=2 weights=b");
    assert_int_equal(origin_of(m, &s, "b"), SG_ROWS_TRAINING);
    assert_int_not_equal(origin_of(m, &s, NULL), SG_ROWS_OTHER);
    sg_model_free(m);
}

/* Training refuses values that predictions allow. */
static void test_invalid_rows(void **state)
{
    (void)state;
    static rows r;
    sg_source s = source_of(&r, 0);
    sg_model *m = model_of(&s, NULL, "preset=rr pca=0");
    r.value[3][1] = 1e150;
    assert_int_equal(origin_of(m, &s, NULL), SG_ROWS_OTHER);
    sg_model_free(m);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(sg_rows_origin_name(SG_ROWS_UNKNOWN), "unknown");
    assert_string_equal(sg_rows_origin_name(SG_ROWS_VALIDATION), "validation");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_training_rows), cmocka_unit_test(test_split),
                                          cmocka_unit_test(test_weights), cmocka_unit_test(test_invalid_rows),
                                          cmocka_unit_test(test_names)};
TEST_GROUP(tests, NULL, NULL)
