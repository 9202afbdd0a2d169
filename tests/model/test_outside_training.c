/* test_outside_training.c: detection of rows outside the training region, and of the responsible input. labels: memory
 */
#include "test.h"

#include "model/outside_training.h"

enum { INPUTS = 2, ROWS = 300 };

static const char *const names[] = {"u", "v", "y"};

/* u and v from -10 to 10; `view` is the pipeline of the conditions. */
static sg_model *by_hand(const char *view, const char *rules, const char *covered)
{
    char text[2048];
    sg_model *m;
    snprintf(text, sizeof text,
             "{\"kind\": \"sugeno model\", \"format\": 1, \"inputs\": [{\"name\": \"u\", \"low\": -10, \"high\": 10, "
             "\"mean\": 0}, "
             "{\"name\": \"v\", \"low\": -10, \"high\": 10, \"mean\": 0}], \"targets\": [{\"name\": \"y\", \"mean\": "
             "0, \"scale\": 1, \"y0\": 0}], "
             "\"antecedents_see\": [%s], \"blocks\": [%s]%s}",
             view, rules, covered);
    check(sg_model_from_json(text, strlen(text), "m.json", &m));
    return m;
}

/* Blocks: about (2, 2) and (8, 8) with sigma 1; about (0, 0), narrow along the second; anything. */
#define TWO                                                                                                            \
    "{\"mf\": \"gauss\", \"weight\": 1, \"h\": 1, \"rank\": 0, \"mfs\": [{\"input\": 0, \"c\": 2, \"sigma\": 1}, "     \
    "{\"input\": 1, \"c\": 2, "                                                                                        \
    "\"sigma\": 1}, {\"input\": 0, \"c\": 8, \"sigma\": 1}, {\"input\": 1, \"c\": 8, \"sigma\": 1}], \"rules\": "      \
    "[{\"if\": [0, 1], \"then\": "                                                                                     \
    "[[0, 0, 0]]}, {\"if\": [2, 3], \"then\": [[0, 0, 0]]}]}"
#define NARROW                                                                                                         \
    "{\"mf\": \"gauss\", \"weight\": 1, \"h\": 1, \"rank\": 0, \"mfs\": [{\"input\": 0, \"c\": 0, \"sigma\": 1}, "     \
    "{\"input\": 1, \"c\": 0, "                                                                                        \
    "\"sigma\": 0.1}], \"rules\": [{\"if\": [0, 1], \"then\": [[0, 0, 0]]}]}"
#define ANY                                                                                                            \
    "{\"mf\": \"gauss\", \"weight\": 3, \"h\": 1, \"rank\": 0, \"mfs\": [], \"rules\": [{\"if\": [-1, -1], \"then\": " \
    "[[0, 0, 0]]}]}"
#define COVERED ", \"covered\": {\"rows\": 100, \"log_firing\": -4}"

static void expect(const sg_model *m, double u, double v, const char *outside)
{
    sg_reference_eval l;
    double mark[INPUTS], scratch[INPUTS];
    char got[INPUTS + 1] = "";
    check(sg_reference_eval_init(&l, m));
    sg_support_mark_outside(&l, (double[]){u, v}, scratch, mark);
    for (size_t i = 0; i < INPUTS; i++)
        if (mark[i] == 1) strcat(got, names[i]);
        else assert_true(mark[i] == 0);
    if (strcmp(got, outside) != 0) fail_msg("(%g, %g): <%s>, not <%s>", u, v, got, outside);
    sg_reference_eval_release(&l);
}

static void names_the_input(void **state)
{
    sg_model *m = by_hand("", TWO, COVERED);
    (void)state;
    expect(m, 2, 2, "");
    expect(m, 8.5, 7, "");
    expect(m, 2, 4.8, "");  /* -3.92 */
    expect(m, 2, 4.9, "v"); /* -4.2  */
    expect(m, 2, 7.5, "v"); /* without v the first rule fires most */
    expect(m, 7.5, 2, "u");
    expect(m, 10.5, 8, "u"); /* -3.1, but beyond its range */
    expect(m, -11, 1e300, "uv");
    expect(m, (double)NAN, 5, "v"); /* -4.5 */
    expect(m, (double)NAN, 4, "");
    expect(m, (double)NAN, (double)NAN, "");
    sg_model_free(m);
}

