/* test_categorical_inputs.c: training and prediction with categories equal hand-made one-hot columns, bit by
 * bit. labels: memory */
#include "test.h"

#include "base/random/random.h"
#include "model/model.h"

#include <unistd.h>

enum { ROWS = 240, WIDTH = 5 };

/* Columns a, sex, b, w, y; sex is a code of `word`, or a plain number if word is NULL. */
typedef struct herd {
    const char *const *word;
    double row[ROWS][WIDTH];
} herd;

static const char *const names[] = {"a", "sex", "b", "w", "y"};

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const herd *h = self;
    memcpy(out, h->row[first], n * sizeof h->row[0]);
    return SG_OK;
}

static const char *level(void *self, size_t column, size_t i)
{
    const herd *h = self;
    return column == 1 && h->word ? h->word[i] : NULL;
}

static sg_source source_of(herd *h)
{
    return (sg_source){
        .self = h, .name = "herd", .rows = ROWS, .columns = WIDTH, .names = names, .read = read_rows, .level = level};
}

/* Fills the rows. `which` has the codes of the three levels of sex. */
static void fill(herd *h, const char *const *word, const double which[3])
{
    static const double effect[] = {3.1, -2.7, 0.4};
    h->word = word;
    for (size_t i = 0; i < ROWS; i++) {
        sg_random_stream s = sg_random_stream_at(5, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        size_t sex = (size_t)sg_random_stream_below(&s, 3);
        double a = sg_random_stream_normal(&s), b = sg_random_stream_normal(&s) * 7;
        double *row = h->row[i];
        row[0] = a;
        row[1] = which[sex];
        row[2] = b;
        row[3] = (double)(i % 4);
        row[4] = a * effect[sex] + 0.1 * b + effect[2 - sex];
    }
}

static const char *const fim[] = {"F", "I", "M", NULL};
static const double plain[] = {0, 1, 2};

/* Returns the same rows with one-hot columns for the codes 0, 1, 2 instead of sex. */
static sg_table *by_hand(const herd *h)
{
    static const char *const hand[] = {"a", "F", "I", "M", "b", "w", "y"};
    double *x = calloc(ROWS, 7 * sizeof *x);
    sg_table *t;
    for (size_t i = 0; i < ROWS; i++) {
        const double *from = h->row[i];
        double *to = x + 7 * i;
        to[0] = from[0];
        for (size_t k = 0; k < 3; k++) to[1 + k] = isnan(from[1]) ? (double)NAN : from[1] == (double)k;
        memcpy(to + 4, from + 2, 3 * sizeof *to);
    }
    check(sg_table_new(hand, 7, x, ROWS, &t));
    free(x);
    return t;
}

static sg_model *train(const char *settings, const sg_source *rows, const sg_source *valid)
{
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_model *m;
    sg_progress p;
    check(sg_trainer_new(o, rows, valid, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &m));
    sg_trainer_free(t);
    sg_options_free(o);
    return m;
}

static void assert_same_numbers(const sg_model *m, const sg_model *n)
{
    assert_int_equal(m->parameters, n->parameters);
    assert_memory_equal(m->theta, n->theta, m->parameters * sizeof *m->theta);
    assert_memory_equal(m->feature_mean, n->feature_mean, m->features * sizeof *m->feature_mean);
}

static void assert_same_text(const sg_model *m, const sg_model *n)
{
    char *a, *b;
    check(sg_model_to_json(m, &a));
    check(sg_model_to_json(n, &b));
    assert_string_equal(a, b);
    sg_string_free(a);
    sg_string_free(b);
}

static const char *const kinds[] = {"pca=0 mfs=2 iters=30 ignore=w",
                                    "rules=4 pca=0 iters=30 ignore=w",
                                    "iters=30 ignore=w pca=3",
                                    "iters=30 ignore=w pca=0 mf=tri scale=none rate=0.001",
                                    "rules=3 pca=0 iters=30 weights=w",
                                    "preset=anfis-gd-lse-r pca=0 iters=3 ignore=w",
                                    "preset=rr pca=0 ignore=w",
                                    "rules=4 pca=0 iters=30 ignore=w valid-fraction=0.25",
                                    "rules=4 pca=0 iters=30 weights=w scale=quantile start=ridge noise=0.1 refit=0.1",
                                    "rules=4 pca=0 iters=30 ignore=w centres=tree"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* missing: every seventh value of sex is missing. */
static void same_as_by_hand(bool missing)
{
    static herd h;
    fill(&h, fim, plain);
    for (size_t i = 0; missing && i < ROWS; i += 7) h.row[i][1] = NAN;
    sg_source rows = source_of(&h);
    sg_table *t = by_hand(&h);
    sg_source hand = sg_table_source(t);
    for (size_t i = 0; i < KINDS; i++) {
        sg_metrics a, b;
        sg_model *m = train(kinds[i], &rows, NULL), *n = train(kinds[i], &hand, NULL);
        assert_same_numbers(m, n);
        check(sg_model_evaluate(m, &rows, NULL, 2, &a));
        check(sg_model_evaluate(n, &hand, NULL, 2, &b));
        assert_memory_equal(&a, &b, sizeof a);
        sg_model_free(m);
        sg_model_free(n);
    }
    sg_table_free(t);
}

static void trains_as_on_columns_by_hand(void **state)
{
    (void)state;
    same_as_by_hand(false);
    same_as_by_hand(true);
}

static void codes_have_no_order(void **state)
{
    static const char *const mixed[] = {"M", "never", "F", "I", NULL};
    static herd h, other;
    (void)state;
    fill(&h, fim, plain);
    fill(&other, mixed, (const double[]){2, 3, 0});
    sg_source rows = source_of(&h), others = source_of(&other);
    sg_model *m = train(kinds[1], &rows, NULL), *n = train(kinds[1], &others, NULL);
    assert_same_text(m, n);
    sg_model_free(m);
    sg_model_free(n);
}

static void numbers_are_levels_by_value(void **state)
{
    static const char *const texts[] = {"7", "-1.5", "40", NULL};
    static herd words, numbers;
    (void)state;
    fill(&words, texts, (const double[]){1, 0, 2});
    fill(&numbers, NULL, (const double[]){-1.5, 7, 40});
    sg_source rows = source_of(&words), others = source_of(&numbers);
    sg_model *m = train(kinds[1], &rows, NULL);
    sg_model *n = train("rules=4 pca=0 iters=30 ignore=w categorical=sex", &others, NULL);
    assert_same_text(m, n);
    assert_string_equal(sg_model_level(n, 1, 0), "-1.5");
    sg_metrics a, b; /* a model with text levels on numeric data */
    check(sg_model_evaluate(m, &rows, NULL, 1, &a));
    check(sg_model_evaluate(m, &others, NULL, 1, &b));
    assert_memory_equal(&a, &b, sizeof a);
    sg_model_free(m);
    sg_model_free(n);
}

static void tells_its_inputs(void **state)
{
    static herd h;
    (void)state;
    fill(&h, fim, plain);
    sg_source rows = source_of(&h);
    sg_model *m = train(kinds[0], &rows, NULL);
    assert_int_equal(sg_model_inputs(m), 3);
    assert_string_equal(sg_model_input_name(m, 1), "sex");
    assert_string_equal(sg_model_input_name(m, 2), "b");
    assert_null(sg_model_input_name(m, 3));
    assert_int_equal(sg_model_levels(m, 0), 0);
    assert_int_equal(sg_model_levels(m, 1), 3);
    assert_string_equal(sg_model_level(m, 1, 2), "M");
    assert_null(sg_model_level(m, 1, 3));
    assert_null(sg_model_level(m, 0, 0));
    assert_int_equal(sg_model_levels(m, 3), 0);
    sg_model_free(m);
}

/* Single rows, predictors and explanations take level numbers and equal hand-made features. */
static void predicts_rows(void **state)
{
    enum { N = 300 };
    static herd h;
    static double x[N][3], f[N][5], y[N], z[N], v[N][5], w[N][5];
    sg_predictor *p;
    (void)state;
    fill(&h, fim, plain);
    sg_source rows = source_of(&h);
    sg_table *t = by_hand(&h);
    sg_source hand = sg_table_source(t);
    sg_model *m = train(kinds[1], &rows, NULL), *n = train(kinds[1], &hand, NULL);
    for (size_t i = 0; i < N; i++) {
        double sex = i % 6 == 5 ? (double)NAN : (double)(i % 6) - 1, a = (double)i / 100 - 1.5;
        x[i][0] = f[i][0] = a;
        x[i][1] = sex; /* -1 and 3 are unseen levels */
        x[i][2] = f[i][4] = -a;
        for (size_t k = 0; k < 3; k++) f[i][1 + k] = isnan(sex) ? (double)NAN : sex == (double)k;
    }
    check(sg_model_predict(m, x[0], N, y));
    check(sg_model_predict(n, f[0], N, z));
    assert_memory_equal(y, z, sizeof y);
    check(sg_predictor_new(m, "f64", 2, &p));
    memset(z, 0, sizeof z);
    check(sg_predictor_run(p, x[0], N, z));
    assert_memory_equal(y, z, sizeof y);
    sg_predictor_free(p);
    check(sg_model_transform(m, x[0], N, v[0]));
    check(sg_model_transform(n, f[0], N, w[0]));
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < 5; k++) assert_true(v[i][k] == w[i][k] || (isnan(v[i][k]) && isnan(w[i][k])));
    sg_model_free(m);
    sg_model_free(n);
    sg_table_free(t);
}

/* --- messages --- */

static void remember(void *arg, const char *sentence) { snprintf(arg, 256, "%s", sentence); }

static void says_what_was_not_seen(void **state)
{
    static const char *const more[] = {"I", "X", "F", "Y", "M", "unused", NULL};
    static herd h, other;
    char said[256] = "";
    (void)state;
    fill(&h, fim, plain);
    fill(&other, more, (const double[]){2, 0, 4});
    other.row[3][1] = other.row[9][1] = 1;
    other.row[5][1] = 3;
    sg_source rows = source_of(&h), valid = source_of(&other);
    sg_options *o = options_of("rules=4 pca=0 iters=2 ignore=w");
    sg_options_on_notice(o, remember, said);
    sg_trainer *t;
    check(sg_trainer_new(o, &rows, &valid, &t));
    assert_string_equal(said, "3 values of \"sex\" (X, Y) in the validation rows were not seen in training: "
                              "they are treated as unknown levels");
    sg_trainer_free(t);
    sg_options_free(o);
}

static void leaves_constant_categories_out(void **state)
{
    static herd h;
    char said[256] = "";
    (void)state;
    for (size_t missing = 0; missing < 2; missing++) {
        fill(&h, fim, (const double[]){1, 1, 1});
        for (size_t i = 0; missing && i < ROWS; i++) h.row[i][1] = NAN;
        sg_source rows = source_of(&h);
        sg_options *o = options_of("pca=0 iters=2 ignore=w");
        sg_options_on_notice(o, remember, said);
        sg_trainer *t;
        check(sg_trainer_new(o, &rows, NULL, &t));
        assert_string_equal(said, missing ? "column \"sex\" has no values, so the model does not use it"
                                          : "column \"sex\" is constant, so the model does not use it");
        assert_int_equal(sg_model_inputs(sg_trainer_current(t)), 2);
        assert_null(sg_trainer_current(t)->encoder);
        sg_trainer_free(t);
        sg_options_free(o);
    }
}

static void refuses(void **state)
{
    static const struct {
        const char *settings, *sentence;
        sg_status st;
    } cases[] = {
        {"targets=sex", "herd: column \"sex\" contains text; expected numbers", SG_EDATA},
        {"weights=sex", "herd: column \"sex\" contains text; expected numbers", SG_EDATA},
        {"targets=y categorical=y", "column \"y\" is named by --categorical", SG_EINVAL},
        {"weights=w categorical=w", "column \"w\" is named by --categorical", SG_EINVAL},
        {"categorical=nobody", "there is no column \"nobody\"", SG_EDATA},
    };
    static herd h;
    sg_trainer *t;
    (void)state;
    fill(&h, fim, plain);
    sg_source rows = source_of(&h);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_options *o = options_of(cases[i].settings);
        check_fails(sg_trainer_new(o, &rows, NULL, &t), cases[i].st, cases[i].sentence);
        sg_options_free(o);
    }
    h.row[17][1] = 3;
    sg_options *o = options_of("");
    check_fails(sg_trainer_new(o, &rows, NULL, &t), SG_EDATA,
                "categorical column \"sex\" contains 3, which is not a level index");
    sg_options_free(o);
}

