/* test_numeric_effect_fit.c: univariate effects, as tables and as derived inputs. labels: memory */
#include "category_model.h"
#include "test.h"

#include "base/text.h"
#include "model/model.h"
#include "train/fit/effect_bins.h"
#include "train/fit/preprocess.h"
#include "train/train_config.h"

/* --- tables --- */

static void looks_up(void **state)
{
    sg_effect e;
    (void)state;
    assert_true(sg_effect_init(&e, 0, 3, 2));
    memcpy(e.edge, (double[]){1.5, 2.5}, 2 * sizeof(double));
    memcpy(e.bin_effect, (double[]){10, 20, 30}, 3 * sizeof(double));
    memcpy(e.value, (double[]){2, 7}, 2 * sizeof(double));
    memcpy(e.value_effect, (double[]){25, 35}, 2 * sizeof(double));
    static const double cases[][2] = {{-1e99, 10}, {1.5, 10}, {1.6, 20}, {2, 25},
                                      {2.5, 20},   {2.6, 30}, {7, 35},   {8, 30}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(sg_effect_eval(&e, cases[i][0]) == cases[i][1]);
    assert_true(isnan(sg_effect_eval(&e, NAN)));
    /* Values that the table does not list, between listed ones. */
    static const double lacks[][2] = {{2, 0},   {7, 0},   {1.5, 0}, {-1e99, 0}, {1.6, 1},
                                      {2.5, 1}, {2.6, 1}, {8, 1},   {1e99, 1}};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        assert_int_equal(sg_effect_is_unlisted(&e, lacks[i][0]), lacks[i][1]);
    assert_false(sg_effect_is_unlisted(&e, NAN));
    sg_effect_release(&e);
}

/* The values 0 to 1,999 with 1 to 3 rows each: value v has fold v % 5 and target sin(v). */
enum { N = 2000 };

static sg_effect_sums sums_of(double extra)
{
    static sg_value_freq value[N];
    sg_effect_sums s;
    for (size_t v = 0; v < N; v++) value[v] = (sg_value_freq){(double)v, v % 3 + 1};
    assert_true(sg_effect_sums_init(&s, 4, value, N, true));
    for (size_t v = 0; v < N; v++)
        for (size_t i = 0; i <= v % 3; i++)
            sg_effect_sums_add(&s, v % SG_EFFECT_FOLDS, (double)v, 1,
                               sin((double)v) + (v % SG_EFFECT_FOLDS == 2 ? extra : 0));
    return s;
}

/* Returns the mean residual of the values [first, last), shrunk towards `taken`. */
static double brute(size_t first, size_t last, double taken)
{
    double n = 0, sum = 0;
    for (size_t v = first; v < last; v++) {
        n += (double)(v % 3 + 1);
        sum += (double)(v % 3 + 1) * (sin((double)v) - taken);
    }
    return taken + sum / (n + 5);
}

/* Returns the bin of v among `bins` bins, from its midrank. */
static size_t bin_of(size_t v, size_t bins)
{
    double all = 0, before = 0;
    for (size_t i = 0; i < N; i++) {
        if (i < v) before += (double)(i % 3 + 1);
        all += (double)(i % 3 + 1);
    }
    return (size_t)((before + (double)(v % 3 + 1) / 2) / all * (double)bins);
}

static double by_hand(size_t v, size_t bins, double taken)
{
    size_t first = v, last = v + 1;
    while (first && bin_of(first - 1, bins) == bin_of(v, bins)) first--;
    while (last < N && bin_of(last, bins) == bin_of(v, bins)) last++;
    return brute(first, last, taken);
}

static void sums_by_hand(void **state)
{
    sg_effect_sums s = sums_of(0);
    sg_effect e;
    (void)state;
    assert_true(sg_effect_sums_solve(&s, SG_EFFECT_FOLDS, &e));
    assert_int_equal(e.input, 4);
    assert_int_equal(e.bins, 256);
    assert_int_equal(e.values, N - (N + 2) / 3); /* values that occur in one row are not listed */
    for (size_t v = 1; v < N; v += 97) {
        double coarse = by_hand(v, 256, by_hand(v, 64, by_hand(v, 16, 0)));
        double due = v % 3 ? brute(v, v + 1, coarse) : coarse;
        assert_close(sg_effect_eval(&e, (double)v), due, 1e-12);
        assert_close(sg_effect_eval(&e, (double)v + 1e-3), coarse, 1e-12); /* a value that was not seen */
    }
    sg_effect_release(&e);
    sg_effect_sums_release(&s);
}

/* The table of a fold does not depend on the rows of the fold. */
static void leaves_its_fold_out(void **state)
{
    sg_effect_sums a = sums_of(0), b = sums_of(1000);
    (void)state;
    for (size_t but = 0; but <= SG_EFFECT_FOLDS; but++) {
        sg_effect x, y;
        assert_true(sg_effect_sums_solve(&a, but, &x) && sg_effect_sums_solve(&b, but, &y));
        bool same = memcmp(x.bin_effect, y.bin_effect, x.bins * sizeof *x.bin_effect) == 0 &&
                    memcmp(x.value_effect, y.value_effect, x.values * sizeof *x.value_effect) == 0;
        assert_true(same == (but == 2));
        sg_effect_release(&x);
        sg_effect_release(&y);
    }
    sg_effect_sums_release(&a);
    sg_effect_sums_release(&b);
}

/* If there are few values, each has its own bin. */
static void few_values(void **state)
{
    const sg_value_freq value[] = {{-1, 4}, {0, 2}, {2, 9}};
    sg_effect_sums s;
    sg_effect e;
    (void)state;
    assert_true(sg_effect_sums_init(&s, 0, value, 3, true));
    for (size_t i = 0; i < 4; i++) sg_effect_sums_add(&s, i, -1, 1, 3);
    sg_effect_sums_add(&s, 0, NAN, 1, 1e9);
    sg_effect_sums_add(&s, 1, 0, 2.5, 4);
    assert_true(sg_effect_sums_solve(&s, SG_EFFECT_FOLDS, &e));
    assert_int_equal(e.bins, 3);
    assert_int_equal(e.values, 0);
    assert_close(sg_effect_eval(&e, -1), 12 / 9., 1e-15);
    assert_close(sg_effect_eval(&e, 0.9), 10 / 7.5, 1e-15); /* the nearest value */
    assert_true(sg_effect_eval(&e, 1.1) == 0 && sg_effect_eval(&e, -7) == sg_effect_eval(&e, -1));
    sg_effect_release(&e);
    sg_effect_sums_release(&s);
}

/* --- encoders --- */

static sg_effect one_of(size_t input, double effect)
{
    sg_effect e;
    assert_true(sg_effect_init(&e, input, 1, 0));
    e.bin_effect[0] = effect;
    return e;
}

static void codings(void **state)
{
    const char *const level[] = {"x", "y"};
    const bool keep[] = {true, false, false, true, true, false, true};
    double f[7];
    sg_encoder *c = sg_encoder_new();
    (void)state;
    check(sg_encoder_add_number(c, "a"));
    check(sg_encoder_add_category(c, "k", level, 2, false));
    check(sg_encoder_add_number(c, "b"));
    check(sg_encoder_add_number(c, "d"));
    sg_effect first = one_of(0, 7.5), second = one_of(3, 8.5);
    check(sg_encoder_add_effect(c, &first));
    check(sg_encoder_add_effect(c, &second));
    sg_encoder *copy = sg_encoder_copy(c);
    sg_encoder_apply(copy, (double[]){1, 1, 2, 3}, f);
    assert_memory_equal(f, ((double[]){1, 0, 1, 2, 3, 7.5, 8.5}), sizeof f);
    char *name = sg_encoder_feature_name(copy, 6);
    assert_string_equal(name, "effect of d");
    free(name);
    assert_string_equal(sg_encoder_feature_input(copy, 6)->name, "d");
    sg_encoder_select_features(copy, keep); /* a, b, d, effect of d */
    assert_int_equal(copy->features, 4);
    assert_int_equal(copy->effect[0].input, 2);
    sg_encoder_apply(copy, (double[]){1, 2, NAN}, f);
    assert_true(f[1] == 2 && isnan(f[3]));
    assert_true(sg_encoder_hash(c) != sg_encoder_hash(copy));
    sg_encoder_free(copy);
    sg_encoder_free(c);
}

/* --- training --- */

enum { ROWS = 3000, COLUMNS = 3 };
static double rows_of[ROWS * COLUMNS];

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    memcpy(out, (const double *)self + first * COLUMNS, n * COLUMNS * sizeof *out);
    return SG_OK;
}

