/* test_cv.c: cross-validation: no model predicts rows that it was trained on, nor rows of their groups, nor, if rows
 * are ordered, earlier rows. labels: threads */
#include "test.h"

#include <stdbool.h>

/* Inputs a, b and the category kind; a categorical group column and targets y and z, all with missing values. */
enum { ROWS = 400, COLUMNS = 6, MOST = 70000, K = 4 };
enum { A, B, KIND, GROUP, Y, Z };
static const char *const names[] = {"a", "b", "kind", "who", "y", "z"};
static const char *const kinds[] = {"red", "green", "blue"};

typedef struct field {
    double row[ROWS][COLUMNS];
} field;

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const field *f = self;
    memcpy(out, f->row[first], n * sizeof *f->row);
    return SG_OK;
}

static const char *level_of(void *self, size_t column, size_t i)
{
    (void)self;
    if (column == KIND) return i < 3 ? kinds[i] : NULL;
    return column == GROUP && i < 23 ? &"who is who, and who is not"[i] : NULL;
}

static sg_source make_rows(field *f)
{
    for (size_t r = 0; r < ROWS; r++) {
        double a = (double)(r * 37 % 101) / 10, b = (double)(r * 53 % 89) / 9;
        size_t kind = r / 2 % 3, who = r * 7 % 23;
        double cells[] = {a,
                          b,
                          (double)kind,
                          r % 50 == 3 ? (double)NAN : (double)who,
                          a * b / 4 + 3 * (double)kind + (double)who / 5,
                          sin(a) - b};
        memcpy(f->row[r], cells, sizeof cells);
        if (r % 29 == 11) f->row[r][r % 2 ? Y : Z] = NAN;
    }
    return (sg_source){.self = f,
                       .name = "field",
                       .rows = ROWS,
                       .columns = COLUMNS,
                       .names = names,
                       .read = read_rows,
                       .level = level_of};
}

/* --- out-of-fold predictions --- */

typedef struct oof_predictions {
    size_t n, row[MOST], fold[MOST];
    double target[MOST][2], seen[MOST][2];
    size_t outputs;
    size_t stop_after, fail_at;
} oof_predictions;

static sg_status store_prediction(void *arg, size_t row, size_t fold, const double *targets, const double *predictions)
{
    oof_predictions *k = arg;
    if (k->fail_at && k->n == k->fail_at) {
        sg_set_errmsg("no more");
        return SG_EIO;
    }
    k->row[k->n] = row;
    k->fold[k->n] = fold;
    memcpy(k->target[k->n], targets, k->outputs * sizeof *targets);
    memcpy(k->seen[k->n++], predictions, k->outputs * sizeof *predictions);
    return SG_OK;
}

static int stop(void *arg, size_t done, size_t planned)
{
    const oof_predictions *k = arg;
    (void)planned;
    return k->stop_after && done >= k->stop_after;
}

static void validate(const char *settings, const sg_source *rows, bool ordered, oof_predictions *k, sg_metrics *metrics,
                     size_t expected)
{
    sg_options *o = options_of(settings);
    sg_cv_options how = {.folds = K, .ordered = ordered, .stop = stop, .on_out_of_fold = store_prediction, .arg = k};
    size_t finished;
    k->n = 0;
    check(sg_target_count(o, rows, &k->outputs));
    check(sg_cross_validate(o, rows, &how, metrics, &finished));
    assert_int_equal(finished, expected);
    sg_options_free(o);
}

static bool is_incomplete(const field *f, size_t row) { return isnan(f->row[row][Y]) || isnan(f->row[row][Z]); }

/* --- reference --- */

static sg_status copy_predictions(void *arg, size_t first, size_t rows, const double *y)
{
    memcpy((double *)arg + 2 * first, y, 2 * rows * sizeof *y);
    return SG_OK;
}

/* Trains on the rows of the other folds (ordered: of earlier folds), and compares predictions of this one. */
static void compare_with_reference(const char *settings, const sg_source *rows, const field *f,
                                   const oof_predictions *k, size_t fold, bool ordered)
{
    static size_t in[ROWS], out[ROWS];
    static double y[ROWS][2];
    size_t inside = 0, outside = 0, at[ROWS];
    sg_options *o = options_of(settings);
    sg_subset *train, *test;
    sg_trainer *t;
    sg_progress p;
    sg_model *m;
    for (size_t i = 0; i < k->n; i++)
        if (k->fold[i] == fold) {
            at[outside] = i;
            out[outside++] = k->row[i];
        }
    for (size_t r = 0, i = 0; r < ROWS; r++) {
        bool predicted = i < k->n && k->row[i] == r;
        bool held = predicted && k->fold[i] == fold;
        i += predicted;
        if (!is_incomplete(f, r) && (ordered ? r < out[0] : !held)) in[inside++] = r;
    }
    check(sg_subset_new(rows, in, inside, &train));
    check(sg_subset_new(rows, out, outside, &test));
    sg_source known = sg_subset_source(train), asked = sg_subset_source(test);
    check(sg_trainer_new(o, &known, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &m));
    check(sg_model_predict_source(m, &asked, 1, copy_predictions, y));
    for (size_t i = 0; i < outside; i++) assert_memory_equal(y[i], k->seen[at[i]], sizeof *y);
    sg_model_free(m);
    sg_trainer_free(t);
    sg_subset_free(test);
    sg_subset_free(train);
    sg_options_free(o);
}

