/* test_csv.c: the CSV reader on valid and invalid text, with block boundaries at every position.
 * labels: memory */
#include "base/text.h"
#include "data/format/csv/csv.h"
#include "data/format/csv/csv_record_reader.h"
#include "print_table.h"

#include <stdbool.h>
#include <stdlib.h>

/* Small blocks split every field, quote and line end somewhere. */
static const size_t blocks[] = {1, 2, 3, 7, 64, SG_READ_BLOCK_BYTES};

static sg_status read_text(const char *text, size_t n, const sg_read_options *how, sg_table **t)
{
    sg_byte_reader *in;
    check(sg_byte_reader_open_memory(text, n, "t.csv", &in));
    sg_status st = sg_csv_read(in, how, t);
    sg_byte_reader_close(in);
    return st;
}

static void expect_bytes(const char *text, size_t n, sg_read_options how, const char *expected)
{
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        sg_table *t = NULL;
        how.block_bytes = blocks[i];
        sg_status st = read_text(text, n, &how, &t);
        char *got = table_text(st, t);
        if (strcmp(got, expected) != 0)
            fail_msg("block %zu of <%s>:\n  got      %s\n  expected %s", how.block_bytes, text, got, expected);
        if (st != SG_OK) assert_int_equal(st, SG_EDATA);
        sg_table_free(t);
        free(got);
    }
}

typedef struct sample {
    const char *text, *expected;
} sample;

static void expect_all(const sample *samples, size_t n, sg_read_options how)
{
    for (size_t i = 0; i < n; i++) expect_bytes(samples[i].text, strlen(samples[i].text), how, samples[i].expected);
}

#define EXPECT(samples, ...) expect_all(samples, sizeof samples / sizeof *samples, (sg_read_options){__VA_ARGS__})

static void reads_layouts(void **state)
{
    (void)state;
    static const sample samples[] = {
        {"a,b\n2.385,-7.5\n3,4\n", "a,b|2.385,-7.5|3,4"},
        {"a,b\n2.385,-7.5", "a,b|2.385,-7.5"},
        {"a,b\r\n1,2\r\n3,4\r\n", "a,b|1,2|3,4"},
        {"a,b\r1,2\r3,4\r", "a,b|1,2|3,4"},
        {"a,b\r1,2\r3,4", "a,b|1,2|3,4"},
        {"a,b\n1,2\r\n3,4\r5,6", "a,b|1,2|3,4|5,6"},
        {"\n\n  \na,b\n\n1,2\n \t \n\r\n3,4\n\n\n", "a,b|1,2|3,4"},
        {"a;b\n1;2\n", "a,b|1,2"},
        {"a\tb\n1\t2\n", "a,b|1,2"},
        {"a\n1\n2\n", "a|1|2"},
        {"  a , b\t\n 1 ,\t2  \n", "a,b|1,2"},
        {"\xEF\xBB\xBF"
         "a,b\n1,2\n",
         "a,b|1,2"},
        {"\xEF\xBB\xBF\"a\",b\n1,2\n", "a,b|1,2"},
        {"\xC3\xA4,\xE6\xB8\xA9\n1,2\n", "\xC3\xA4,\xE6\xB8\xA9|1,2"},
        {",b,\n1,2,3\n", "column1,b,column3|1,2,3"},
        {"+1,-2.5e3,.5,5.,1E+2,00012\n", "c1,c2,c3,c4,c5,c6|1,-2500,0.5,5,100,12"},
    };
    EXPECT(samples, .header = SG_HEADER_AUTO);
}

static void reads_quotes(void **state)
{
    (void)state;
    static const sample samples[] = {
        {"\"a\",\"b\"\n\"1\",\"2\"\n", "a,b|1,2"},
        {"\"x, y\",\"say \"\"hi\"\"\"\n1,2\n", "x, y,say \"hi\"|1,2"},
        {"\"two\nlines\",\"three\r\n\rlines\"\n1,2\n", "two lines,three   lines|1,2"},
        {"  \"a\"  , \"b\"\n \"1\" ,\"2\" \n", "a,b|1,2"},
        {"\" a \",\"\"\"\"\n1,2\n", "a,\"|1,2"},
        {"a\"b,c\"\"d\n1,2\n", "a\"b,c\"\"d|1,2"},
        {"\"a\"\r\"1\"\r\n\"2\"", "a|1|2"},
    };
    EXPECT(samples, .header = SG_HEADER_AUTO);
}

