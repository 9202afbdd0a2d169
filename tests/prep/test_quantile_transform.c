/* test_quantile_transform.c: normal scores against libm's erfc; ranks of small columns; the transform and its inverse.
 * labels: arithmetic memory */
#include "prep/quantile_transform.h"
#include "test.h"

#include "model/model.h"

#include <stdbool.h>

/* --- scores --- */

static double below(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

static void scores_are_normal(void **state)
{
    static const double some[] = {1e-11, 1e-9, 1e-6, 0.001, 0.02, 0.0749, 0.0751, 0.2, 0.3141, 0.49999, 0.5};
    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        double x = sg_normal_quantile(some[i]);
        assert_close(below(x) / some[i], 1, 1e-13);
        if (some[i] > 1e-6) assert_close(sg_normal_quantile(1 - some[i]), -x, 1e-9);
    }
    assert_true(sg_normal_quantile(0.5) == 0);
    for (int i = 1; i < 1999; i++) assert_true(sg_normal_quantile((i + 1) / 2000.0) > sg_normal_quantile(i / 2000.0));
}

/* --- fitting --- */

/* A pipeline of one feature, fitted to n values, all rows. */
static sg_pipeline fitted(const double *values, size_t n)
{
    sg_pipeline v = {.in = 1, .out = 1};
    double *copy = malloc(n * sizeof *copy), low = INFINITY, high = -INFINITY;
    sg_transform *s = sg_pipeline_append(&v, &sg_transform_quantile, 1);
    assert_true(copy && s);
    memcpy(copy, values, n * sizeof *copy);
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    sg_quantile_transform_fit(copy, n, low, high, s->parameter[0], s->parameter[1]);
    assert_null(sg_transform_quantile.validate(s));
    free(copy);
    return v;
}

static double score_of(const sg_pipeline *v, double x)
{
    double z, scratch[2];
    sg_pipeline_apply(v, &x, &z, scratch);
    return z;
}

/* The fraction of values below x, counting equal ones half. */
static double rank_of(const double *values, size_t n, double x)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[i] < x ? 1 : values[i] == x ? 0.5 : 0;
    return sum / (double)n;
}

/* Few values: each of them is a knot. */
static void ties_share_their_rank(void **state)
{
    static const double values[] = {3, 1, 1, 1, 7, 7, 2.385, 3, 3, 3, 11, 1};
    enum { N = sizeof values / sizeof *values };
    sg_pipeline v = fitted(values, N);
    (void)state;
    for (size_t i = 0; i < N; i++) assert_close(below(score_of(&v, values[i])), rank_of(values, N, values[i]), 1e-12);
    sg_pipeline_release(&v);
}

static void two_values(void **state)
{
    static const double values[] = {0, 1, 0, 0, 1, 0, 0, 0};
    sg_pipeline v = fitted(values, 8);
    (void)state;
    assert_close(below(score_of(&v, 0)), 3.0 / 8, 1e-12);
    assert_close(below(score_of(&v, 1)), 7.0 / 8, 1e-12);
    assert_close(score_of(&v, 0.5), (score_of(&v, 0) + score_of(&v, 1)) / 2, 1e-12);
    sg_pipeline_release(&v);
}

static double skewed(size_t i, size_t n) { return exp(5 * pow((double)i / (double)n, 3)) - 2; }

static void many_values_become_normal(void **state)
{
    enum { N = 4000 };
    static double values[N];
    (void)state;
    for (size_t i = 0; i < N; i++) values[i * 1999 % N] = skewed(i, N);
    sg_pipeline v = fitted(values, N);
    double last = -INFINITY;
    for (size_t i = 0; i < N; i++) {
        double s = score_of(&v, skewed(i, N));
        if (!(s > last)) fail_msg("falls at %zu", i);
        if (i > N / 50 && i < N - N / 50) assert_close(below(s), ((double)i + 0.5) / N, 0.005);
        last = s;
    }
    sg_pipeline_release(&v);
}

