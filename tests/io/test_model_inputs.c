/* test_model_inputs.c: categories in model files; invalid ones are rejected. labels: memory */
#include "category_model.h"
#include "test.h"

#include "base/text.h"
#include "model/model.h"

static sg_model *load(const char *text)
{
    sg_model *m;
    check(sg_model_from_json(text, strlen(text), "m.json", &m));
    return m;
}

/* Membership of x in a Gaussian. */
static double mu(double x, double c, double sigma) { return exp(-(x - c) * (x - c) / (2 * sigma * sigma)); }

/* The prediction for level k of four by the formulas of docs/model-file.md; missing: without conditions on it. */
static double expected(size_t k, bool missing, double u)
{
    static const double share[] = {0.25, 0.5, 0.125, 0.125};
    double f[4];
    for (size_t i = 0; i < 4; i++) f[i] = missing ? share[i] : k == i;
    double first = missing ? 1 : mu(f[0], 0, 0.5) * mu(f[1], 0.5, 0.5) * mu(f[2], 0.75, 1);
    double second = missing ? 1 : mu(f[0], 1, 0.5) * mu(f[3], 0.25, 1);
    double y = 0.5 + 1.5 * f[0] - 2.5 * f[1] + 3.5 * f[2] + 4.5 * f[3] + 8 * u, z = -1 + u;
    return (first * y + second * z) / (first + second);
}

static void predicts_as_documented(void **state)
{
    static const double level[] = {0, 1, 2, 3, 17, -1};
    sg_model *m = load(category_model);
    double y;
    (void)state;
    for (size_t i = 0; i < sizeof level / sizeof *level; i++) {
        check(sg_model_predict(m, (double[]){level[i], 0.75}, 1, &y));
        assert_close(y, expected(i < 3 ? i : 3, false, 0.75), 1e-13);
    }
    check(sg_model_predict(m, (double[]){NAN, 0.75}, 1, &y));
    assert_close(y, expected(0, true, 0.75), 1e-13);
    sg_model_free(m);
}

static void round_trips(void **state)
{
    sg_model *m = load(category_model);
    char *text;
    (void)state;
    assert_int_equal(sg_model_inputs(m), 2);
    assert_int_equal(sg_model_levels(m, 0), 3);
    assert_true(m->low[3] == 0 && m->high[3] == 1 && m->feature_mean[3] == 0.125 && m->high[4] == 2.5);
    check(sg_model_to_json(m, &text));
    assert_string_equal(text, category_model);
    sg_string_free(text);
    sg_model_free(m);
}

typedef struct edit {
    const char *from, *to, *sentence;
} edit;

static sg_text edited(const edit *e)
{
    const char *at = strstr(category_model, e->from);
    sg_text t = {0};
    if (!at) fail_msg("no <%s>", e->from);
    sg_text_append_bytes(&t, category_model, (size_t)(at - category_model));
    sg_text_append(&t, e->to);
    sg_text_append(&t, at + strlen(e->from));
    return t;
}

static void rejects_invalid_categories(void **state)
{
    static const edit edits[] = {
        {"\"I\", \"7\"", "\"F\", \"7\"", "m.json: inputs[0].levels: the level \"F\" is repeated"},
        {"\"I\", \"7\"", "\"7.0\", \"7\"", "m.json: inputs[0].levels: the level \"7\" is repeated"},
        {"[\"F\", \"I\", \"7\"]", "[]", "m.json: inputs[0].levels: expected 1 to 31 levels, got 0"},
        {"[\"F\", \"I\", \"7\"]", "{}", "m.json: inputs[0].levels: expected an array"},
        {"[\"F\", \"I\", \"7\"]", "null", "m.json: inputs[0].levels: expected an array"},
        {"\"F\", \"I\"", "\"F\", 1", "m.json: inputs[0].levels[1]: expected a string"},
        {"\"F\", \"I\"", "\"\", \"I\"", "m.json: inputs[0].levels[0]: expected a non-empty string"},
        {"\"others\": true", "\"others\": 1", "m.json: inputs[0].others: expected true or false"},
        {"\"others\": true", "\"others\": false", "m.json: inputs[0].shares: expected 3 numbers, got 4"},
        {"\"others\": true, ", "", "m.json: inputs[0].shares: expected 3 numbers, got 4"},
        {"[0.25, 0.5", "[0.25, 1.5", "m.json: inputs[0].shares[1]: expected a number from 0 to 1"},
        {"[0.25, 0.5", "[0.25, -1", "m.json: inputs[0].shares[1]: expected a number from 0 to 1"},
        {"[0.25, 0.5", "[0.25, \"x\"", "m.json: inputs[0].shares[1]: expected a number"},
        {"[0.25, 0.5, 0.125, 0.125]", "0.5", "m.json: inputs[0].shares: expected an array"},
        {", \"shares\": [0.25, 0.5, 0.125, 0.125]", "", "m.json: inputs[0].shares is missing"},
        {"\"name\": \"sex\", ", "", "m.json: inputs[0].name is missing"},
        {"\"I\", \"7\"]", "\"I\"]", "m.json: inputs[0].shares: expected 3 numbers, got 4"},
        {"[0, 2, 3, -1, -1]", "[0, 2, 3, -1]", "expected 5 conditions, got 4"},
        {"\"low\": -1.5, ", "", "m.json: inputs[1].low is missing"},
        {"\"y0\": 0", "\"y0\": 0, \"low\": 1", "m.json: targets[0].high is missing"},
        {"\"y0\": 0", "\"y0\": 0, \"high\": 1", "m.json: targets[0].low is missing"},
        {"\"y0\": 0", "\"y0\": 0, \"low\": 2.5, \"high\": 1", "m.json: targets[0]: low must not be above high"},
        {"\"y0\": 0", "\"y0\": 0, \"low\": \"a\", \"high\": 1", "m.json: targets[0].low: expected a number"},
        {"\"y0\": 0", "\"y0\": 0, \"low\": -1e101, \"high\": 1",
         "m.json: targets[0].low: expected a magnitude of at most 1e100, got -1e+101"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sg_model *m = NULL;
        sg_text t = edited(&edits[i]);
        sg_status st = sg_model_from_json(t.bytes, t.length, "m.json", &m);
        if (st != SG_EDATA || m) fail_msg("%s -> %s: status %d", edits[i].from, edits[i].to, st);
        if (!strstr(sg_errmsg(), edits[i].sentence)) fail_msg("\"%s\" lacks \"%s\"", sg_errmsg(), edits[i].sentence);
        sg_text_release(&t);
    }
}

static void rejects_too_many_levels(void **state)
{
    sg_text levels = {0};
    sg_model *m;
    (void)state;
    for (size_t i = 0; i < 1000; i++) sg_text_append_format(&levels, "%s\"l%zu\"", i ? ", " : "", i);
    sg_text t = edited(&(edit){"\"F\", \"I\", \"7\"", levels.bytes, NULL});
    check_fails(sg_model_from_json(t.bytes, t.length, "m.json", &m), SG_EDATA,
                "m.json: inputs[0].levels: expected 1 to 31 levels, got 1000");
    sg_text_release(&t);
    sg_text_release(&levels);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(predicts_as_documented),
    cmocka_unit_test(round_trips),
    cmocka_unit_test(rejects_invalid_categories),
    cmocka_unit_test(rejects_too_many_levels),
};
TEST_GROUP(tests, NULL, NULL)