/* y = x + a random number for each of the 60 values of g; sometimes g is missing. */
static sg_source hidden(void)
{
    static const char *const names[] = {"g", "x", "y"};
    for (size_t i = 0; i < ROWS; i++) {
        size_t g = i * 7919 % 60;
        double x = (double)(i * 104729 % 997) / 997;
        double *row = rows_of + i * COLUMNS;
        row[0] = i % 101 == 5 ? (double)NAN : (double)g / 4;
        row[1] = x;
        row[2] = x + 3 * (double)(g * 37 % 17) / 17;
    }
    return (sg_source){
        .self = rows_of, .name = "hidden", .rows = ROWS, .columns = COLUMNS, .names = names, .read = read_rows};
}

static sg_model *trained(const char *settings, const sg_source *rows)
{
    sg_trainer *t;
    sg_progress p;
    sg_model *m;
    sg_options *o = options_of(settings);
    check(sg_trainer_new(o, rows, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &m));
    sg_trainer_free(t);
    sg_options_free(o);
    return m;
}

static double error_of(const sg_model *m, const sg_source *rows)
{
    sg_metrics e;
    check(sg_model_evaluate(m, rows, NULL, 2, &e));
    return e.rmse;
}

static void finds_hidden_groups(void **state)
{
    sg_source rows = hidden();
    sg_model *plain = trained("preset=rr", &rows), *with = trained("preset=rr effects=g", &rows), *back;
    char *text, *words;
    (void)state;
    assert_int_equal(sg_model_inputs(with), 2);
    assert_int_equal(with->features, 3);
    if (!(error_of(plain, &rows) > 0.8 && error_of(with, &rows) < 0.15))
        fail_msg("%g, %g", error_of(plain, &rows), error_of(with, &rows));
    check(sg_model_to_json(with, &text));
    check(sg_model_from_json(text, strlen(text), "m.json", &back));
    assert_true(error_of(back, &rows) == error_of(with, &rows));
    double x[] = {2.5, 0.5, 2.6, 0.5, NAN, 0.5}, y[3], z[3];
    check(sg_model_predict(with, x, 3, y));
    check(sg_model_predict(back, x, 3, z));
    assert_memory_equal(y, z, sizeof y);
    assert_true(isfinite(y[2]));
    check(sg_model_describe(back, &words));
    assert_true(strstr(words, "effect of g\n") && strstr(words, "g up to ") && strstr(words, "\nEffects"));
    sg_string_free(words);
    sg_string_free(text);
    sg_model_free(back);
    sg_model_free(with);
    sg_model_free(plain);
}