/* The metrics agree with the predictions. */
static void check_metrics(const oof_predictions *k, const sg_metrics *metrics)
{
    double squares[K][2] = {{0}};
    size_t n[K] = {0};
    for (size_t i = 0; i < k->n; i++) {
        n[k->fold[i]]++;
        for (size_t o = 0; o < 2; o++) squares[k->fold[i]][o] += pow(k->seen[i][o] - k->target[i][o], 2);
    }
    for (size_t i = 0; i < K; i++)
        for (size_t o = 0; o < 2; o++) {
            assert_int_equal(metrics[2 * i + o].rows, n[i]);
            assert_close(metrics[2 * i + o].rmse, sqrt(squares[i][o] / (double)n[i]), 1e-12);
        }
}

static oof_predictions oof, again;

static void check_folds(const char *settings, bool ordered, size_t passed_over)
{
    static field f;
    sg_source rows = make_rows(&f);
    sg_metrics metrics[2 * K];
    size_t usable = 0;
    for (size_t r = 0; r < ROWS; r++) usable += !is_incomplete(&f, r);
    validate(settings, &rows, ordered, &oof, metrics, K);
    assert_int_equal(oof.n, usable - passed_over);
    for (size_t i = 0; i < oof.n; i++) {
        size_t r = oof.row[i];
        assert_true(r < ROWS && !is_incomplete(&f, r) && (i == 0 || r > oof.row[i - 1]));
        assert_true(oof.target[i][0] == f.row[r][Y] && oof.target[i][1] == f.row[r][Z]);
    }
    check_metrics(&oof, metrics);
    for (size_t i = 0; i < K; i++) compare_with_reference(settings, &rows, &f, &oof, i, ordered);
}

#define SETTINGS "targets=y,z iters=6 rules=5 pca=0 threads=1 "

static void random_folds(void **state)
{
    (void)state;
    check_folds(SETTINGS "ignore=who seed=3", false, 0);
}

static void groups_stay_together(void **state)
{
    size_t fold[24];
    (void)state;
    check_folds(SETTINGS "group=who seed=3", false, 0);
    for (size_t i = 0; i < 24; i++) fold[i] = K;
    static field f;
    make_rows(&f);
    for (size_t i = 0; i < oof.n; i++) {
        double who = f.row[oof.row[i]][GROUP];
        size_t *of = &fold[isnan(who) ? 23 : (size_t)who];
        assert_true(*of == K || *of == oof.fold[i]);
        *of = oof.fold[i];
    }
}

static void ordered_folds(void **state)
{
    (void)state;
    check_folds(SETTINGS "ignore=who", true, 386 / (K + 1));
}

/* --- threads and chunks --- */

static void threads_do_not_change_results(void **state)
{
    static const char *const runs[] = {"group=who", "group=who threads=3", "group=who threads=2 memory=1MB"};
    static field f;
    sg_source rows = make_rows(&f);
    sg_metrics first[2 * K], metrics[2 * K];
    char settings[128];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        snprintf(settings, sizeof settings, SETTINGS "%s", runs[i]);
        validate(settings, &rows, false, i ? &again : &oof, i ? metrics : first, K);
        if (i) assert_memory_equal(metrics, first, sizeof first);
        if (i) assert_memory_equal(&again, &oof, sizeof again);
    }
}

/* More rows than a chunk. */
static void many_rows(void **state)
{
    sg_table *t;
    sg_metrics metrics[K];
    double squares = 0, expected = 0;
    (void)state;
    check(sg_table_generate("friedman", MOST, 1, &t));
    sg_source rows = sg_table_source(t);
    validate("preset=rr threads=2", &rows, false, &oof, metrics, K);
    assert_int_equal(oof.n, MOST);
    for (size_t i = 0; i < MOST; i++) {
        assert_int_equal(oof.row[i], i);
        assert_true(oof.target[i][0] == sg_table_values(t)[i * 11 + 10]);
        squares += pow(oof.target[i][0] - oof.seen[i][0], 2);
    }
    for (size_t i = 0; i < K; i++) expected += metrics[i].rmse * metrics[i].rmse * (double)metrics[i].rows;
    assert_close(squares / expected, 1, 1e-12);
    sg_table_free(t);
}

/* --- cancellation and errors --- */

