/* test_encoder.c: encoding of inputs as features, and counting of values. labels: memory */
#include "test.h"

#include "prep/encoder.h"
#include "prep/value_counts.h"

static sg_encoder *coding_of(const sg_level_count *count, size_t n)
{
    sg_encoder *c = sg_encoder_new();
    check(sg_encoder_add_number(c, "length"));
    check(sg_encoder_add_counted_category(c, "sex", count, n));
    check(sg_encoder_add_number(c, "height"));
    return c;
}

static void assert_features(const sg_encoder *c, const char *const *name, size_t n)
{
    assert_int_equal(c->features, n);
    for (size_t i = 0; i < n; i++) {
        char *is = sg_encoder_feature_name(c, i);
        assert_string_equal(is, name[i]);
        free(is);
    }
}

static void sorts_levels(void **state)
{
    /* numbers by value before words by bytes; levels that do not occur are dropped; 1.0 is 1 */
    const sg_level_count count[] = {{"b", 3},     {"10", 2}, {"1.0", 4}, {"B", 1},
                                    {"never", 0}, {"-2", 1}, {"1", 5},   {"\xc3\xa4", 1}};
    const char *const names[] = {"length",   "sex is -2", "sex is 1",        "sex is 10",
                                 "sex is B", "sex is b",  "sex is \xc3\xa4", "height"};
    (void)state;
    sg_encoder *c = coding_of(count, sizeof count / sizeof *count);
    assert_features(c, names, 8);
    assert_int_equal(c->input[2].first_feature, 7);
    assert_false(c->input[1].pooled);
    assert_int_equal(sg_encoder_category_count(c), 1);
    assert_ptr_equal(sg_encoder_feature_input(c, 6), &c->input[1]);
    assert_ptr_equal(sg_encoder_feature_input(c, 7), &c->input[2]);
    sg_encoder_free(c);
}

static void finds_levels(void **state)
{
    const sg_level_count count[] = {{"7", 1}, {"0", 1}, {"M", 1}};
    (void)state;
    sg_encoder *c = coding_of(count, 3);
    const sg_encoded_input *sex = &c->input[1];
    assert_int_equal(sg_encoded_input_find_text(sex, "0"), 0);
    assert_int_equal(sg_encoded_input_find_text(sex, "7.00"), 1);
    assert_int_equal(sg_encoded_input_find_text(sex, "M"), 2);
    assert_int_equal(sg_encoded_input_find_text(sex, "m"), 3);
    assert_int_equal(sg_encoded_input_find_value(sex, -0.0), 0);
    assert_int_equal(sg_encoded_input_find_value(sex, 7), 1);
    assert_int_equal(sg_encoded_input_find_value(sex, 2), 3); /* a value, not a level index */
    assert_int_equal(sg_encoded_input_find_value(sex, NAN), 3);
    sg_encoder_free(c);
}

static void makes_features(void **state)
{
    const sg_level_count count[] = {{"F", 2}, {"I", 2}, {"M", 2}};
    static const struct {
        double level, feature[3];
    } cases[] = {{0, {1, 0, 0}},   {2, {0, 0, 1}},        {3, {0, 0, 0}},        {-1, {0, 0, 0}},
                 {0.5, {0, 0, 0}}, {INFINITY, {0, 0, 0}}, {NAN, {NAN, NAN, NAN}}};
    (void)state;
    sg_encoder *c = coding_of(count, 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x[3] = {2.385, cases[i].level, -7.25}, f[5];
        sg_encoder_apply(c, x, f);
        assert_true(f[0] == 2.385 && f[4] == -7.25);
        for (size_t k = 0; k < 3; k++)
            assert_true(f[1 + k] == cases[i].feature[k] || (isnan(f[1 + k]) && isnan(cases[i].feature[k])));
    }
    sg_encoder_free(c);
}

enum { MANY = 40 };

/* Level k, "l00" to "l39", occurs 100 - k times, except the last: as often as the 31st. */
static void many_levels(char text[MANY][8], sg_level_count *count)
{
    for (size_t i = 0; i < MANY; i++) {
        size_t k = i * 7 % MANY; /* in any order */
        snprintf(text[i], sizeof text[i], "l%02zu", k);
        count[i] = (sg_level_count){text[i], k == MANY - 1 ? 70 : 100 - k};
    }
}

static void pools_rare_levels(void **state)
{
    char text[MANY][8];
    sg_level_count count[MANY];
    double f[SG_ONE_HOT_MAX];
    (void)state;
    many_levels(text, count);
    sg_encoder *c = coding_of(count, MANY);
    const sg_encoded_input *sex = &c->input[1];
    assert_int_equal(sex->levels, SG_ONE_HOT_MAX - 1);
    assert_true(sex->pooled);
    assert_int_equal(c->features, SG_ONE_HOT_MAX + 2);
    assert_string_equal(sex->level[0], "l00");
    assert_string_equal(sex->level[30], "l30"); /* as often as l39, which sorts later */
    assert_int_equal(sg_encoded_input_find_text(sex, "l31"), sex->levels);
    sg_encoded_input_one_hot(sex, 31, f);
    assert_true(f[31] == 1 && f[30] == 0);
    sg_encoded_input_one_hot(sex, 30, f);
    assert_true(f[31] == 0 && f[30] == 1);
    sg_encoded_input_one_hot(sex, NAN, f);
    assert_true(isnan(f[31]) && isnan(f[0]));
    char *other = sg_encoder_feature_name(c, 32);
    assert_string_equal(other, "sex is other");
    free(other);
    sg_encoder_free(c);
}