/* Beyond the outer knots, the outer segments are extended. */
static void continues_along_lines(void **state)
{
    static const double values[] = {-2, 0.5, 1, 1.5, 4, 9};
    sg_pipeline v = fitted(values, 6);
    double slope = (score_of(&v, 9) - score_of(&v, 4)) / 5, down = (score_of(&v, 0.5) - score_of(&v, -2)) / 2.5;
    (void)state;
    assert_close(score_of(&v, 109), score_of(&v, 9) + 100 * slope, 1e-12);
    assert_close(score_of(&v, -52), score_of(&v, -2) - 50 * down, 1e-12);
    assert_true(score_of(&v, 1e308) == SG_TRANSFORM_MAX_ABS && score_of(&v, -1e308) == -SG_TRANSFORM_MAX_ABS);
    sg_pipeline_release(&v);
}

static void the_inverse(void **state)
{
    static const double values[] = {-2, 0.5, 1, 1, 1.5, 4, 9, 30};
    sg_pipeline v = fitted(values, 8);
    (void)state;
    for (int i = -60; i < 180; i++) assert_close(sg_pipeline_inverse(&v, 0, score_of(&v, 0.37 * i)), 0.37 * i, 1e-11);
    assert_true(isfinite(sg_pipeline_inverse(&v, 0, 1e308)));
    sg_pipeline_release(&v);
}

/* A sample without the extreme values, or without any. */
static void samples(void **state)
{
    double values[] = {5, 5, 5}, knot[SG_QUANTILE_KNOTS], score[SG_QUANTILE_KNOTS];
    (void)state;
    sg_quantile_transform_fit(values, 3, 0, 10, knot, score);
    assert_true(knot[0] == 0 && knot[1] == 5 && knot[2] == 10 && knot[SG_QUANTILE_KNOTS - 1] == 10);
    assert_true(score[0] < score[1] && score[1] < score[2] && score[SG_QUANTILE_KNOTS - 1] == score[2]);
    sg_quantile_transform_fit(values, 0, -1, 1, knot, score);
    assert_true(knot[0] == -1 && knot[1] == 1 && knot[2] == 1 && score[0] < score[1] && isfinite(score[1]));
}

/* --- in a trained model --- */

static sg_model *trained(const sg_source *s, const char *settings)
{
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_model *m;
    sg_progress p;
    check(sg_trainer_new(o, s, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &m));
    sg_trainer_free(t);
    sg_options_free(o);
    return m;
}

/* Conditions are unchanged if inputs are transformed monotonically; consequents use z-scores. */
static void only_ranks_count(void **state)
{
    enum { ROWS = 300, COLUMNS = 11 };
    sg_table *t;
    (void)state;
    check(sg_table_generate("friedman", ROWS, 3, &t));
    sg_source s = sg_table_source(t);
    sg_model *plain = trained(&s, "scale=quantile pca=0 rules=4 iters=1");
    double *v = (double *)sg_table_values(t), *x = malloc(ROWS * 10 * sizeof *x), *a[2];
    for (int bent = 0; bent < 2; bent++) {
        sg_model *m = bent ? trained(&s, "scale=quantile pca=0 rules=4 iters=1") : plain;
        for (size_t r = 0; r < ROWS; r++) memcpy(x + r * 10, v + r * COLUMNS, 10 * sizeof *x);
        a[bent] = malloc(ROWS * 10 * sizeof *x);
        check(sg_model_transform(m, x, ROWS, a[bent]));
        if (bent) assert_true(m->z.step[0].kind == &sg_transform_zscore && m->z.out == 10 && !m->shared_pipeline);
        sg_model_free(m);
        for (size_t i = 0; i < ROWS * COLUMNS; i++)
            if (i % COLUMNS < 10) v[i] = exp(3 * v[i]);
    }
    size_t knots = 0; /* the transform is linear between knots, which differs only a little */
    for (size_t i = 0; i < ROWS * 10; i++) {
        assert_close(a[1][i], a[0][i], 0.05);
        knots += fabs(a[1][i] - a[0][i]) < 1e-12;
    }
    assert_true(knots > ROWS * 10 / 6);
    free(x);
    free(a[0]);
    free(a[1]);
    sg_table_free(t);
}

static void listen(void *user, const char *sentence) { snprintf(user, 200, "%s", sentence); }