static void refuses_words_for_numbers(void **state)
{
    static herd numbers, words;
    sg_metrics metrics;
    (void)state;
    fill(&numbers, NULL, plain);
    fill(&words, fim, plain);
    sg_source rows = source_of(&numbers), others = source_of(&words);
    sg_model *m = train(kinds[1], &rows, NULL);
    check_fails(sg_model_evaluate(m, &others, NULL, 1, &metrics), SG_EDATA,
                "column \"sex\" holds text (\"F\"); expected numbers");
    sg_model_free(m);
}

/* The default target is the last numeric column. */
static void passes_words_by(void **state)
{
    static const char *const last[] = {"a", "y", "b", "w", "sex"};
    static herd h;
    (void)state;
    fill(&h, fim, plain);
    sg_source rows = source_of(&h);
    rows.names = last; /* column 1, the categorical one, is named "y" */
    rows.columns = WIDTH;
    sg_options *o = options_of("ignore=w,sex pca=0 iters=2");
    size_t targets;
    sg_trainer *t;
    check(sg_target_count(o, &rows, &targets));
    assert_int_equal(targets, 1);
    check(sg_trainer_new(o, &rows, NULL, &t));
    assert_string_equal(sg_model_output_name(sg_trainer_current(t), 0), "b");
    sg_trainer_free(t);
    sg_options_free(o);
}