/* Effects of all inputs, including x, whose effect is linear, do not reduce the accuracy. --limit clamps inputs but not
 * effects. */
static void all_inputs(void **state)
{
    sg_source rows = hidden();
    sg_model *m = trained("preset=rr effects=all", &rows),
             *n = trained("preset=mbgd-rda iters=50 effects=g limit=tails clip=0.1", &rows);
    (void)state;
    assert_int_equal(m->features, 4);
    assert_true(error_of(m, &rows) < 0.15);
    assert_true(n->a.step->parameter[1][2] == SG_MODEL_MAX_ABS); /* no limit for an effect */
    assert_true(n->a.step->parameter[1][0] < 15);
    sg_model_free(m);
    sg_model_free(n);
}

/* x has more distinct values than a table lists. y is 2 in the upper half of x, and 0 in the lower. */
enum { MANY = SG_EFFECT_MAX_VALUES + 500 };

static sg_status read_many(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    for (size_t i = first; i < first + n; i++, out += 2) {
        out[0] = (double)(i * 7919 % MANY);
        out[1] = out[0] < MANY / 2 ? 0 : 2;
    }
    return SG_OK;
}

static void bins_of_many_values(void **state)
{
    static const char *const names[] = {"x", "y"};
    sg_source rows = {.name = "many", .rows = MANY, .columns = 2, .names = names, .read = read_many};
    sg_model *m = trained("preset=rr effects=x", &rows);
    (void)state;
    assert_true(m->encoder->effect->values == 0 && m->encoder->effect->bins == SG_EFFECT_MAX_BINS);
    assert_true(error_of(m, &rows) < 0.1); /* a line alone has an error of 0.5 */
    sg_model_free(m);
}

static void refuses(void **state)
{
    static const struct {
        const char *settings, *sentence;
    } cases[] = {
        {"effects=h", "--effects: there is no input \"h\""},
        {"effects=g,y", "--effects: there is no input \"y\""},
        {"effects=g categorical=g", "--effects: column \"g\" is categorical; effects need numeric columns"},
        {"effects=g targets=x,y", "--effects needs a single target, not 2"},
    };
    sg_source rows = hidden();
    sg_trainer *t;
    sg_column_roles roles = {.weight = SG_NO_COLUMN};
    sg_encoder *coding = NULL;
    sg_effect_folds *folds = NULL;
    sg_comm team = {.ranks = 2};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_options *o = options_of(cases[i].settings);
        check_fails(sg_trainer_new(o, &rows, NULL, &t), SG_EINVAL, cases[i].sentence);
        sg_options_free(o);
    }
    sg_options *o = options_of("effects=g");
    rows.comm = &team;
    sg_train_config config = sg_train_config_parse(o);
    check_fails(sg_effects_fit(&config.preprocess, &rows, &roles, NULL, &coding, &folds), SG_EINVAL,
                "--effects is not available in distributed training");
    sg_options_free(o);
}

/* --- files --- */