static void detects_delimiters(void **state)
{
    (void)state;
    static const sample samples[] = {
        /* A comma in names, quoted or not, does not outweigh the delimiter that splits lines evenly. */
        {"\"a,1\";b\n1;2\n", "a,1,b|1,2"},
        {"a, in m;b\n1;2\n3;4\n", "a, in m,b|1,2|3,4"},
        {"a;b\tc\n1\t2\n", "a;b,c|1,2"},
        /* Decimal commas in every line: the delimiter is still the semicolon, and the message mentions commas. */
        {"1,5;2,5\n3,5;4,5\n",
         "t.csv:1:1: \"1,5\" is not a number (column \"c1\"); the decimal separator must be a point"},
        /* A semicolon in every line of a text column. */
        {"1.5,2.5,a;b\n3.5,4.5,c;d\n", "c1,c2,c3|1.5,2.5,a;b|3.5,4.5,c;d"},
        /* A title above the table. */
        {"My data\na,b\n1,2\n3,4\n", "t.csv:2:2: the row has 2 fields; expected 1 as in line 1"},
    };
    EXPECT(samples, .header = SG_HEADER_AUTO);
    static const sample as_tabs[] = {{"a;b\n1;2\n", "a;b|1;2"}};
    EXPECT(as_tabs, .delimiter = '\t');
    static const sample as_semicolons[] = {{"a,x;b\n1;2\n", "a,x,b|1,2"}};
    EXPECT(as_semicolons, .delimiter = ';');
}

static void detects_headers(void **state)
{
    (void)state;
    static const sample samples[] = {
        {"1,2\n3,4\n", "c1,c2|1,2|3,4"},  {"1,2\n", "c1,c2|1,2"},
        {"x,2010\n1,2\n", "x,2010|1,2"},  {"M,1\nF,2\n", "c1,c2|M,1|F,2"},
        {"sex,n\nF,2\n", "sex,n|F,2"},    {",x\n1,2\n", "column1,x|1,2"},
        {"NA,2\n1,2\n", "c1,c2|?,2|1,2"}, {"1e400,2\n1,2\n", "t.csv:1:1: \"1e400\" is out of range (column \"c1\")"},
    };
    EXPECT(samples, .header = SG_HEADER_AUTO);
    static const sample with[] = {{"1,2\n3,4\n", "1,2|3,4"},
                                  {"1,2\n", "t.csv: there are no rows after the header; expected rows of numbers"}};
    EXPECT(with, .header = SG_HEADER_YES);
    static const sample without[] = {{"1,2\n3,4\n", "c1,c2|1,2|3,4"},
                                     {"a,2\n1,2\n1,2\n", "t.csv:1:1: \"a\" is not a number (column \"c1\")"}};
    EXPECT(without, .header = SG_HEADER_NO);
}