static void names_the_pooled_one_apart(void **state)
{
    const char *const level[] = {"other", "any other", "x"};
    (void)state;
    sg_encoder *c = sg_encoder_new();
    check(sg_encoder_add_category(c, "colour", level, 3, true));
    char *name = sg_encoded_input_level_name(&c->input[0], 3);
    assert_string_equal(name, "any any other");
    free(name);
    sg_encoder_free(c);
}

static void leaves_features_out(void **state)
{
    const sg_level_count count[] = {{"F", 2}, {"I", 2}, {"7", 2}};
    const bool keep[] = {false, true, false, true, true};
    const char *const names[] = {"sex is 7", "sex is I", "height"};
    const bool numbers[] = {false, false, true};
    (void)state;
    sg_encoder *c = coding_of(count, 3);
    sg_encoder_select_features(c, keep);
    assert_int_equal(c->inputs, 2);
    assert_features(c, names, 3);
    assert_int_equal(sg_encoded_input_find_value(&c->input[0], 7), 0);
    assert_int_equal(sg_encoded_input_find_text(&c->input[0], "I"), 1);
    sg_encoder_select_features(c, numbers);
    assert_int_equal(c->inputs, 1);
    assert_int_equal(sg_encoder_category_count(c), 0);
    sg_encoder_free(c);
}

static void refuses(void **state)
{
    char text[MANY][8];
    const char *many[MANY], *const twice[] = {"a", "1", "a"}, *const number_twice[] = {"1", "a", "1e0"};
    (void)state;
    sg_encoder *c = sg_encoder_new();
    for (size_t i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "l%02zu", i);
        many[i] = text[i];
    }
    check_fails(sg_encoder_add_category(c, "x", twice, 3, false), SG_EDATA, "\"a\" is repeated");
    check_fails(sg_encoder_add_category(c, "x", number_twice, 3, false), SG_EDATA, "\"1e0\" is repeated");
    check_fails(sg_encoder_add_category(c, "x", many, 33, false), SG_EDATA, "expected 1 to 32 levels, got 33");
    check_fails(sg_encoder_add_category(c, "x", many, 32, true), SG_EDATA, "expected 1 to 31 levels, got 32");
    check_fails(sg_encoder_add_category(c, "x", many, 0, false), SG_EDATA, "expected 1 to 32 levels, got 0");
    check(sg_encoder_add_category(c, "x", many, 32, false));
    assert_int_equal(c->inputs, 1);
    sg_encoder_free(c);
}

static void copies_and_hashes(void **state)
{
    const sg_level_count count[] = {{"F", 2}, {"I", 2}, {"M", 2}}, less[] = {{"F", 2}, {"IM", 2}};
    (void)state;
    sg_encoder *a = coding_of(count, 3), *b = coding_of(less, 2), *copy = sg_encoder_copy(a);
    assert_true(sg_encoder_hash(a) == sg_encoder_hash(copy));
    assert_true(sg_encoder_hash(a) != sg_encoder_hash(b));
    sg_encoder_free(a);
    assert_int_equal(copy->features, 5);
    assert_string_equal(copy->input[1].level[2], "M");
    sg_encoder_free(copy);
    sg_encoder_free(b);
    sg_encoder_free(NULL);
}

static void tallies(void **state)
{
    sg_value_counts t = {0};
    size_t rows = 0, found = 0;
    (void)state;
    for (size_t i = 0; i < 3000; i++) assert_true(sg_value_counts_add(&t, (double)(i % 1000) - 500.25, 1 + i / 1000));
    assert_true(sg_value_counts_add(&t, -0.0, 1) && sg_value_counts_add(&t, 0.0, 2) && sg_value_counts_add(&t, 5, 0));
    assert_int_equal(t.values, 1001);
    for (size_t i = 0; i < t.slots; i++) {
        rows += t.slot[i].rows;
        found += t.slot[i].rows > 0;
        if (t.slot[i].rows) assert_int_equal(t.slot[i].rows, t.slot[i].value == 0 ? 3 : 6);
    }
    assert_int_equal(rows, 6003);
    assert_int_equal(found, 1001);
    sg_value_counts_release(&t);
}

static void tallies_no_end_of_values(void **state)
{
    sg_value_counts t = {0};
    size_t n = 0;
    (void)state;
    while (n < 3 * SG_VALUE_COUNTS_MAX && sg_value_counts_add(&t, (double)n * 0.37, 1)) n++;
    assert_int_equal(n, SG_VALUE_COUNTS_MAX);
    sg_value_counts_release(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sorts_levels),
    cmocka_unit_test(finds_levels),
    cmocka_unit_test(makes_features),
    cmocka_unit_test(pools_rare_levels),
    cmocka_unit_test(names_the_pooled_one_apart),
    cmocka_unit_test(leaves_features_out),
    cmocka_unit_test(refuses),
    cmocka_unit_test(copies_and_hashes),
    cmocka_unit_test(tallies),
    cmocka_unit_test(tallies_no_end_of_values),
};
TEST_GROUP(tests, NULL, NULL)