/* Requesting an unsupported combination fails; by default all inputs are kept, with a notice and a record. */
static void no_components_of_ranks(void **state)
{
    char heard[200] = "";
    const char *name = "", *value = "";
    sg_table *t;
    sg_trainer *trainer;
    (void)state;
    check(sg_table_generate("friedman", 50, 3, &t));
    sg_source s = sg_table_source(t);
    sg_options *o = options_of("scale=quantile pca=5");
    check_fails(sg_trainer_new(o, &s, NULL, &trainer), SG_EINVAL, "use --pca 0");
    sg_options_free(o);
    o = options_of("scale=quantile rules=3 iters=2");
    sg_options_on_notice(o, listen, heard);
    check(sg_trainer_new(o, &s, NULL, &trainer));
    const sg_model *m = sg_trainer_current(trainer);
    assert_int_equal(m->a.out, 10);
    assert_non_null(strstr(heard, "turns PCA off (--pca 0): conditions use all 10 inputs"));
    for (size_t i = 0; strcmp(name, "pca") != 0; i++) assert_true(sg_model_record(m, i, &name, &value));
    assert_string_equal(value, "0");
    sg_trainer_free(trainer);
    sg_options_free(o);
    sg_table_free(t);
}

/* --- in a model file --- */

#define SIGHT                                                                                                          \
    "{\"step\": \"quantile\", \"knots\": [\n      [0, 1],\n      [0, 1],\n      [0, 1, 4, 10]\n    ], "                \
    "\"scores\": [\n      [-1, 1],\n      [-0.125, 0.125],\n      [-2, 0, 1, 3]\n    ]}"
#define TERMS "\"consequents_see\": [\n    {\"step\": \"zscore\", \"mean\": [0, 0, 2], \"scale\": [1, 1, 2]}\n  ],"

/* A category of two levels and a number, which conditions see by rank. */
static char *by_hand(const char *kind, const char *low, const char *high, const char *level)
{
    char *text = malloc(4096);
    snprintf(text, 4096,
             "{\n  \"kind\": \"sugeno model\",\n  \"format\": 1,\n  \"inputs\": [\n"
             "    {\"name\": \"sex\", \"levels\": [\"F\", \"M\"], \"shares\": [0.5, 0.5]},\n"
             "    {\"name\": \"u\", \"low\": 0, \"high\": 10, \"mean\": 2.5}\n  ],\n"
             "  \"targets\": [\n    {\"name\": \"y\", \"mean\": 0, \"scale\": 1, \"y0\": 0}\n  ],\n"
             "  \"antecedents_see\": [\n    " SIGHT ",\n"
             "    {\"step\": \"clamp\", \"low\": [-1e6, -1e6, -1e6], \"high\": [1e6, 1e6, 1e6]}\n  ],\n  " TERMS "\n"
             "  \"blocks\": [{\"mf\": \"%s\", \"weight\": 1, \"h\": 1, \"rank\": 0, \"mfs\": [\n"
             "    {\"input\": 2, %s}, {\"input\": 2, %s}, {\"input\": 0, %s}, {\"input\": 1, %s}],\n"
             "    \"rules\": [{\"if\": [2, 3, 0], \"then\": [[1, 0, 0, 4]]}, {\"if\": [-1, -1, 1], \"then\": [[3, 0, "
             "0, -2]]}]}]}",
             kind, low, high, level, level);
    return text;
}

static sg_model *read_back(const char *text)
{
    sg_model *m;
    check(sg_model_from_json(text, strlen(text), "m.json", &m));
    return m;
}

static char *usual(void)
{
    return by_hand("gauss", "\"c\": 0, \"sigma\": 1", "\"c\": 3, \"sigma\": 2", "\"c\": 1, \"sigma\": 1");
}