/* --- weights, pools, folds, checkpoints --- */

/* A level that occurs only in rows of weight 0 is unseen. */
static void weighs(void **state)
{
    static const char *const more[] = {"F", "I", "M", "X", NULL};
    static herd h;
    (void)state;
    fill(&h, more, plain);
    for (size_t i = 0; i < ROWS; i += 4) h.row[i][1] = 3; /* rows of weight 0 */
    sg_source rows = source_of(&h);
    sg_model *m = train(kinds[4], &rows, NULL);
    assert_int_equal(sg_model_levels(m, 1), 3);
    sg_model_free(m);
}

static void pools(void **state)
{
    static herd h;
    double x[2][3] = {{0.1, 31, 0.2}, {0.1, 1e9, 0.2}}, y[2];
    (void)state;
    fill(&h, NULL, plain);
    for (size_t i = 0; i < ROWS; i++) h.row[i][1] = (double)(i < 200 ? i % 35 : i % 20); /* 0 to 19 are more frequent */
    sg_source rows = source_of(&h);
    sg_model *m = train("rules=4 pca=0 iters=20 ignore=w categorical=sex", &rows, NULL);
    assert_int_equal(sg_model_levels(m, 1), 31);
    assert_int_equal(m->features, 2 + 32);
    check(sg_model_predict(m, x[0], 2, y));
    assert_true(y[0] == y[1] && isfinite(y[0]));
    x[1][1] = 30;
    check(sg_model_predict(m, x[0], 2, y));
    assert_true(y[0] != y[1]);
    sg_model *again;
    char *text;
    check(sg_model_to_json(m, &text));
    assert_non_null(strstr(text, "\"others\": true"));
    check(sg_model_from_json(text, strlen(text), "again", &again));
    assert_same_text(m, again);
    sg_string_free(text);
    sg_model_free(again);
    sg_model_free(m);
}