static void stops_when_cancelled(void **state)
{
    static field f;
    sg_source rows = make_rows(&f);
    sg_metrics metrics[2 * K];
    (void)state;
    oof.stop_after = 14; /* in the third fold */
    validate(SETTINGS "group=who", &rows, false, &oof, metrics, 2);
    assert_int_equal(oof.n, metrics[0].rows + metrics[2].rows);
    for (size_t i = 0; i < oof.n; i++) assert_true(oof.fold[i] < 2);
    oof.stop_after = 1;
    validate(SETTINGS "group=who", &rows, false, &oof, metrics, 0);
    assert_int_equal(oof.n, 0);
    oof.stop_after = 0;
}

static void store_notice(void *arg, const char *sentence) { snprintf(arg, 256, "%s", sentence); }

static void rejects_bad_options(void **state)
{
    static field f;
    static const struct {
        const char *settings;
        int ordered;
        sg_status status;
        const char *sentence;
    } cases[] = {
        {"group=who", 1, SG_EINVAL, "--group cannot be combined with --ordered"},
        {"group=kind", 0, SG_EDATA, "field: 4 folds need at least 4 different groups in column \"kind\", found 3"},
        {"group=whose", 0, SG_EDATA, "there is no column \"whose\""},
        {"group=who ignore=who", 0, SG_EINVAL,
         "column \"who\" is given two roles by --targets, --ignore, --group or --weights"},
        {"group=a weights=a", 0, SG_EINVAL,
         "column \"a\" is given two roles by --targets, --ignore, --group or --weights"},
        {"group=y targets=y", 0, SG_EINVAL,
         "column \"y\" is given two roles by --targets, --ignore, --group or --weights"},
    };
    sg_source rows = make_rows(&f), few = rows;
    sg_metrics metrics[2 * K];
    size_t finished;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_options *o = options_of(cases[i].settings);
        sg_cv_options how = {.folds = K, .ordered = cases[i].ordered};
        check_fails(sg_cross_validate(o, &rows, &how, metrics, &finished), cases[i].status, cases[i].sentence);
        assert_int_equal(finished, 0);
        sg_options_free(o);
    }
    sg_options *o = options_of("ignore=who");
    few.rows = 9;
    check_fails(sg_cross_validate(o, &few, &(sg_cv_options){.folds = K, .ordered = 1}, metrics, &finished), SG_EDATA,
                "field: 4 folds need at least 10 rows, but there are 9");
    check_fails(sg_cross_validate(o, &rows, &(sg_cv_options){.folds = 1}, metrics, &finished), SG_EDATA,
                "1 folds need at least 4 rows");
    oof.fail_at = 100;
    oof.n = 0;
    check_fails(sg_cross_validate(o, &rows,
                                  &(sg_cv_options){.folds = K, .on_out_of_fold = store_prediction, .arg = &oof},
                                  metrics, &finished),
                SG_EIO, "no more");
    oof.fail_at = 0;
    sg_options_free(o);
}

/* Rows without a group form one group, with a notice; the group column is not an input, also in training. */
static void group_is_not_an_input(void **state)
{
    static field f;
    char said[256] = "";
    const char *target;
    sg_source rows = make_rows(&f);
    sg_options *o = options_of("targets=z,y iters=1 group=who");
    sg_metrics metrics[2 * K];
    size_t finished;
    sg_trainer *t;
    (void)state;
    for (size_t r = 0; r < ROWS; r++) f.row[r][Y] = f.row[r][Z] = (double)(r % 5);
    sg_options_on_notice(o, store_notice, said);
    check(sg_cross_validate(o, &rows, &(sg_cv_options){.folds = K}, metrics, &finished));
    assert_string_equal(said, "8 rows without a value in column \"who\" form one group");
    check(sg_trainer_new(o, &rows, NULL, &t));
    const sg_model *m = sg_trainer_current(t);
    assert_int_equal(sg_model_inputs(m), 3);
    for (size_t i = 0; i < 3; i++) assert_string_equal(sg_model_input_name(m, i), names[i]);
    sg_trainer_free(t);
    check(sg_target_name(o, &rows, 0, &target));
    assert_string_equal(target, "z");
    check_fails(sg_target_name(o, &rows, 2, &target), SG_EINVAL, "there is no target 3; the number of targets is 2");
    sg_options_free(o);
    o = options_of("group=z");
    check(sg_target_name(o, &rows, 0, &target)); /* the last remaining column */
    assert_string_equal(target, "y");
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_folds),        cmocka_unit_test(groups_stay_together),
    cmocka_unit_test(ordered_folds),       cmocka_unit_test(threads_do_not_change_results),
    cmocka_unit_test(many_rows),           cmocka_unit_test(stops_when_cancelled),
    cmocka_unit_test(rejects_bad_options), cmocka_unit_test(group_is_not_an_input),
};
TEST_GROUP(tests, NULL, NULL)
