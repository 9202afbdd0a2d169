/* test_table_builder.c: collecting rows and inferring column types.
 * labels: memory */
#include "data/ingest/table_builder.h"

#include "base/options.h"
#include "test.h"

#include <stdbool.h>

#include <stdlib.h>

static const sg_field header[] = {{.text = "a", .length = 1, .line = 1},
                                  {.text = "b", .length = 1, .line = 1},
                                  {.text = "c", .length = 1, .line = 1}};

static sg_text heard;

static void hear(void *arg, const char *sentence)
{
    (void)arg;
    sg_text_append_format(&heard, "<%s>", sentence);
}

static sg_options *listening(void)
{
    sg_options *o;
    check(sg_options_new(&o));
    sg_options_on_notice(o, hear, NULL);
    sg_text_release(&heard);
    sg_text_append(&heard, "");
    return o;
}

static void put(sg_table_builder *s, size_t k, const char *text, double *row)
{
    sg_field cell = {.text = text, .length = strlen(text), .line = s->row_count + 2};
    if (sg_number_parse(text, strlen(text), &row[k]) != SG_NUMBER_OK)
        check(sg_table_builder_put_text(s, k, &cell, row));
}

static void add(sg_table_builder *s, const char *a, const char *b, const char *c)
{
    double *row;
    check(sg_table_builder_next_row(s, 0, &row));
    put(s, 0, a, row);
    put(s, 1, b, row);
    put(s, 2, c, row);
    sg_table_builder_commit_row(s, row);
}

static void boxes_words(void **state)
{
    (void)state;
    uint32_t code = 0;
    assert_true(isnan(sg_nanbox_pack(0)) && isnan(sg_nanbox_pack(UINT32_MAX)));
    assert_true(sg_nanbox_unpack(sg_nanbox_pack(65535), &code) && code == 65535);
    assert_false(sg_nanbox_unpack((double)NAN, &code));
    assert_false(sg_nanbox_unpack(-(double)NAN, &code));
    assert_false(sg_nanbox_unpack(2.385, &code));
}

static void maps_what_is_kept(void **state)
{
    (void)state;
    sg_options *o = listening();
    sg_read_options how = {.missing = "?,-999", .notify = o};
    sg_table_builder s = {0};
    sg_table *t;
    check(sg_table_builder_init(&s, "f", &how, header, 3));
    add(&s, "2.385", "M", "2001-02-03");
    add(&s, "-999", "7", "2001-02-04");
    add(&s, "?", "F", "2001-02-05");
    add(&s, "1", "M", "7");
    check(sg_table_builder_finish(&s, "f", &t));
    static const double expected[] = {2.385, 0, NAN, 2, NAN, 1, 1, 0};
    assert_int_equal(sg_table_columns(t), 2);
    for (size_t i = 0; i < 8; i++)
        if (isnan(expected[i])) assert_true(isnan(sg_table_values(t)[i]));
        else assert_true(sg_table_values(t)[i] == expected[i]);
    sg_source rows = sg_table_source(t);
    assert_string_equal(rows.level(rows.self, 1, 2), "7");
    assert_null(rows.level(rows.self, 1, 3));
    assert_null(rows.level(rows.self, 0, 0));
    assert_null(rows.level(rows.self, 2, 0));
    assert_string_equal(sg_table_dropped_column(t, 0), "c");
    assert_string_equal(heard.bytes, "<left out dates: c>");
    sg_table_free(t);
    sg_table_builder_release(&s);
    sg_options_free(o);
}

/* Rows with a row number a, b with `levels` distinct words, and a number c. */
static sg_status fill(const sg_read_options *how, size_t rows, size_t levels, size_t from, sg_table **t)
{
    sg_table_builder s = {0};
    char a[32], b[32];
    check(sg_table_builder_init(&s, "f", how, header, 3));
    for (size_t i = 0; i < rows; i++) {
        snprintf(a, sizeof a, "%zu", i + from);
        snprintf(b, sizeof b, "w%zu", i % levels);
        add(&s, a, b, i % 3 ? "2.5" : "7");
    }
    sg_status st = sg_table_builder_finish(&s, "f", t);
    sg_table_builder_release(&s);
    return st;
}