static void folds_have_their_own_levels(void **state)
{
    static const char *const rare[] = {"F", "I", "M", "once", NULL};
    static herd h;
    sg_metrics folds[4];
    size_t finished;
    (void)state;
    fill(&h, rare, plain);
    h.row[100][1] = 3;
    sg_source rows = source_of(&h);
    sg_options *o = options_of("rules=4 pca=0 iters=20 ignore=w threads=2");
    check(sg_cross_validate(o, &rows, &(sg_cv_options){.folds = 4}, folds, &finished));
    assert_int_equal(finished, 4);
    for (size_t i = 0; i < 4; i++) assert_true(isfinite(folds[i].rmse));
    sg_options_free(o);
}

static void refuses_a_checkpoint_of_other_levels(void **state)
{
    static const char *const renamed[] = {"F", "I", "N", NULL};
    static herd h;
    char path[] = "/tmp/sugeno-categories-XXXXXX";
    sg_options *o = options_of(kinds[1]);
    sg_trainer *t;
    (void)state;
    close(mkstemp(path));
    fill(&h, fim, plain);
    sg_source rows = source_of(&h);
    check(sg_trainer_new(o, &rows, NULL, &t));
    check(sg_trainer_save(t, path));
    sg_trainer_free(t);
    check(sg_trainer_resume(path, o, &rows, NULL, &t));
    sg_trainer_free(t);
    fill(&h, renamed, plain);
    check_fails(sg_trainer_resume(path, o, &rows, NULL, &t), SG_EDATA, "different data");
    sg_options_free(o);
    unlink(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(trains_as_on_columns_by_hand),
    cmocka_unit_test(codes_have_no_order),
    cmocka_unit_test(numbers_are_levels_by_value),
    cmocka_unit_test(tells_its_inputs),
    cmocka_unit_test(predicts_rows),
    cmocka_unit_test(says_what_was_not_seen),
    cmocka_unit_test(leaves_constant_categories_out),
    cmocka_unit_test(refuses),
    cmocka_unit_test(refuses_words_for_numbers),
    cmocka_unit_test(passes_words_by),
    cmocka_unit_test(weighs),
    cmocka_unit_test(pools),
    cmocka_unit_test(folds_have_their_own_levels),
    cmocka_unit_test(refuses_a_checkpoint_of_other_levels),
};
TEST_GROUP(tests, NULL, NULL)