static void refuses_structure(void **state)
{
    (void)state;
    static const sample samples[] = {
        {"", "t.csv: the input is empty; expected rows of numbers"},
        {"\xEF\xBB\xBF", "t.csv: the input is empty; expected rows of numbers"},
        {"\n \n\r\n", "t.csv: the input is empty; expected rows of numbers"},
        {"a,b\n", "t.csv: there are no rows after the header; expected rows of numbers"},
        {"a,b\n\n\n", "t.csv: there are no rows after the header; expected rows of numbers"},
        {"a,b,c\n1,2,3\n\n4,5\n", "t.csv:4:3: the row has 2 fields; expected 3 as in line 1"},
        {"a,b,c\n1,2\n", "t.csv:2:3: the row has 2 fields; expected 3 as in line 1"},
        {"\na,b,c\n1,2,3,4\n", "t.csv:3:4: the row has 4 fields; expected 3 as in line 2"},
        {"a,b\n1,2\n3\n", "t.csv:3:2: the row has 1 field; expected 2 as in line 1"},
        {"a,b\r\n1,2\r\n3\r\n", "t.csv:3:2: the row has 1 field; expected 2 as in line 1"},
        {"\"a\r\n\r\n\",b\r\n\r\n1,2\r\n3\r\n", "t.csv:6:2: the row has 1 field; expected 2 as in line 1"},
        {"a,b\r\r1,2\r3\r", "t.csv:4:2: the row has 1 field; expected 2 as in line 1"},
        {"a,b\n1,2,\n", "t.csv:2:3: the row has 3 fields; expected 2 as in line 1"},
        {"a,b\n1,\"2\n3,4\n", "t.csv:2:2: this quote is never closed"},
        {"a,b\n1,2\n\"x\ny\",\"", "t.csv:4:2: this quote is never closed"},
        {"a,b\n\"1\n2\"3,4\n", "t.csv:2:1: there is text after a closing quote; write a quote inside "
                               "a field as \"\""},
        {"\"a\" b,c\n1,2\n", "t.csv:1:1: there is text after a closing quote; write a quote inside "
                             "a field as \"\""},
        {"a,b\n,?\n", "t.csv: no numeric or categorical column is left"},
        {"x,y,x\n1,2,3\n", "t.csv:1:3: columns 1 and 3 are both named \"x\"; rename one of them"},
        {"column2,\n1,2\n", "t.csv:1:2: columns 1 and 2 are both named \"column2\"; rename one of them"},
        {"a,t\xE4mp\n1,2\n", "t.csv:1:2: the column name \"t?mp\" is not UTF-8; convert the file, "
                             "for example with: iconv -f latin1 -t utf-8"},
        {"PK\x03\x04", "t.csv: this is a spreadsheet or a zip archive; save it as CSV"},
        {"\xFD"
         "7zXZ",
         "t.csv: this is compressed with xz; decompress it, or use gzip"},
    };
    EXPECT(samples, .header = SG_HEADER_AUTO);
}

static void refuses_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *expected;
    } cases[] = {
        {"a,b\n1,2\n3,\0\n", 12, "t.csv:3:2: the field contains a NUL byte; expected text in UTF-8"},
        {"a,b\n1,2\n\"\n\n\0\",4\n", 16, "t.csv:3:1: the field contains a NUL byte; expected text in UTF-8"},
        {"a,b\n1,\"2\"\0\n", 11, "t.csv:2:2: the field contains a NUL byte; expected text in UTF-8"},
        {"\0", 1, "t.csv:1:1: the field contains a NUL byte; expected text in UTF-8"},
        {"\xFF\xFE"
         "a\0",
         4, "t.csv: this is UTF-16; save it as UTF-8"},
        {"\xFE\xFF\0a", 4, "t.csv: this is UTF-16; save it as UTF-8"},
        {"\xFF\xFE\0\0", 4, "t.csv: this is UTF-32; save it as UTF-8"},
        {"\0\0\xFE\xFF", 4, "t.csv: this is UTF-32; save it as UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_bytes(cases[i].bytes, cases[i].n, (sg_read_options){0}, cases[i].expected);
}

static void refuses_cells(void **state)
{
    (void)state;
    static const char *const bad[] = {"abc", "inf", "-Infinity", "0x10", "1.2.3", "1e",
                                      "12%", "1 2", "-",         "NA ?", "NAN1",  "n"};
    char text[128], expected[256];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "x,temp\n1,2\n\n3,%s\n", bad[i]);
        snprintf(expected, sizeof expected, "t.csv:4:2: \"%s\" is not a number (column \"temp\")", bad[i]);
        expect_bytes(text, strlen(text), (sg_read_options){0}, expected);
    }
    static const sample more[] = {
        {"x;y\n1;2\n1;3,5\n",
         "t.csv:3:2: \"3,5\" is not a number (column \"y\"); the decimal separator must be a point"},
        {"x,y\n1,2\n1,\"1,234.5\"\n",
         "t.csv:3:2: \"1,234.5\" is not a number (column \"y\"); the decimal separator must be a point"},
        {"x\n1\n-1e999\n", "t.csv:3:1: \"-1e999\" is out of range (column \"x\")"},
        {"x\n1\n\"\x01\xFF\"\n", "t.csv:3:1: \"??\" is not a number (column \"x\")"},
    };
    EXPECT(more, .header = SG_HEADER_AUTO);
}