static void ranges_alone_where_nobody_looked(void **state)
{
    sg_model *m = by_hand("", TWO, "");
    (void)state;
    assert_false(sg_model_has_support(m));
    expect(m, 2, 7.5, "");
    expect(m, 2, 10.5, "v");
    sg_model_free(m);
}

static void sees_through_components(void **state)
{
    sg_model *m = by_hand("{\"step\": \"pca\", \"components\": [[0.6, 0.8], [0.8, -0.6]]}", NARROW, COVERED);
    (void)state;
    expect(m, 0.6, 0.8, "");   /* (1, 0)  */
    expect(m, 1.6, -1.2, "u"); /* (0, 2): without u 0.72 */
    expect(m, 1.2, -1.6, "v"); /* without u (-1.28, 0.96), without v (0.72, 0.96) */
    sg_model_free(m);
}

static void blocks_count_as_they_weigh(void **state)
{
    sg_model *m = by_hand("", TWO ", " ANY, COVERED);
    sg_reference_eval l;
    (void)state;
    check(sg_reference_eval_init(&l, m));
    assert_close(sg_support_log_firing(&l, (double[]){2, 4}), -2.0 / 4, 1e-12); /* 0 three times, -2 once */
    sg_reference_eval_release(&l);
    sg_model_free(m);
}

/* --- Trained models --- */

static double cell(size_t row, size_t column)
{
    double t = (double)row / (ROWS - 1);
    return column == 0 ? t : column == 1 ? t + 0.02 * sin((double)row) : t * t;
}

static sg_table *diagonal(void)
{
    double x[ROWS * 3];
    sg_table *t;
    for (size_t i = 0; i < ROWS * 3; i++) x[i] = cell(i / 3, i % 3);
    check(sg_table_new(names, 3, x, ROWS, &t));
    return t;
}

typedef struct marked {
    size_t rows, outside, u, v;
} marked;

static sg_status count(void *arg, size_t first, size_t rows, const double *y)
{
    marked *m = arg;
    (void)first;
    for (size_t i = 0; i < rows; i++, y += 3) {
        assert_true(isfinite(y[0]));
        m->outside += y[1] > 0 || y[2] > 0;
        m->u += y[1] > 0;
        m->v += y[2] > 0;
    }
    m->rows += rows;
    return SG_OK;
}

/* Rows off the diagonal are within all ranges but far from all rules. */
static void finds_what_was_never_seen_together(void **state)
{
    static const char *const settings[] = {"rules=8 pca=0 iters=50",
                                           "rules=8 pca=0 iters=50 limit=range",
                                           "rules=8 pca=0 iters=50 mf=gauss-a low-rank=2",
                                           "rules=8 pca=1 iters=50",
                                           "preset=rr",
                                           "mfs=4 pca=0 iters=50 mf=tri"};
    const double off[] = {0.05, 0.95, 0, 0.95, 0.05, 0, 7, 0.5, 0};
    sg_table *t = diagonal(), *others;
    sg_source s = sg_table_source(t);
    (void)state;
    check(sg_table_new(names, 3, off, 3, &others));
    sg_source o = sg_table_source(others);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sg_options *options = options_of(settings[i]);
        marked in = {0}, out = {0};
        sg_model *m;
        check(sg_train(options, &s, NULL, NULL, NULL, &m));
        assert_true(sg_model_has_support(m));
        check(sg_model_predict_ood(m, &s, 2, count, &in));
        check(sg_model_predict_ood(m, &o, 2, count, &out));
        assert_int_equal(in.rows, ROWS);
        assert_int_equal(in.outside, 0);
        assert_true(out.u >= 1);
        if (i < 3) assert_int_equal(out.outside, 3); /* a grid and a linear model cover everything */
        sg_model_free(m);
        sg_options_free(options);
    }
    sg_table_free(t);
    sg_table_free(others);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_the_input),
    cmocka_unit_test(ranges_alone_where_nobody_looked),
    cmocka_unit_test(sees_through_components),
    cmocka_unit_test(blocks_count_as_they_weigh),
    cmocka_unit_test(finds_what_was_never_seen_together),
};
TEST_GROUP(tests, NULL, NULL)