static const char effect[] = "  \"effects\": [\n"
                             "    {\"of\": \"u\", \"low\": -2.5, \"high\": 3.5, \"mean\": 0.25,\n"
                             "     \"edges\": [0.5, 1.5],\n"
                             "     \"bins\": [-1, 0, 2],\n"
                             "     \"values\": [0.75],\n"
                             "     \"effects\": [3.25]}\n"
                             "  ],\n";

/* A model file with a category and an effect, and with parts of it edited. */
static sg_text with_effect(const char *from, const char *to)
{
    sg_text whole = {0}, t = {0};
    const char *targets = strstr(category_model, "  \"targets\""), *mf = strstr(category_model, "[0, 2, 3, -1, -1]");
    sg_text_append_bytes(&whole, category_model, (size_t)(targets - category_model));
    sg_text_append(&whole, effect);
    sg_text_append_bytes(&whole, targets, (size_t)(mf - targets));
    sg_text_append(&whole, "[0, 2, 3, -1, -1, -1], \"then\": [[0.5, 1.5, -2.5, 3.5, 4.5, 8, 16]]},\n"
                           "        {\"if\": [1, -1, -1, 4, -1, -1], \"then\": [[-1, 0, 0, 0, 0, 1, 0]]}\n");
    sg_text_append(&whole, strstr(mf, "      ]\n    }"));
    const char *at = strstr(whole.bytes, from);
    if (!at) fail_msg("no <%s>", from);
    sg_text_append_bytes(&t, whole.bytes, (size_t)(at - whole.bytes));
    sg_text_append(&t, to);
    sg_text_append(&t, at + strlen(from));
    sg_text_release(&whole);
    return t;
}

static void files(void **state)
{
    sg_text t = with_effect("kind", "kind");
    sg_model *m;
    char *text;
    double a, b;
    (void)state;
    check(sg_model_from_json(t.bytes, t.length, "m.json", &m));
    assert_true(m->features == 6 && m->low[5] == -2.5 && m->high[5] == 3.5 && m->feature_mean[5] == 0.25);
    check(sg_model_to_json(m, &text));
    assert_string_equal(text, t.bytes);
    check(sg_model_predict(m, (double[]){2, 0.75}, 1,
                           &a)); /* 3.25 is the effect of the listed value, 0 that of its bin */
    check(sg_model_predict(m, (double[]){2, nextafter(0.75, 1)}, 1, &b));
    assert_true(a - b > 16);
    sg_string_free(text);
    sg_text_release(&t);
    sg_model_free(m);
}

static void refuses_files(void **state)
{
    static const char *const edits[][3] = {
        {"\"of\": \"u\"", "\"of\": \"sex\"", "m.json: effects[0].of: expected the name of a numeric input"},
        {"\"of\": \"u\"", "\"of\": \"v\"", "m.json: effects[0].of: expected the name of a numeric input"},
        {"\"of\": \"u\"", "\"of\": 5", "m.json: effects[0].of: expected a string"},
        {"[0.5, 1.5]", "[1.5, 0.5]", "m.json: effects[0]: edges must be increasing"},
        {"[0.5, 1.5]", "[0.5]", "m.json: effects[0].bins: expected 2 numbers, got 3"},
        {"[-1, 0, 2]", "[-1, null, 2]", "m.json: effects[0].bins[1]: expected a number"},
        {"[0.75]", "[0.75, 0.75]", "m.json: effects[0].effects: expected 2 numbers, got 1"},
        {"[3.25]", "[1e101]", "m.json: effects[0].effects[0]: expected a magnitude of at most 1e100, got 1e+101"},
        {"\"values\": [0.75],\n     \"effects\": [3.25]", "\"values\": [1, 1], \"effects\": [3, 4]",
         "m.json: effects[0]: values must be increasing"},
        {"\"low\": -2.5, ", "", "m.json: effects[0].low is missing"},
        {", \"mean\": 0.25,", ",", "m.json: effects[0].mean is missing"},
        {"  \"effects\": [\n", "  \"effects\": [ 5,\n", "m.json: effects[0]: expected an object"},
        {"[3.25]}\n", "[3.25]}, {\"of\": \"u\"}\n", "m.json: effects[1].of: this input already has an effect"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sg_model *m = NULL;
        sg_text t = with_effect(edits[i][0], edits[i][1]);
        check_fails(sg_model_from_json(t.bytes, t.length, "m.json", &m), SG_EDATA, edits[i][2]);
        assert_null(m);
        sg_text_release(&t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(looks_up),   cmocka_unit_test(sums_by_hand),  cmocka_unit_test(leaves_its_fold_out),
    cmocka_unit_test(few_values), cmocka_unit_test(codings),       cmocka_unit_test(finds_hidden_groups),
    cmocka_unit_test(all_inputs), cmocka_unit_test(refuses),       cmocka_unit_test(bins_of_many_values),
    cmocka_unit_test(files),      cmocka_unit_test(refuses_files),
};
TEST_GROUP(tests, NULL, NULL)