static void reads_missing_values(void **state)
{
    (void)state;
    static const char *const words[] = {"",     "NA",   "n/a",    "nan",    "?",  "NULL",
                                        "none", "\"\"", "<null>", "\"NA\"", "  ", " N/A "};
    char text[128];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        snprintf(text, sizeof text, "x,y z\n1,2\n3,%s\n%s,4\n", words[i], words[i]);
        expect_bytes(text, strlen(text), (sg_read_options){0}, "x,y z|1,2|3,?|?,4");
    }
    static const sample given[] = {
        {"x,y\n1,2\n3,-\n-999,4\n", "x,y|1,2|3,?|?,4"},
        {"x,y\n1,2\n3,\n-999.0,N.A.\n", "x,y|1,2|3,?|?,?"},
        {"x,y\n1,2\n3,NA\n5,6\n", "t.csv:3:2: \"NA\" is not a number (column \"y\")"},
        {"x,y\n1,-999\n3,-999\n", "x|1|3"},
        {"-,2\n1,2\n", "c1,c2|?,2|1,2"},
    };
    EXPECT(given, .missing = " -,-999 ,n.a.");
    static const sample empty_cells[] = {
        {"x,y\n1,\n,4\n", "x,y|1,?|?,4"},
        {"x,y\n1,2\n3,4\n?,4\n", "t.csv:4:1: \"?\" is not a number (column \"x\")"},
    };
    EXPECT(empty_cells, .missing = "");
    static const sample columns[] = {
        {"x,y\n1,NA\n2,\n3,?\n", "x|1|2|3"},
        {"x,y\nNA,\n,?\n", "t.csv: no numeric or categorical column is left"},
        {"s,x\nM,1\n,2\n,3\n,4\n", "s,x|M,1|?,2|?,3|?,4"}, /* all cells that are present are text */
        {"s,x\nM,1\n,2\n,3\n5,4\n", "t.csv:2:1: \"M\" is not a number (column \"s\")"},
    };
    EXPECT(columns, .header = SG_HEADER_AUTO);
    static const char *const wanted[] = {"y"};
    static const sample asked[] = {{"x,y\n1,NA\n2,\n", "y|?|?"}};
    EXPECT(asked, .wanted = wanted, .wanted_count = 1);
}

/* Whether text is an error is known only at the end. Then the first error in the file is reported, not the first column
 * with an error. */
static void tells_text_columns(void **state)
{
    (void)state;
    static const sample samples[] = {
        {"s,x\nM,1\nF,2\nI,3\n", "s,x|M,1|F,2|I,3"},
        {"s,x,u\n,1,a\nF,2,7\nI,3,1e999\nM,4,b\nM,5,c\n", "s,x,u|?,1,a|F,2,7|I,3,1e999|M,4,b|M,5,c"},
        {"x,s\n1,7\n2,b\n3,c\n", "x,s|1,7|2,b|3,c"},
        {"x,s\n1,7\n2,8\n3,c\n4,d\n", "t.csv:4:2: \"c\" is not a number (column \"s\")"},
        {"x,y\n1,2\n1,2\n1,b\na,2\n", "t.csv:4:2: \"b\" is not a number (column \"y\")"},
        {"x,y\n1,2\n1,2\na,b\na,2\n", "t.csv:4:1: \"a\" is not a number (column \"x\")"},
        {"s,x,y\n,1,2\na,,2\nb,3,c\nd,4,5\n", "t.csv:4:3: \"c\" is not a number (column \"y\")"},
    };
    EXPECT(samples, .header = SG_HEADER_AUTO);
}