static void predicts_by_hand(void **state)
{
    static const double u[] = {-3, 0, 0.5, 2.5, 4, 9, 20}, rank[] = {-8, -2, -1, 0.5, 1, 8.0 / 3, 3 + 10.0 / 3};
    char *text = usual(), *again, *twice;
    sg_model *m = read_back(text);
    (void)state;
    for (size_t i = 0; i < 7; i++) {
        double x[] = {0, u[i]}, y; /* sex is F */
        double f = exp(-rank[i] * rank[i] / 2 - (0.125 + 1) * (0.125 + 1) / 2),
               g = exp(-(rank[i] - 3) * (rank[i] - 3) / 8);
        double z = (u[i] - 2) / 2;
        check(sg_model_predict(m, x, 1, &y));
        assert_close(y, (f * (1 + 4 * z) + g * (3 - 2 * z)) / (f + g), 1e-12);
    }
    check(sg_model_to_json(m, &again));
    assert_non_null(strstr(again, SIGHT));
    sg_model *n = read_back(again);
    check(sg_model_to_json(n, &twice));
    assert_string_equal(twice, again);
    sg_string_free(again);
    sg_string_free(twice);
    sg_model_free(m);
    sg_model_free(n);
    free(text);
}

/* Edits of the file, and the expected message. */
static void refuses_hostile_files(void **state)
{
    static const struct {
        const char *from, *to, *sentence;
    } edits[] = {
        {"[0, 1, 4, 10]", "[0, 4, 1, 10]",
         "antecedents_see[0]: knots and scores must be equal in number and increasing"},
        {"[0, 1, 4, 10]", "[0, 1, 4]", "antecedents_see[0]: knots and scores must be equal in number and increasing"},
        {"[0, 1, 4, 10]", "[0, 1, 4, 10, 11]",
         "antecedents_see[0]: knots and scores must be equal in number and increasing"},
        {"[0, 1, 4, 10]", "[3, 3, 3, 3]",
         "antecedents_see[0]: knots and scores must be equal in number and increasing"},
        {"[0, 1, 4, 10]", "[0]", "antecedents_see[0].knots[2]: expected 2 to 64 numbers, got 1"},
        {"[0, 1, 4, 10]", "[]", "antecedents_see[0].knots[2]: expected 2 to 64 numbers, got 0"},
        {"[0, 1, 4, 10]", "7", "antecedents_see[0].knots[2]: expected an array"},
        {"[0, 1, 4, 10]", "[0, 1, 4, null]", "antecedents_see[0].knots[2][3]: expected a number"},
        {"[0, 1, 4, 10]", "[0, 1e-320, 4, 10]",
         "antecedents_see[0]: knots and scores must be equal in number and increasing"},
        {"[-2, 0, 1, 3]", "[-2, 0, 0, 3]",
         "antecedents_see[0]: knots and scores must be equal in number and increasing"},
        {"[-2, 0, 1, 3]", "[-2, 0, 1e-320, 3]",
         "antecedents_see[0]: knots and scores must be equal in number and increasing"},
        {"[-2, 0, 1, 3]", "[3, 1, 0, -2]",
         "antecedents_see[0]: knots and scores must be equal in number and increasing"},
        {"[0, 1],\n      [0, 1],\n", "[0, 1],\n", "antecedents_see[0].knots: expected 3 arrays, got 2"},
        {"\"scores\"", "\"score\"", "antecedents_see[0].scores is missing"},
        {TERMS, "", "m.json: consequents can't use the step \"quantile\""},
        {"{\"step\": \"zscore\", \"mean\": [0, 0, 2], \"scale\": [1, 1, 2]}", SIGHT, "can't use the step"},
        {"{\"step\": \"clamp\", \"low\": [-1e6, -1e6, -1e6], \"high\": [1e6, 1e6, 1e6]}",
         "{\"step\": \"pca\", \"components\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}",
         "the steps \"pca\" and \"quantile\" can't be combined"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        char *text = usual(), *at = strstr(text, edits[i].from), *edited = malloc(8192);
        sg_model *m;
        assert_non_null(at);
        snprintf(edited, 8192, "%.*s%s%s", (int)(at - text), text, edits[i].to, at + strlen(edits[i].from));
        check_fails(sg_model_from_json(edited, strlen(edited), "m.json", &m), SG_EDATA, edits[i].sentence);
        free(text);
        free(edited);
    }
}

/* --- in rule text --- */

/* Ranks -1 to 1 are values 0.5 to 4; ranks 1 to 5 are values 4 to 16. */
static void says_it_in_the_inputs_units(void **state)
{
    static const struct {
        const char *kind, *low, *high, *words[2], *json;
    } cases[] = {
        {"gauss",
         "\"c\": 0, \"sigma\": 1",
         "\"c\": 3, \"sigma\": 2",
         {"low        about 1, sigma 1.75\n", "high       about 10, sigma 6\n"},
         "\"c\": 1, \"sigma\": 1.75}"},
        {"gauss-a",
         "\"c\": 0, \"a\": 1",
         "\"c\": 3, \"a\": 0.5",
         {"low        about 1, sigma 1.75\n", "high       about 10, sigma 6\n"},
         "\"c\": 1, \"a\": 0.5714285714285714}"},
        {"gauss-a",
         "\"c\": 0, \"a\": 1",
         "\"c\": 3, \"a\": 0",
         {"low        about 1, sigma 1.75\n", "high       about 10, sigma infinite\n"},
         "\"c\": 10, \"a\": 0}"},
        {"gbell",
         "\"a\": 1, \"b\": 2, \"c\": 0",
         "\"a\": 2, \"b\": 1.5, \"c\": 3",
         {"low        about 1, a 1.75, b 2\n", "high       about 10, a 6, b 1.5\n"},
         "\"a\": 1.75, \"b\": 2, \"c\": 1}"},
        {"tri",
         "\"a\": -1, \"b\": 0, \"c\": 1",
         "\"a\": 1, \"b\": 3, \"c\": 5",
         {"low        about 1, a 0.5, c 4\n", "high       about 10, a 4, c 16\n"},
         "\"a\": 0.5, \"b\": 1, \"c\": 4}"},
        {"trap",
         "\"a\": -1, \"b\": 0, \"c\": 0.5, \"d\": 1",
         "\"a\": 1, \"b\": 3, \"c\": 4, \"d\": 5",
         {"medium     a 0.5, b 1, c 2.5, d 4\n", "high       a 4, b 10, c 13, d 16\n"},
         "\"a\": 0.5, \"b\": 1, \"c\": 2.5, \"d\": 4}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *file = by_hand(cases[i].kind, cases[i].low, cases[i].high, cases[i].low), *words, *json;
        sg_model *m = read_back(file);
        check(sg_model_describe(m, &words));
        check(sg_model_describe_json(m, &json));
        for (int k = 0; k < 2; k++)
            if (!strstr(words, cases[i].words[k])) fail_msg("no <%s> in\n%s", cases[i].words[k], words);
        if (!strstr(json, cases[i].json)) fail_msg("no <%s> in\n%s", cases[i].json, json);
        assert_non_null(strstr(words, "y = -3 + 2 u\n")); /* 1 + 4 (u - 2) / 2 */
        sg_string_free(words);
        sg_string_free(json);
        sg_model_free(m);
        free(file);
    }
}

/* A level is described by its ranks: F is 1 or -1, M has almost no effect. */
static void says_which_level(void **state)
{
    char *file = usual(), *words, *json;
    sg_model *m = read_back(file);
    (void)state;
    check(sg_model_describe(m, &words));
    check(sg_model_describe_json(m, &json));
    if (!strstr(words, "IF   sex is F and u is low\n")) fail_msg("%s", words);
    assert_non_null(strstr(json, "{\"input\": \"sex\", \"level\": \"F\", \"is\": true"));
    sg_string_free(words);
    sg_string_free(json);
    sg_model_free(m);
    free(file);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(scores_are_normal),
    cmocka_unit_test(ties_share_their_rank),
    cmocka_unit_test(two_values),
    cmocka_unit_test(many_values_become_normal),
    cmocka_unit_test(continues_along_lines),
    cmocka_unit_test(the_inverse),
    cmocka_unit_test(samples),
    cmocka_unit_test(only_ranks_count),
    cmocka_unit_test(no_components_of_ranks),
    cmocka_unit_test(predicts_by_hand),
    cmocka_unit_test(refuses_hostile_files),
    cmocka_unit_test(says_it_in_the_inputs_units),
    cmocka_unit_test(says_which_level),
};
TEST_GROUP(tests, NULL, NULL)
