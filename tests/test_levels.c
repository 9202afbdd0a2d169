/* test_levels.c: words and their codes. */
#include "data/levels.h"

#include "test.h"

static uint32_t add(sg_levels *l, const char *text, sg_leveled expected)
{
    uint32_t code = 12345;
    assert_int_equal(sg_levels_add(l, text, strlen(text), &code), expected);
    return code;
}

static void counts_words_once(void **state)
{
    (void)state;
    sg_levels l = {0};
    assert_null(sg_levels_text(&l, 0));
    assert_true(isnan(sg_levels_find(&l, "M", 1)));
    assert_int_equal(add(&l, "M", SG_LEVEL_NEW), 0);
    assert_int_equal(add(&l, "F", SG_LEVEL_NEW), 1);
    assert_int_equal(add(&l, "M", SG_LEVEL_KNOWN), 0);
    assert_int_equal(add(&l, "MF", SG_LEVEL_NEW), 2);
    assert_true(sg_levels_find(&l, "F", 1) == 1);
    assert_true(isnan(sg_levels_find(&l, "", 0)));
    assert_string_equal(sg_levels_text(&l, 2), "MF");
    assert_null(sg_levels_text(&l, 3));
    sg_levels_release(&l);
}

static void knows_numbers_by_value(void **state)
{
    (void)state;
    sg_levels l = {0};
    uint32_t code;
    assert_int_equal(sg_levels_add_number(&l, 2.385, &code), SG_LEVEL_NEW);
    assert_int_equal(sg_levels_add_number(&l, -0.0, &code), SG_LEVEL_NEW);
    assert_int_equal(sg_levels_add_number(&l, 0, &code), SG_LEVEL_KNOWN);
    assert_int_equal(code, 1);
    assert_int_equal(add(&l, "2.385", SG_LEVEL_KNOWN), 0);
    assert_true(sg_levels_find_number(&l, 2.385) == 0);
    assert_true(isnan(sg_levels_find_number(&l, 7)));
    sg_levels_release(&l);
}

static void holds_so_many(void **state)
{
    (void)state;
    sg_levels l = {0};
    char text[32];
    for (int i = 0; i < SG_LEVELS_MOST; i++) {
        snprintf(text, sizeof text, "w%d", i * 7);
        assert_int_equal(add(&l, text, SG_LEVEL_NEW), i);
    }
    add(&l, "w1", SG_LEVEL_FULL);
    assert_int_equal(add(&l, "w7", SG_LEVEL_KNOWN), 1);
    assert_string_equal(sg_levels_text(&l, SG_LEVELS_MOST - 1), text);
    sg_levels_release(&l);
}

static void holds_so_many_bytes(void **state)
{
    (void)state;
    static char text[SG_LEVELS_BYTES];
    sg_levels l = {0};
    uint32_t code;
    memset(text, 'x', sizeof text);
    assert_int_equal(sg_levels_add(&l, text, sizeof text, &code), SG_LEVEL_FULL);
    assert_int_equal(sg_levels_add(&l, text, sizeof text - 1, &code), SG_LEVEL_NEW);
    add(&l, "y", SG_LEVEL_FULL);
    sg_levels_release(&l);
}

static void several_share_a_count(void **state)
{
    (void)state;
    static char text[SG_LEVELS_BYTES - 1];
    enum { COLUMNS = SG_LEVELS_ALL / SG_LEVELS_BYTES };
    size_t all = 0;
    sg_levels l[COLUMNS] = {{0}};
    uint32_t code;
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < COLUMNS; i++) l[i].all = &all;
    for (size_t i = 0; i < COLUMNS; i++)
        assert_int_equal(sg_levels_add(&l[i], text, sizeof text, &code),
                         i + 1 < COLUMNS ? SG_LEVEL_NEW : SG_LEVEL_FULL);
    sg_levels_release(&l[1]);
    assert_int_equal(sg_levels_add(&l[COLUMNS - 1], text, sizeof text, &code), SG_LEVEL_NEW);
    for (size_t i = 0; i < COLUMNS; i++) sg_levels_release(&l[i]);
    assert_int_equal(all, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_words_once),     cmocka_unit_test(knows_numbers_by_value),
        cmocka_unit_test(holds_so_many),         cmocka_unit_test(holds_so_many_bytes),
        cmocka_unit_test(several_share_a_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
