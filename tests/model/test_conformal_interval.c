/* test_conformal_interval.c: prediction intervals from errors on held-out rows. labels: memory */
#include "test.h"

#include "model/model.h"

enum { MANY = 50000 };

/* A model with `outputs` outputs and the given errors. */
static sg_model *with_errors(const double *row, size_t rows, size_t outputs)
{
    static const char *const in[] = {"u"}, *const out[] = {"y", "z"};
    sg_model *m;
    check(sg_model_new(in, 1, out, outputs, &m));
    check(sg_calibration_fit(&m->calibration, row, rows, outputs));
    return m;
}

/* Of the first output. */
static double size_at(const sg_model *m, double level)
{
    const double y[] = {100, 100};
    double lower[2], upper[2];
    check(sg_model_interval(m, level, y, 1, lower, upper));
    assert_close(y[0] - lower[0], upper[0] - y[0], 1e-9);
    return upper[0] - y[0];
}

/* Errors 1, 2, ..., n in another order. */
static sg_model *counted(size_t n, double weight)
{
    double *row = calloc(2 * n, sizeof *row);
    assert_non_null(row);
    for (size_t i = 0; i < n; i++) {
        row[2 * i] = (double)(i * 7919 % n + 1);
        row[2 * i + 1] = weight;
    }
    sg_model *m = with_errors(row, n, 1);
    free(row);
    return m;
}

/* --- Ranks --- */

static void counts_one_row_more(void **state)
{
    static const struct {
        size_t rows;
        double level, size;
    } cases[] = {{99, 0.9, 90}, {99, 0.99, 99}, {100, 0.9, 91}, {9, 0.9, 9},
                 {1, 0.5, 1},   {199, 0.3, 60}, {99, 0.001, 1}, {9999, 0.9999, 9999}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_model *m = counted(cases[i].rows, 1);
        assert_int_equal(sg_model_calibration_rows(m), cases[i].rows);
        assert_close(size_at(m, cases[i].level), cases[i].size, cases[i].rows > 100 ? 1e-3 * cases[i].size : 0);
        sg_model_free(m);
    }
}

static void too_few_rows_are_an_error(void **state)
{
    double y = 1, lower, upper;
    sg_model *m = counted(8, 1);
    (void)state;
    check_fails(sg_model_interval(m, 0.9, &y, 1, &lower, &upper), SG_EDATA,
                "at least 9 rows, but the model has the errors of only 8; ask for a level of at most 0.888");
    check_fails(sg_model_interval(m, 0.9999, &y, 1, &lower, &upper), SG_EDATA, "at least 9999 rows");
    check_fails(sg_model_interval(m, 1, &y, 1, &lower, &upper), SG_EINVAL, "above 0 and below 1, not 1");
    check_fails(sg_model_interval(m, 0, &y, 1, &lower, &upper), SG_EINVAL, "above 0");
    check_fails(sg_model_interval(m, (double)NAN, &y, 1, &lower, &upper), SG_EINVAL, "above 0");
    sg_calibration_clear_errors(&m->calibration);
    assert_int_equal(sg_model_calibration_rows(m), 0);
    check_fails(sg_model_interval(m, 0.9, &y, 1, &lower, &upper), SG_EDATA, "--intervals 10");
    sg_model_free(m);
}

/* A few hundred quantiles are enough for any level. */
static void keeps_few_of_many(void **state)
{
    static const double level[] = {0.01, 0.1, 0.3, 0.5, 0.68, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99997};
    sg_model *m = counted(MANY, 1);
    const sg_error_quantiles *e = &m->calibration.errors[0];
    (void)state;
    assert_true(e->points <= SG_ERROR_QUANTILES_MAX && e->points > 100);
    assert_true(e->rank[e->points - 1] == MANY && e->abs_error[e->points - 1] == MANY);
    for (size_t i = 0; i < sizeof level / sizeof *level; i++)
        assert_close(size_at(m, level[i]), ceil((MANY + 1) * level[i] - 1e-6), i == 0 ? 400 : 1);
    sg_model_free(m);
}

/* --- Weights --- */