static void reads_categories(void **state)
{
    (void)state;
    static const sample samples[] = {
        /* Numbers among words are levels by value; all words for a missing value are missing. */
        {"s\nM\n007\n7.0\n-0\n0\nF\nM\nI\nI\n,\n", "t.csv:11:2: the row has 2 fields; expected 1 as in line 1"},
        {"s,x\nM,1\n007,2\n7.0,3\n-0,4\n0,5\nF,6\nM,7\nI,8\nI,9\nNA,10\n",
         "s,x|M,1|7,2|7,3|0,4|0,5|F,6|M,7|I,8|I,9|?,10"},
        {"s,x\n\"M, or \"\"F\"\"\",1\nF,2\n\"a\nb\",3\n", "s,x|M, or \"F\",1|F,2|a b,3"},
        /* The same level with and without a line end: both are text. */
        {"s\nc\nd\ne\n\"a\nb\"\na b\na b\n1\n2\n3\n4\n5\n", "s|c|d|e|a b|a b|a b|1|2|3|4|5"},
        {"s,x\n\xE4,1\nb,2\n\xE4,3\n",
         "t.csv:2:1: \"?\" is not UTF-8 (column \"s\"); convert the file, for example with: iconv -f latin1 -t utf-8"},
        {"s,x\n\xC3\xA4,1\nb,2\n", "s,x|\xC3\xA4,1|b,2"},
        {"day,x\n2019-08-31,1\n?,2\n2019-09-01T10:00:00Z,3\nnever,4\n", "x|1|2|3|4"},
        {"\xE4,x\n1/2/2003,1\n2/2/2003,2\n",
         "t.csv:1:1: the column name \"?\" is not UTF-8; convert the file, for example "
         "with: iconv -f latin1 -t utf-8"},
    };
    EXPECT(samples, .header = SG_HEADER_YES);
    static const sample given[] = {
        {"day,n,x\n2019-08-31,7.50,1\n2019-09-01,,2\n", "day,n,x|2019-08-31,7.5,1|2019-09-01,?,2"},
        {"day,n,x\n1,2,3\n", "day,n,x|1,2,3"},
        {"day,x\n1,2\n", "t.csv: there is no column \"n\"; the columns are day, x"},
        {"day,n,x\n1,2,3\n1,2,a\n1,2,a\n1,2,a\n", "t.csv:3:3: \"a\" is not a number (column \"x\")"},
    };
    EXPECT(given, .categorical = "day, n", .numeric = "x");
    static const char *const wanted[] = {"a", "b"};
    static const bool kinds[] = {true, false};
    static const sample asked[] = {
        {"a,b,c\n1,2,x\n3,4,y\n", "a,b|1,2|3,4"},
        {"b,a,c\n1,u,x\n3,4,y\n", "b,a|1,u|3,4"},
        {"b,a,c\n1,u,x\nz,4,y\nz,4,y\n", "t.csv:3:1: \"z\" is not a number (column \"b\")"},
    };
    EXPECT(asked, .wanted = wanted, .wanted_count = 2, .wanted_categorical = kinds);
    static const sample judged[] = {{"a,b,c\n2019-08-31,2,x\n2019-08-31,4,y\n", "a,b|2019-08-31,2|2019-08-31,4"}};
    EXPECT(judged, .wanted = wanted, .wanted_count = 2, .categorical = "nothing");
    static const sample codes[] = {{"a,b\nM,-999\n-999,7\nF,1\n", "a,b|M,?|?,7|F,1"}};
    EXPECT(codes, .missing = "-999");
    static const sample both[] = {
        {"a,b\n1,2\n", "column \"a\" is named in both --categorical and --numeric; remove it from one"}};
    sg_read_options how = {.categorical = "a", .numeric = "b,a", .block_bytes = 64};
    sg_table *t;
    assert_int_equal(read_text(both->text, strlen(both->text), &how, &t), SG_EINVAL);
    assert_string_equal(sg_errmsg(), both->expected);
}

