/* test_csv_large.c: the CSV reader with many columns, long lines and large files. */
#include "base/random/random.h"
#include "base/text.h"
#include "data/format/csv/csv.h"
#include "data/format/csv/csv_record_reader.h"
#include "test.h"

#include <stdlib.h>

static sg_status read_blocks(const sg_text *text, size_t block, sg_table **t)
{
    sg_byte_reader *in;
    sg_read_options how = {.block_bytes = block};
    check(sg_byte_reader_open_memory(text->bytes, text->length, "big.csv", &in));
    sg_status st = sg_csv_read(in, &how, t);
    sg_byte_reader_close(in);
    return st;
}

static void repeat(sg_text *text, const char *what, size_t n)
{
    size_t length = strlen(what);
    char *bytes = malloc(n * length);
    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++) memcpy(bytes + i * length, what, length);
    sg_text_append_bytes(text, bytes, n * length);
    free(bytes);
}

/* Random numbers in a random layout: quotes, blanks, all line ends, blank lines, a text column. Larger than the bytes
 * that the delimiter is detected from. */
static void put_row(sg_text *text, size_t i)
{
    static const char *const ends[] = {"\n", "\r\n", "\r", "\n\n", "\r\n \n"};
    sg_random_stream s = sg_random_stream_at(7, SG_RANDOM_SYNTHETIC_DATA, 0, i);
    sg_text_append(text, i % 3 ? "\"M, or\n\"\"F\"\"\"" : "M");
    for (size_t j = 0; j < 4; j++) {
        uint64_t style = sg_random_stream_below(&s, 4);
        sg_text_append(text, style == 1 ? " ,\"" : style == 2 ? ",  " : ",");
        sg_text_append_number(text, sg_random_stream_normal(&s));
        sg_text_append(text, style == 1 ? "\"\t" : style == 3 ? " " : "");
    }
    sg_text_append(text, ends[sg_random_stream_below(&s, 5)]);
}

static void ignores_block_size(void **state)
{
    (void)state;
    static const size_t blocks[] = {1, 13, 100, 4096, 65535, SG_READ_BLOCK_BYTES};
    sg_text text = {0};
    sg_table *first, *t;
    sg_text_append(&text, "sex,a,b,c,d\n");
    for (size_t i = 0; i < 5000; i++) put_row(&text, i);
    assert_true(text.length > SG_READ_BLOCK_BYTES);
    check(read_blocks(&text, 1 << 24, &first));
    assert_int_equal(sg_table_rows(first), 5000);
    assert_int_equal(sg_table_columns(first), 5);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        check(read_blocks(&text, blocks[i], &t));
        assert_int_equal(sg_table_rows(t), 5000);
        assert_memory_equal(sg_table_values(t), sg_table_values(first), 5000 * 5 * sizeof(double));
        sg_table_free(t);
    }
    sg_table_free(first);
    sg_text_release(&text);
}

/* Compares the numbers with those that were written. */
static void reads_what_was_written(void **state)
{
    (void)state;
    sg_text text = {0};
    sg_table *t;
    for (size_t i = 0; i < 20000; i++) {
        sg_random_stream s = sg_random_stream_at(8, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        sg_text_append_number(&text, sg_random_stream_normal(&s));
        sg_text_append(&text, i % 2 ? "\r\n" : ",");
    }
    check(read_blocks(&text, 1000, &t));
    assert_int_equal(sg_table_rows(t), 10000);
    for (size_t i = 0; i < 20000; i++) {
        sg_random_stream s = sg_random_stream_at(8, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        assert_true(sg_table_values(t)[i] == sg_random_stream_normal(&s));
    }
    sg_table_free(t);
    sg_text_release(&text);
}

/* Rows become shorter, so that there are more than the first rows suggest; the table is large enough for huge pages. */
static void grows_beyond_what_was_foreseen(void **state)
{
    (void)state;
    sg_text text = {0};
    sg_table *t;
    repeat(&text, "0000000000000000000000000000000000000001,2\n", 1500);
    repeat(&text, "1,2\n", 400000);
    check(read_blocks(&text, 4096, &t));
    assert_int_equal(sg_table_rows(t), 401500);
    for (size_t i = 0; i < 2 * 401500; i++) assert_true(sg_table_values(t)[i] == (double)(1 + i % 2));
    sg_table_free(t);
    sg_text_release(&text);
}

static void counts_lines(void **state)
{
    (void)state;
    sg_text text = {0};
    sg_table *t;
    sg_text_append(&text, "a,b\n");
    repeat(&text, "1,2\r\n", 100000);
    repeat(&text, "\"3\n\",4\n", 5); /* blanks and a line end inside quotes: not a number */
    assert_int_equal(read_blocks(&text, SG_READ_BLOCK_BYTES, &t), SG_EDATA);
    assert_string_equal(sg_errmsg(), "big.csv:100002:1: \"3?\" is not a number (column \"a\")");
    sg_text_append(&text, "5\n");
    assert_int_equal(read_blocks(&text, SG_READ_BLOCK_BYTES, &t), SG_EDATA);
    assert_string_equal(sg_errmsg(), "big.csv:100012:2: the row has 1 field; expected 2 as in line 1");
    sg_text_release(&text);
}

static void reads_many_columns(void **state)
{
    (void)state;
    sg_text text = {0};
    sg_table *t;
    repeat(&text, "1;", SG_COLUMNS_MAX - 1);
    sg_text_append(&text, "2\n");
    check(read_blocks(&text, SG_READ_BLOCK_BYTES, &t));
    assert_int_equal(sg_table_columns(t), SG_COLUMNS_MAX);
    assert_string_equal(sg_table_name(t, SG_COLUMNS_MAX - 1), "c1000000");
    assert_true(sg_table_values(t)[SG_COLUMNS_MAX - 1] == 2);
    sg_table_free(t);
    text.length--;
    sg_text_append(&text, ";3\n");
    assert_int_equal(read_blocks(&text, SG_READ_BLOCK_BYTES, &t), SG_EDATA);
    assert_string_equal(sg_errmsg(), "big.csv:1:1000001: the record has more than 1,000,000 columns");
    sg_text_release(&text);
}

static void refuses_endless_quote(void **state)
{
    (void)state;
    sg_text text = {0};
    sg_table *t;
    sg_text_append(&text, "a,b\n1,2\n3,\"4\n");
    repeat(&text, "5,6\n", SG_WINDOW_BYTES_MAX / 4 + 1000);
    assert_int_equal(read_blocks(&text, SG_READ_BLOCK_BYTES, &t), SG_EDATA);
    assert_string_equal(sg_errmsg(), "big.csv:3:2: a line or cell is longer than 128 MB; is a closing quote missing?");
    sg_text_release(&text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ignores_block_size),
    cmocka_unit_test(reads_what_was_written),
    cmocka_unit_test(grows_beyond_what_was_foreseen),
    cmocka_unit_test(counts_lines),
    cmocka_unit_test(reads_many_columns),
    cmocka_unit_test(refuses_endless_quote),
};
TEST_GROUP(tests, NULL, NULL)