static void weighs_rows(void **state)
{
    /* Half of the rows have an error of 1; the others have 2 and a ninth of the weight. */
    enum { ROWS = 400 };
    double row[2 * ROWS];
    sg_model *alike = counted(150, 0.3), *plain = counted(150, 1);
    (void)state;
    assert_true(size_at(alike, 0.9) == size_at(plain, 0.9));
    assert_int_equal(sg_model_calibration_rows(alike), 150);
    for (size_t i = 0; i < ROWS; i++) {
        row[2 * i] = i % 2 ? 1 : 2;
        row[2 * i + 1] = i % 2 ? 0.9 : 0.1;
    }
    sg_model *m = with_errors(row, ROWS, 1);
    assert_int_equal(sg_model_calibration_rows(m), 243); /* (200 * 1)^2 / (200 * 0.82) */
    assert_close(size_at(m, 0.88), 1, 0.01);
    assert_close(size_at(m, 0.92), 2, 0.01);
    sg_model_free(m);
    for (size_t i = 0; i < ROWS; i++) row[2 * i + 1] = i % 2 ? 1 : i % 4 ? 0 : (double)NAN;
    m = with_errors(row, ROWS, 1);
    assert_int_equal(sg_model_calibration_rows(m), ROWS / 2);
    assert_true(size_at(m, 0.99) == 1);
    for (size_t i = 0; i < ROWS; i++) row[2 * i + 1] = 0;
    check_fails(sg_calibration_fit(&m->calibration, row, ROWS, 1), SG_EDATA,
                "no row has both a target and a positive weight");
    assert_int_equal(sg_model_calibration_rows(m), 0);
    sg_model_free(m);
    sg_model_free(alike);
    sg_model_free(plain);
}

/* --- Outputs and limits --- */

static void each_output_has_its_own(void **state)
{
    const double row[] = {3, 10, 1, 1, 20, 1, 2, 30, 1}, y[] = {0, 0, 100, 200};
    double lower[4], upper[4];
    sg_model *m = with_errors(row, 3, 2), *copy;
    (void)state;
    check(sg_model_copy(m, &copy));
    sg_model_free(m);
    copy->clip_low[1] = -15;
    copy->clip_high[1] = 190;
    check(sg_model_interval(copy, 0.5, y, 2, lower, upper));
    const double low[] = {-2, -15, 98, 180}, high[] = {2, 20, 102, 190};
    for (size_t i = 0; i < 4; i++) assert_true(lower[i] == low[i] && upper[i] == high[i]);
    sg_model_free(copy);
}

/* --- Files --- */

static const char file[] =
    "{\"kind\": \"sugeno model\", \"format\": 1, \"inputs\": [{\"name\": \"u\", \"low\": 0, \"high\": 1, \"mean\": "
    "0.5}], "
    "\"targets\": [{\"name\": \"y\", \"mean\": 0, \"scale\": 1, \"y0\": 0}], \"antecedents_see\": [], \"blocks\": "
    "[{\"mf\": \"gauss\", "
    "\"weight\": 1, \"h\": 1, \"rank\": 0, \"mfs\": [], \"rules\": [{\"if\": [-1], \"then\": [[0, 1]]}]}], "
    "\"intervals\": {\"rows\": 19, \"errors\": [{\"ranks\": [1, 18, 19], \"sizes\": [0.25, 4.5, 5]}]}, "
    "\"covered\": {\"rows\": 19, \"log_firing\": -2.5}}";

static void files_keep_it(void **state)
{
    sg_model *m, *again;
    char *text, *twice;
    (void)state;
    check(sg_model_from_json(file, strlen(file), "m.json", &m));
    assert_int_equal(sg_model_calibration_rows(m), 19);
    assert_true(sg_model_has_support(m) && m->calibration.min_log_firing == -2.5);
    assert_close(size_at(m, 0.9), 4.5, 0);
    assert_close(size_at(m, 0.5), 0.25 + 9.0 / 17 * 4.25, 1e-12);
    check(sg_model_to_json(m, &text));
    check(sg_model_from_json(text, strlen(text), "m.json", &again));
    check(sg_model_to_json(again, &twice));
    assert_string_equal(text, twice);
    assert_close(size_at(again, 0.95), 5, 0);
    sg_string_free(text);
    sg_string_free(twice);
    sg_model_free(m);
    sg_model_free(again);
}