static void reads_wanted_columns(void **state)
{
    (void)state;
    static const char *const wanted[] = {"mass", "age"}, *const none[] = {NULL};
    static const sample samples[] = {
        {"age,b,mass\n1,text,2\n3,,4\n", "age,mass|1,2|3,4"},
        {"mass,x,age,x\n1,1e999,2,\n", "mass,age|1,2"},
        {"age,mass,mass\n1,2,3\n", "t.csv:1:3: columns 2 and 3 are both named \"mass\"; rename one of them"},
        {"age,mas\n1,2\n", "t.csv: there is no column \"mass\" (did you mean \"mas\"?); the columns are age, mas"},
        {"length,width\n1,2\n", "t.csv: there is no column \"mass\"; the columns are length, width"},
        {"10,20\n1,2\n", "t.csv: there is no column \"mass\"; there is no header, so the columns are c1, c2"},
        {"age,mass\n1,2\n1,\n1,x\n", "t.csv:4:2: \"x\" is not a number (column \"mass\")"},
        {"age,mass\nM,1\nF,2\n", "age,mass|M,1|F,2"},
    };
    EXPECT(samples, .wanted = wanted, .wanted_count = 2);
    static const sample nothing[] = {{"a,b\n1,x\n", ""}};
    EXPECT(nothing, .wanted = none, .wanted_count = 0);
}

static void lists_few_columns(void **state)
{
    (void)state;
    static const char *const wanted[] = {"target"};
    sg_text text = {0};
    for (int i = 0; i < 100; i++) sg_text_append_format(&text, "%scolumn with a rather long name %d", i ? "," : "", i);
    sg_text_append(&text, "\n");
    for (int i = 0; i < 100; i++) sg_text_append_format(&text, "%s%d", i ? "," : "", i);
    sg_table *t;
    sg_read_options how = {.wanted = wanted, .wanted_count = 1, .block_bytes = 512};
    assert_int_equal(read_text(text.bytes, text.length, &how, &t), SG_EDATA);
    assert_non_null(strstr(sg_errmsg(), "there is no column \"target\"; the columns are column with"));
    assert_non_null(strstr(sg_errmsg(), " more"));
    sg_text_release(&text);
}

static void leaves_out_ignored_columns(void **state)
{
    (void)state;
    static const sample samples[] = {
        {"a,sex,note,y\n1,,2,3\n", "a,y|1,3"},
        {"sex,sex,note,y\n1,,2,3\n", "y|3"},
        {"a,sex,notes\n1,2,3\n",
         "t.csv: there is no column \"note\" (did you mean \"notes\"?); the columns are a, sex, notes"},
        {"sex,note\n1,2\n", "t.csv: no numeric or categorical column is left"},
    };
    EXPECT(samples, .ignore = "sex, note ,");
    static const char *const wanted[] = {"b"};
    static const sample asked[] = {{"a,b\n1,2\n", "b|2"}};
    EXPECT(asked, .ignore = "b,nothing", .wanted = wanted, .wanted_count = 1);
}

static void keeps_digits(void **state)
{
    (void)state;
    static const char text[] = "a,b,c,d\n"
                               "0.1234567890123456789,4.9406564584124654e-324,9007199254740993,"
                               "2.2250738585072011e-308\n";
    sg_table *t;
    sg_read_options how = {.block_bytes = 5};
    check(read_text(text, strlen(text), &how, &t));
    const double *v = sg_table_values(t);
    assert_true(v[0] == 0.1234567890123456789 && v[1] == 0x1p-1074 && v[2] == 0x1p53);
    assert_true(v[3] == 0x0.fffffffffffffp-1022);
    sg_table_free(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_layouts),
    cmocka_unit_test(reads_quotes),
    cmocka_unit_test(detects_delimiters),
    cmocka_unit_test(detects_headers),
    cmocka_unit_test(refuses_structure),
    cmocka_unit_test(refuses_bytes),
    cmocka_unit_test(refuses_cells),
    cmocka_unit_test(tells_text_columns),
    cmocka_unit_test(reads_missing_values),
    cmocka_unit_test(reads_categories),
    cmocka_unit_test(reads_wanted_columns),
    cmocka_unit_test(lists_few_columns),
    cmocka_unit_test(leaves_out_ignored_columns),
    cmocka_unit_test(keeps_digits),
};
TEST_GROUP(tests, NULL, NULL)
