/* test_level_union.c: common levels of several sources that are read as one.
 * labels: memory */
#include "data/level_union.h"

#include "data/format/csv/csv.h"
#include "data/format/csv/csv_record_reader.h"
#include "data/source/concat_source.h"
#include "print_table.h"

static sg_table *table_of(const char *text)
{
    sg_byte_reader *in;
    sg_table *t;
    check(sg_byte_reader_open_memory(text, strlen(text), "t.csv", &in));
    check(sg_csv_read(in, &(sg_read_options){.block_bytes = SG_READ_BLOCK_BYTES}, &t));
    sg_byte_reader_close(in);
    return t;
}

/* The rows of all parts as levels and numbers, by read and by gather. */
static char *text_of(const sg_source *s)
{
    sg_text text = {0};
    for (int gathered = 0; gathered < 2; gathered++)
        for (size_t i = 0; i < s->rows; i++) {
            double row[8];
            check(gathered ? s->gather(s->self, &i, 1, row) : s->read(s->self, i, 1, row));
            for (size_t k = 0; k < s->columns; k++) {
                const char *word = sg_source_cell_level(s, k, row[k]);
                sg_text_append(&text, k ? "," : "|");
                if (word) sg_text_append(&text, word);
                else if (isnan(row[k])) sg_text_append(&text, "?");
                else sg_text_append_number(&text, row[k]);
            }
        }
    return text.bytes;
}

static void joins_by_words(void **state)
{
    (void)state;
    static const struct {
        const char *part[3], *expected;
    } cases[] = {
        {{"s,x\nM,1\nF,2\n", "s,x\nF,3\nI,4\n", "s,x\n?,5\nI,6\n"}, "|M,1|F,2|F,3|I,4|?,5|I,6"},
        {{"s,x\nM,1\n7,2\nF,9\n", "s,x\n07,3\n8.50,4\n", "s,x\nF,5\n,6\n"}, "|M,1|7,2|F,9|7,3|8.5,4|F,5|?,6"},
        {{"s,x\n1,1\n2,2\n", "s,x\n3,3\n", "s,x\nM,5\n"}, "|1,1|2,2|3,3|M,5"},
        {{"s,x\n1,1\n2,2\n", "s,x\n3,3\n", "s,x\n,5\n4,1\n"}, "|1,1|2,2|3,3|?,5|4,1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_table *t[3];
        sg_source part[3];
        sg_concat *j;
        char twice[512];
        for (int k = 0; k < 3; k++) part[k] = sg_table_source(t[k] = table_of(cases[i].part[k]));
        check(sg_concat_new(part, 3, &j));
        sg_source all = sg_concat_source(j);
        char *got = text_of(&all);
        snprintf(twice, sizeof twice, "%s%s", cases[i].expected, cases[i].expected);
        assert_string_equal(got, twice);
        assert_true(!all.level == (i == 3));
        free(got);
        sg_concat_free(j);
        for (int k = 0; k < 3; k++) sg_table_free(t[k]);
    }
}

static void refuses_too_many(void **state)
{
    (void)state;
    sg_text text = {0};
    sg_concat *j;
    sg_text_append(&text, "s\n");
    for (int i = 0; i < SG_LEVELS_MAX; i++) sg_text_append_format(&text, "%d\n", i);
    sg_table *a = table_of("s\nM\n"), *b = table_of(text.bytes);
    sg_source part[] = {sg_table_source(a), sg_table_source(b)};
    check_fails(sg_concat_new(part, 2, &j), SG_EDATA,
                "column \"s\" can't be categorical: in all files together it has more than 65536 distinct values, or "
                "its values are too long");
    sg_table_free(a);
    sg_table_free(b);
    sg_text_release(&text);
}

/* A subset has the levels of its base source. */
static void passes_words_on(void **state)
{
    (void)state;
    static const size_t rows[] = {2, 0};
    sg_table *t = table_of("s,x\nM,1\nF,2\nI,3\n");
    sg_source s = sg_table_source(t);
    sg_subset *some;
    check(sg_subset_new(&s, rows, 2, &some));
    sg_source chosen = sg_subset_source(some);
    char *got = text_of(&chosen);
    assert_string_equal(got, "|I,3|M,1|I,3|M,1");
    free(got);
    sg_subset_free(some);
    sg_table_free(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(joins_by_words),
    cmocka_unit_test(refuses_too_many),
    cmocka_unit_test(passes_words_on),
};
TEST_GROUP(tests, NULL, NULL)
