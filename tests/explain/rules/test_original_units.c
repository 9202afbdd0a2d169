/* test_original_units.c: rules with categories as text and JSON. labels: memory */
#include "category_model.h"
#include "test.h"

#include "explain/rules/original_units.h"

#include <jansson.h>

static sg_model *load(void)
{
    sg_model *m;
    check(sg_model_from_json(category_model, strlen(category_model), "m.json", &m));
    return m;
}

static void writes_text(void **state)
{
    static const char *const lines[] = {
        "2 rules, 2 inputs, target y\n",
        "  IF   sex is not F\n",
        "  THEN y = 0.5 + 1.5 [sex is F] - 2.5 [sex is I] + 3.5 [sex is 7]\n",
        "+ 4.5 [sex is other] + 8 u\n",
        "  IF   sex is F\n",
        "  THEN y = -1 + 1 u\n",
        "  sex is F\n    no         about 0, sigma 0.5\n    yes        about 1, sigma 0.5\n",
    };
    sg_model *m = load();
    char *text;
    (void)state;
    check(sg_model_describe(m, &text));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text, lines[i])) fail_msg("no <%s> in\n%s", lines[i], text);
    sg_string_free(text);
    sg_model_free(m);
}

static const json_t *condition(const json_t *root, size_t rule, size_t i)
{
    return json_array_get(json_object_get(json_array_get(json_object_get(root, "rules"), rule), "if"), i);
}

static void writes_json(void **state)
{
    sg_model *m = load();
    char *text;
    (void)state;
    check(sg_model_describe_json(m, &text));
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "inputs")), 2);
    const json_t *levels = json_object_get(json_object_get(root, "levels"), "sex");
    assert_int_equal(json_array_size(levels), 4);
    assert_string_equal(json_string_value(json_array_get(levels, 3)), "other");
    assert_string_equal(json_string_value(json_object_get(condition(root, 0, 0), "input")), "sex");
    assert_string_equal(json_string_value(json_object_get(condition(root, 0, 0), "level")), "F");
    assert_true(json_is_false(json_object_get(condition(root, 0, 0), "is")));
    assert_true(json_is_null(json_object_get(condition(root, 0, 1), "is")));
    assert_true(json_is_true(json_object_get(condition(root, 0, 2), "is")));
    const json_t *then = json_array_get(json_object_get(json_array_get(json_object_get(root, "rules"), 0), "then"), 0);
    const json_t *slopes = json_object_get(then, "slopes");
    assert_true(json_number_value(json_object_get(json_object_get(slopes, "sex"), "other")) == 4.5);
    assert_true(json_number_value(json_object_get(slopes, "u")) == 8);
    json_decref(root);
    sg_string_free(text);
    sg_model_free(m);
}

/* The answer for a Gaussian with this centre and width over a 0/1 indicator. */
static void answers_follow_memberships(void **state)
{
    static const struct {
        double c, sigma;
        sg_level_answer word;
    } cases[] = {{1, 0.5, SG_ANSWER_YES},      {0, 0.5, SG_ANSWER_NO},      {1.4, 0.5, SG_ANSWER_YES},
                 {0.5, 0.1, SG_ANSWER_EITHER}, {0.75, 1, SG_ANSWER_LIKELY}, {0.3, 1, SG_ANSWER_UNLIKELY},
                 {1, 10, SG_ANSWER_EITHER},    {0.45, 0.1, SG_ANSWER_NO}};
    sg_model *m = load();
    sg_original_units u;
    (void)state;
    check(sg_original_units_init(&u, m));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_mf_put(&m->block[0], 2, (double[]){cases[i].c, cases[i].sigma});
        assert_int_equal(sg_original_units_level_answer(&u, &m->block[0], 2), cases[i].word);
    }
    size_t level;
    assert_non_null(sg_original_units_category(&u, 3, &level));
    assert_int_equal(level, 3);
    assert_null(sg_original_units_category(&u, 4, &level));
    sg_original_units_release(&u);
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(writes_text),
    cmocka_unit_test(writes_json),
    cmocka_unit_test(answers_follow_memberships),
};
TEST_GROUP(tests, NULL, NULL)