static void damaged_files_are_refused(void **state)
{
    static const struct {
        const char *from, *to, *says;
    } edits[] = {
        {"\"rows\": 19, \"errors\"", "\"rows\": 0, \"errors\"", "m.json: intervals.rows: expected an integer from 1"},
        {"[1, 18, 19]", "[1, 18, 20]", "m.json: intervals.errors[0].ranks[2]: expected a number from 0 to 19"},
        {"[1, 18, 19]", "[1, 18, 17]", "m.json: intervals.errors[0].ranks[2]: expected non-decreasing numbers"},
        {"[1, 18, 19]", "[-1, 18, 19]", "m.json: intervals.errors[0].ranks[0]: expected a number from 0"},
        {"[1, 18, 19]", "[1, 19]", "m.json: intervals.errors[0].sizes: expected 2 numbers, got 3"},
        {"[1, 18, 19]", "[]", "m.json: intervals.errors[0].ranks: expected 1 to 512 numbers, got 0"},
        {"[0.25, 4.5, 5]", "[0.25, 4.5, 4]", "m.json: intervals.errors[0].sizes[2]: expected non-decreasing numbers"},
        {"[0.25, 4.5, 5]", "[-0.25, 4.5, 5]", "m.json: intervals.errors[0].sizes[0]: expected a number from 0"},
        {"[0.25, 4.5, 5]", "[0.25, 4.5, 1e101]",
         "m.json: intervals.errors[0].sizes[2]: expected a magnitude of at most 1e100, got 1e+101"},
        {"\"errors\": [{", "\"errors\": [{}, {", "m.json: intervals.errors: expected 1 items, one per target, got 2"},
        {"\"sizes\"", "\"seizes\"", "m.json: intervals.errors[0].sizes is missing"},
        {"-2.5", "\"low\"", "m.json: covered.log_firing: expected a number"},
        {"\"covered\": {\"rows\": 19", "\"covered\": {\"rows\": 1.5", "m.json: covered.rows: expected an integer"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char text[2048];
        sg_model *m;
        const char *at = strstr(file, edits[i].from);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - file), file, edits[i].to, at + strlen(edits[i].from));
        check_fails(sg_model_from_json(text, strlen(text), "m.json", &m), SG_EDATA, edits[i].says);
    }
}

/* --- Trained models --- */

static sg_model *trained(const char *settings, const sg_source *rows, const sg_source *valid)
{
    sg_options *o = options_of(settings);
    sg_model *m;
    check(sg_train(o, rows, valid, NULL, NULL, &m));
    sg_options_free(o);
    return m;
}

typedef struct tally {
    const sg_model *model;
    const double *row;
    size_t columns, within, rows;
} tally;

static sg_status count_within(void *arg, size_t first, size_t rows, const double *y)
{
    tally *t = arg;
    double lower, upper;
    for (size_t i = 0; i < rows; i++) {
        double target = t->row[(first + i + 1) * t->columns - 1];
        check(sg_model_interval(t->model, 0.9, y + i, 1, &lower, &upper));
        t->within += target >= lower && target <= upper;
    }
    t->rows += rows;
    return SG_OK;
}

static double coverage(const sg_model *m, const sg_table *t)
{
    sg_source s = sg_table_source(t);
    tally in = {.model = m, .row = sg_table_values(t), .columns = s.columns};
    check(sg_model_predict_source(m, &s, 1, count_within, &in));
    return (double)in.within / (double)in.rows;
}

/* 600 errors and 3,000 rows: a standard deviation of 1.3 %. */
static void new_rows_lie_within(void **state)
{
    static const char *const settings[] = {"preset=rr intervals=10", "intervals=5 iters=200", "preset=auto budget=0.5",
                                           "preset=auto budget=0.5 intervals=3"};
    size_t cases = is_quick() ? 1 : sizeof settings / sizeof *settings;
    sg_table *rows, *others;
    (void)state;
    check(sg_table_generate("friedman", 600, 11, &rows));
    check(sg_table_generate("friedman", 3000, 12, &others));
    sg_source s = sg_table_source(rows);
    for (size_t i = 0; i < cases; i++) {
        sg_model *m = trained(settings[i], &s, NULL);
        assert_int_equal(sg_model_calibration_rows(m), 600);
        assert_close(coverage(m, others), 0.9, 0.045);
        sg_model_free(m);
    }
    sg_table_free(rows);
    sg_table_free(others);
}

/* Too few rows to search: ridge regression, which trains at once. */
static void few_rows_do(void **state)
{
    static const size_t rows[] = {30, 10, 9};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sg_table *t;
        check(sg_table_generate("mackey-glass", rows[i], 0, &t));
        sg_source s = sg_table_source(t);
        sg_model *m = trained("preset=auto", &s, NULL);
        assert_int_equal(sg_model_calibration_rows(m), rows[i] < 10 ? 0 : rows[i]);
        sg_model_free(m);
        sg_table_free(t);
    }
}

