/* test_mf_labels.c: labels of membership functions reflect their location among the training rows. */
#include "explain/rules/mf_labels.h"
#include "test.h"

#include <jansson.h>

enum { INPUTS = 10, MOST = 6 };

static sg_model *train(const char *settings)
{
    sg_table *t;
    sg_options *o = options_of(settings);
    sg_model *m;
    check(sg_table_generate("friedman", 300, 4, &t)); /* inputs are uniform from 0 to 1 */
    sg_source rows = sg_table_source(t);
    check(sg_train(o, &rows, NULL, NULL, NULL, &m));
    sg_options_free(o);
    sg_table_free(t);
    return m;
}

/* n MFs on the first input, one on the others. */
static sg_model *with_terms(size_t n)
{
    char settings[128];
    snprintf(settings, sizeof settings, "preset=mbgd-rda pca=0 mfs=%zu,1,1,1,1,1,1,1,1,1 iters=1", n);
    return train(settings);
}

/* Moves the centre of an MF of the first input to x. */
static void move(const sg_original_units *u, sg_block *b, size_t mf, double x)
{
    assert_int_equal(b->input_of[mf], 0);
    b->mf[mf] = u->a[0] * x + u->a_shift[0];
}

static const struct {
    size_t n;
    double centre[MOST];
    const char *label[MOST]; /* NULL: "about c" */
} cases[] = {
    {1, {0.5}, {NULL}},
    {2, {0, 1}, {"low", "high"}},
    {2, {1, 0}, {"high", "low"}},
    {2, {0.4, 0.6}, {NULL, NULL}}, /* both in the middle: neither is low */
    {2, {0.4, 0.9}, {"medium", "high"}},
    {2, {0.85, 0.99}, {"high", "very high"}},
    {2, {0.85, 0.87}, {NULL, NULL}},
    {3, {0, 0.5, 1}, {"low", "medium", "high"}},
    {3, {0.4, 0.55, 1}, {NULL, NULL, "high"}},
    {3, {0.01, 0.15, 0.5}, {"very low", "low", "medium"}},
    {4, {0, 0.2, 0.8, 1}, {"very low", "low", "high", "very high"}},
    {5, {0, 0.2, 0.5, 0.8, 1}, {"very low", "low", "medium", "high", "very high"}},
    {5, {0, 0.4, 0.5, 0.8, 1}, {"very low", NULL, NULL, "high", "very high"}},
    {6, {0, 0.2, 0.4, 0.6, 0.8, 1}, {NULL, NULL, NULL, NULL, NULL, NULL}},
};

static void labels_follow_locations(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sg_model *m = with_terms(cases[k].n);
        sg_original_units u;
        check(sg_original_units_init(&u, m));
        for (size_t i = 0; i < cases[k].n; i++) move(&u, &m->block[0], i, cases[k].centre[i]);
        for (size_t i = 0; i < cases[k].n; i++) {
            const char *label = sg_mf_label(&u, &m->block[0], i), *expected = cases[k].label[i];
            if (!label != !expected || (label && strcmp(label, expected) != 0))
                fail_msg("case %zu, MF %zu: %s", k, i, label ? label : "none");
        }
        sg_original_units_release(&u);
        sg_model_free(m);
    }
}

/* The table is sorted by location; text and JSON have the same labels, also for a reflected input. */
static void table_is_sorted(void **state)
{
    sg_original_units u;
    char *words, *described;
    (void)state;
    sg_model *m = with_terms(3);
    check(sg_original_units_init(&u, m));
    move(&u, &m->block[0], 0, 0.95);
    move(&u, &m->block[0], 1, 0.05);
    move(&u, &m->block[0], 2, 0.5);
    check(sg_model_describe(m, &words));
    const char *low = strstr(words, "    low "), *medium = strstr(words, "    medium "),
               *high = strstr(words, "    high ");
    if (!low || !medium || !high || !(low < medium && medium < high)) fail_msg("%s", words);
    check(sg_model_describe_json(m, &described));
    json_t *root = json_loads(described, 0, NULL);
    const json_t *rules = json_object_get(root, "rules");
    for (size_t r = 0; r < 3; r++) {
        const json_t *rule = json_array_get(rules, r), *first = json_array_get(json_object_get(rule, "if"), 0);
        double c = json_number_value(json_object_get(first, "c"));
        const char *label = json_string_value(json_object_get(first, "is"));
        assert_string_equal(label, c < 0.2 ? "low" : c > 0.8 ? "high" : "medium");
    }
    json_decref(root);
    sg_string_free(words);
    sg_string_free(described);
    sg_original_units_release(&u);
    sg_model_free(m);
}

/* The range of components is unknown. */
static void components_have_an_order(void **state)
{
    sg_original_units u;
    (void)state;
    sg_model *m = train("preset=mbgd-rda pca=2 mfs=3,2 iters=1");
    check(sg_original_units_init(&u, m));
    assert_string_equal(sg_mf_label(&u, &m->block[0], 1), "medium");
    assert_string_equal(sg_mf_label(&u, &m->block[0], 4), "high");
    sg_original_units_release(&u);
    sg_model_free(m);
}

/* Conditions shared by all rules cancel: they are omitted, and marked in the JSON. */
static void shared_conditions_are_omitted(void **state)
{
    sg_original_units u;
    char *words;
    (void)state;
    sg_model *m = with_terms(2);
    const sg_block *b = &m->block[0];
    check(sg_original_units_init(&u, m));
    assert_int_equal(b->rules, 2);
    for (size_t i = 0; i < INPUTS; i++)
        assert_true(sg_original_units_condition_matters(&u, b, (size_t)b->mf_of[i]) == (i == 0));
    check(sg_model_describe(m, &words));
    if (!strstr(words, "\n  IF   x1 is low\n") || strstr(words, "x2 is")) fail_msg("%s", words);
    for (char *c = words; (c = strchr(c, '\n'));) *c = ' ';
    if (!strstr(words, "Of 20 conditions, 18 are omitted. A condition is omitted if all rules share it or if"))
        fail_msg("%s", words);
    sg_string_free(words);
    sg_original_units_release(&u);
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(labels_follow_locations),
    cmocka_unit_test(table_is_sorted),
    cmocka_unit_test(components_have_an_order),
    cmocka_unit_test(shared_conditions_are_omitted),
};
TEST_GROUP(tests, NULL, NULL)