static void leaves_identifiers_out(void **state)
{
    (void)state;
    static const char *const wanted[] = {"a", "b", "c"};
    static const struct {
        size_t rows, levels, from;
        const char *categorical, *numeric;
        size_t wanted, columns;
        const char *notice;
    } cases[] = {
        {100, 5, 2, NULL, NULL, 0, 3, ""},
        {100, 50, 2, NULL, NULL, 0, 3, ""},
        {100, 51, 2, NULL, NULL, 0, 2, "<left out identifiers: b>"},
        {20, 20, 2, NULL, NULL, 0, 3, ""},
        {21, 21, 2, NULL, NULL, 0, 2, "<left out identifiers: b>"},
        {21, 21, 2, "b", NULL, 0, 3, ""},
        {21, 21, 1, NULL, NULL, 3, 3, ""},
        {21, 7, 1, NULL, NULL, 0, 2, "<left out identifiers: a>"},
        {21, 7, 0, NULL, NULL, 0, 2, "<left out identifiers: a>"},
        {20, 7, 1, NULL, NULL, 0, 3, ""},
        {21, 7, 1, NULL, "a", 0, 3, ""},
        {21, 7, 1, "a", NULL, 0, 3, ""},
        {21, 21, 1, NULL, NULL, 0, 2, "<left out identifiers: b>"}, /* a is the only column left to learn from */
        {70000, 66000, 2, NULL, NULL, 0, 2, "<left out identifiers: b>"},
        {200000, 65536, 2, NULL, NULL, 0, 3, ""},
        {200000, 65537, 2, NULL, NULL, 0, 2, "<left out identifiers: b>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_options *o = listening();
        sg_table *t;
        sg_read_options how = {.notify = o,
                               .categorical = cases[i].categorical,
                               .numeric = cases[i].numeric,
                               .wanted = cases[i].wanted ? wanted : NULL,
                               .wanted_count = cases[i].wanted};
        check(fill(&how, cases[i].rows, cases[i].levels, cases[i].from, &t));
        if (strcmp(heard.bytes, cases[i].notice) != 0) fail_msg("case %zu: %s", i, heard.bytes);
        assert_int_equal(sg_table_columns(t), cases[i].columns);
        sg_table_free(t);
        sg_options_free(o);
    }
}

/* Without options there is no way to keep a row number, so it is not dropped. */
static void keeps_numbering_unasked(void **state)
{
    (void)state;
    sg_table *t;
    check(fill(&(sg_read_options){0}, 50, 7, 1, &t));
    assert_int_equal(sg_table_columns(t), 3);
    sg_table_free(t);
}

static void refuses_too_many_levels(void **state)
{
    (void)state;
    sg_table *t;
    sg_read_options how = {.categorical = "b"};
    check_fails(fill(&how, 65537, 65537, 0, &t), SG_EDATA,
                "f: column \"b\" can't be categorical: it has more than 65536 distinct values");
    how = (sg_read_options){.categorical = "a"};
    check_fails(fill(&how, 65537, 7, 0, &t), SG_EDATA,
                "f: column \"a\" can't be categorical: it has more than 65536 distinct values");
}

static int forget(void **state)
{
    (void)state;
    sg_text_release(&heard);
    return 0;
}

/* --- the level budget of all columns --- */

enum { LONG = 1 << 16, LONG_WORDS = 200 };

static const sg_field seven[] = {{.text = "a", .length = 1}, {.text = "b", .length = 1}, {.text = "c", .length = 1},
                                 {.text = "d", .length = 1}, {.text = "e", .length = 1}, {.text = "f", .length = 1},
                                 {.text = "g", .length = 1}};

/* Column k has count[k] long words, in ascending or descending order, followed by rows of one word. */
static void fill_long(sg_table_builder *s, const sg_read_options *how, const size_t *count, size_t columns,
                      bool backward)
{
    static char word[LONG];
    memset(word, 'x', sizeof word);
    check(sg_table_builder_init(s, "f", how, seven, columns));
    for (size_t i = 0; i < LONG_WORDS; i++) {
        double *row;
        check(sg_table_builder_next_row(s, 0, &row));
        for (size_t k = 0; k < columns; k++) {
            size_t at = backward ? LONG_WORDS - 1 - i : i;
            snprintf(word, 8, "%07zu", at < count[k] ? at : 0);
            word[7] = 'x';
            check(
                sg_table_builder_put_text(s, k, &(sg_field){.text = word, .length = sizeof word, .line = i + 1}, row));
        }
        sg_table_builder_commit_row(s, row);
    }
}

/* The words of each column fit, but those of all columns together do not. */
static void words_of_all_columns(void **state)
{
    static const size_t count[] = {200, 200, 200, 200, 200, 200};
    sg_read_options how = {.missing = "", .categorical = "a,b,c,d,e,f"};
    sg_table_builder s = {0};
    sg_table *t;
    (void)state;
    fill_long(&s, &how, count, 6, false);
    assert_int_equal(s.level_bytes, 0);
    assert_int_equal(s.level_bytes_limit, SG_LEVEL_BYTES_MAX / 2);
    check_fails(sg_table_builder_finish(&s, "f", &t), SG_EDATA,
                "can't be categorical: it has more than 65536 distinct values, or its values are too long");
    sg_table_builder_release(&s);
}

/* Which columns overflow depends on their words, not on the order of rows; 8 MB per column are left here. */
static void words_in_any_order(void **state)
{
    static const size_t count[] = {200, 130, 120, 190, 140, 150, 100};
    (void)state;
    for (int backward = 0; backward < 2; backward++) {
        sg_read_options how = {.missing = ""};
        sg_table_builder s = {0};
        fill_long(&s, &how, count, 7, backward);
        assert_int_equal(s.level_bytes_limit, SG_LEVEL_BYTES_MAX / 2);
        assert_int_equal(s.overflowed_columns, 5);
        assert_true(s.level_bytes <= SG_LEVEL_BYTES_TOTAL_MAX && s.level_bytes > 220 * (size_t)LONG);
        for (size_t k = 0; k < 7; k++) assert_int_equal(s.column[k].overflowed, count[k] > 127);
        sg_table_builder_release(&s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_words),
    cmocka_unit_test(maps_what_is_kept),
    cmocka_unit_test(leaves_identifiers_out),
    cmocka_unit_test(keeps_numbering_unasked),
    cmocka_unit_test(refuses_too_many_levels),
    cmocka_unit_test(words_of_all_columns),
    cmocka_unit_test(words_in_any_order),
};
TEST_GROUP(tests, NULL, forget)