/* Also held-out rows on which an overfitted model errs. */
static void rows_used_for_nothing_else_do(void **state)
{
    sg_table *rows, *more, *others;
    (void)state;
    check(sg_table_generate("friedman", 60, 21, &rows));
    check(sg_table_generate("friedman", 500, 22, &more));
    check(sg_table_generate("friedman", 2000, 23, &others));
    sg_source s = sg_table_source(rows), t = sg_table_source(more);
    sg_model *m = trained("iters=100 rules=30 pca=0 l2=0 optim=adam rate=0.1 mf=gauss-a drop=none", &s, NULL);
    assert_int_equal(sg_model_calibration_rows(m), 0);
    check(sg_model_calibrate(m, &s, NULL));
    assert_int_equal(sg_model_calibration_rows(m), 60);
    assert_true(coverage(m, others) < 0.6);
    check(sg_model_calibrate(m, &t, NULL));
    assert_int_equal(sg_model_calibration_rows(m), 500);
    assert_close(coverage(m, others), 0.9, 0.05);
    check_fails(sg_model_calibrate(m, &t, "w"), SG_EDATA, "w");
    sg_model_free(m);
    sg_table_free(rows);
    sg_table_free(more);
    sg_table_free(others);
}

static char *text_of(const char *settings, const sg_source *rows, const sg_source *valid)
{
    char *text;
    sg_model *m = trained(settings, rows, valid);
    check(sg_model_to_json(m, &text));
    sg_model_free(m);
    return text;
}

static void threads_do_not_matter(void **state)
{
    sg_table *rows, *valid;
    (void)state;
    check(sg_table_generate("friedman", 200, 31, &rows));
    check(sg_table_generate("friedman", 100, 32, &valid));
    sg_source s = sg_table_source(rows), v = sg_table_source(valid);
    char *one = text_of("iters=60 intervals=4 threads=1", &s, &v),
         *four = text_of("iters=60 intervals=4 threads=4", &s, &v);
    assert_string_equal(one, four);
    assert_non_null(strstr(one, "\"intervals\": {\"rows\": 200"));
    sg_string_free(one);
    sg_string_free(four);
    sg_table_free(rows);
    sg_table_free(valid);
}

static int stop_at_once(void *arg, size_t done, size_t planned)
{
    (void)arg;
    (void)done;
    (void)planned;
    return 1;
}

static void stopped_it_knows_nothing(void **state)
{
    sg_table *rows;
    sg_options *o = options_of("iters=60");
    (void)state;
    check(sg_table_generate("friedman", 100, 41, &rows));
    sg_source s = sg_table_source(rows);
    sg_model *m = trained("iters=60", &s, NULL);
    check(sg_model_calibrate_folds(m, o, &s, NULL, NULL, NULL)); /* 0 folds: does nothing */
    assert_int_equal(sg_model_calibration_rows(m), 0);
    check(sg_options_set(o, "intervals", "3"));
    check(sg_model_calibrate_folds(m, o, &s, NULL, stop_at_once, NULL));
    assert_int_equal(sg_model_calibration_rows(m), 0);
    check(sg_model_calibrate_folds(m, o, &s, NULL, NULL, NULL));
    assert_int_equal(sg_model_calibration_rows(m), 100);
    check(sg_options_set(o, "intervals", "1"));
    check_fails(sg_model_calibrate_folds(m, o, &s, NULL, NULL, NULL), SG_EINVAL, "at least 2 folds");
    check(sg_options_set(o, "intervals", "60"));
    check_fails(sg_model_calibrate_folds(m, o, &s, NULL, NULL, NULL), SG_EDATA, "60 folds need at least 120 rows");
    sg_options_free(o);
    sg_model_free(m);
    sg_table_free(rows);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(counts_one_row_more),
    cmocka_unit_test(too_few_rows_are_an_error),
    cmocka_unit_test(keeps_few_of_many),
    cmocka_unit_test(weighs_rows),
    cmocka_unit_test(each_output_has_its_own),
    cmocka_unit_test(files_keep_it),
    cmocka_unit_test(damaged_files_are_refused),
    cmocka_unit_test(new_rows_lie_within),
    cmocka_unit_test(few_rows_do),
    cmocka_unit_test(rows_used_for_nothing_else_do),
    cmocka_unit_test(threads_do_not_matter),
    cmocka_unit_test(stopped_it_knows_nothing),
};
TEST_GROUP(tests, NULL, NULL)
