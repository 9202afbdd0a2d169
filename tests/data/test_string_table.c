/* test_string_table.c: interned strings and their codes. */
#include "data/string_table.h"

#include "test.h"

static uint32_t add(sg_string_table *l, const char *text, sg_intern_result expected)
{
    uint32_t code = 12345;
    assert_int_equal(sg_string_table_intern(l, text, strlen(text), &code), expected);
    return code;
}

static void counts_words_once(void **state)
{
    (void)state;
    sg_string_table l = {0};
    assert_null(sg_string_table_get(&l, 0));
    assert_true(isnan(sg_string_table_find(&l, "M", 1)));
    assert_int_equal(add(&l, "M", SG_INTERN_ADDED), 0);
    assert_int_equal(add(&l, "F", SG_INTERN_ADDED), 1);
    assert_int_equal(add(&l, "M", SG_INTERN_FOUND), 0);
    assert_int_equal(add(&l, "MF", SG_INTERN_ADDED), 2);
    assert_true(sg_string_table_find(&l, "F", 1) == 1);
    assert_true(isnan(sg_string_table_find(&l, "", 0)));
    assert_string_equal(sg_string_table_get(&l, 2), "MF");
    assert_null(sg_string_table_get(&l, 3));
    sg_string_table_release(&l);
}

static void knows_numbers_by_value(void **state)
{
    (void)state;
    sg_string_table l = {0};
    uint32_t code;
    assert_int_equal(sg_string_table_intern_number(&l, 2.385, &code), SG_INTERN_ADDED);
    assert_int_equal(sg_string_table_intern_number(&l, -0.0, &code), SG_INTERN_ADDED);
    assert_int_equal(sg_string_table_intern_number(&l, 0, &code), SG_INTERN_FOUND);
    assert_int_equal(code, 1);
    assert_int_equal(add(&l, "2.385", SG_INTERN_FOUND), 0);
    assert_true(sg_string_table_find_number(&l, 2.385) == 0);
    assert_true(isnan(sg_string_table_find_number(&l, 7)));
    sg_string_table_release(&l);
}

static void holds_so_many(void **state)
{
    (void)state;
    sg_string_table l = {0};
    char text[32];
    for (int i = 0; i < SG_LEVELS_MAX; i++) {
        snprintf(text, sizeof text, "w%d", i * 7);
        assert_int_equal(add(&l, text, SG_INTERN_ADDED), i);
    }
    add(&l, "w1", SG_INTERN_FULL);
    assert_int_equal(add(&l, "w7", SG_INTERN_FOUND), 1);
    assert_string_equal(sg_string_table_get(&l, SG_LEVELS_MAX - 1), text);
    sg_string_table_release(&l);
}

static void holds_so_many_bytes(void **state)
{
    (void)state;
    static char text[SG_LEVEL_BYTES_MAX];
    sg_string_table l = {0};
    uint32_t code;
    memset(text, 'x', sizeof text);
    assert_int_equal(sg_string_table_intern(&l, text, sizeof text, &code), SG_INTERN_FULL);
    assert_int_equal(sg_string_table_intern(&l, text, sizeof text - 1, &code), SG_INTERN_ADDED);
    add(&l, "y", SG_INTERN_FULL);
    sg_string_table_release(&l);
}

static void several_share_a_count(void **state)
{
    (void)state;
    static char text[SG_LEVEL_BYTES_MAX - 1];
    enum { COLUMNS = SG_LEVEL_BYTES_TOTAL_MAX / SG_LEVEL_BYTES_MAX };
    size_t all = 0;
    sg_string_table l[COLUMNS] = {{0}};
    uint32_t code;
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < COLUMNS; i++) l[i].shared_bytes = &all;
    for (size_t i = 0; i < COLUMNS; i++)
        assert_int_equal(sg_string_table_intern(&l[i], text, sizeof text, &code),
                         i + 1 < COLUMNS ? SG_INTERN_ADDED : SG_INTERN_FULL);
    sg_string_table_release(&l[1]);
    assert_int_equal(sg_string_table_intern(&l[COLUMNS - 1], text, sizeof text, &code), SG_INTERN_ADDED);
    for (size_t i = 0; i < COLUMNS; i++) sg_string_table_release(&l[i]);
    assert_int_equal(all, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(counts_words_once),   cmocka_unit_test(knows_numbers_by_value), cmocka_unit_test(holds_so_many),
    cmocka_unit_test(holds_so_many_bytes), cmocka_unit_test(several_share_a_count),
};
TEST_GROUP(tests, NULL, NULL)
