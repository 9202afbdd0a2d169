/* test_arff.c: valid and invalid ARFF and KEEL files, read and written.
 * labels: memory */
#include "data/format/arff/arff.h"

#include "data/format/csv/csv_record_reader.h"
#include "print_table.h"

#include <unistd.h>

typedef struct sample {
    const char *text, *expected;
} sample;

static void expect(const sample *s, sg_read_options how)
{
    static const size_t blocks[] = {1, 3, 64, SG_READ_BLOCK_BYTES};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        sg_byte_reader *in;
        sg_table *t = NULL;
        how.block_bytes = blocks[i];
        check(sg_byte_reader_open_memory(s->text, strlen(s->text), "t", &in));
        sg_status st = sg_arff_read(in, &how, &t);
        char *got = table_text(st, t);
        if (strcmp(got, s->expected) != 0)
            fail_msg("block %zu of <%s>:\n  got      %s\n  expected %s", how.block_bytes, s->text, got, s->expected);
        sg_table_free(t);
        sg_byte_reader_close(in);
        free(got);
    }
}

#define EXPECT(samples, ...)                                                                                           \
    for (size_t i_ = 0; i_ < sizeof samples / sizeof *samples; i_++)                                                   \
    expect(&samples[i_], (sg_read_options){__VA_ARGS__})

#define ABY "@relation r\n@attribute a numeric\n@attribute b {x, y}\n@attribute y real\n@data\n"

static void reads_rows(void **state)
{
    (void)state;
    static const sample samples[] = {
        {ABY "2.385,x,1\n-7.5,y,2\n", "a,b,y|2.385,x,1|-7.5,y,2"},
        {"% c\n\n@RELATION 'two words'\r\n@Attribute a Integer\r\n@ATTRIBUTE y REAL\r\n@Data\r\n% c\r\n1,2\r\n\r\n 3 "
         ",\t4 \r\n",
         "a,y|1,2|3,4"},
        {"\xEF\xBB\xBF@attribute a real\n@data\n1", "a|1"},
        {ABY "?, ?, ?\n,,\n<null>,y,7\nNA,null,3\n1,x,2\n", "a,b,y|?,?,?|?,?,?|?,y,7|?,?,3|1,x,2"},
        {ABY "1 x 2\n3\ty   4\n", "a,b,y|1,x,2|3,y,4"},
        {"@attribute 'the a' real\n@attribute \"it's\" real\n@attribute 'it\\'s\\\\' real\n@data\n1,2,3\n",
         "the a,it's,it's\\|1,2,3"},
        {"@attribute a real[0,1]\n@attribute b integer [0, 10] % c\n@attribute c{u,v}\n@attribute d {'u v', \"w\", "
         "'1', 02.0, '?'} % c\n@data\n"
         "1,2,v,'u v'\n1,2,u,w\n1,2,u,1.0\n1,2,u,2\n1,2,u,'?'\n",
         "a,b,c,d|1,2,v,u v|1,2,u,w|1,2,u,1|1,2,u,2|1,2,u,?"},
        {"@attribute s string\n@attribute d date 'yyyy-MM-dd'\n@attribute x real\n@data\n'a b',2001-01-01,1\nc,?,2\n",
         "s,x|a b,1|c,2"},
        {"@attribute s string\n@attribute x real\n@data\n1,1\n2,2\n", "s,x|1,1|2,2"},
        {"@attribute b {u,'','v'}\n@attribute s string\n@attribute x real\n@data\nu,'a',1\n'','',2\nv,\"\",3\n",
         "b,s,x|u,a,1|?,?,2|v,?,3"},
        {"@attribute b {None,some}\n@attribute x real\n@data\nNone,1\nNA,2\n", "b,x|None,1|?,2"},
    };
    EXPECT(samples, .ignore = NULL);
}

/* All declared levels, in this order, including those that no row has. */
static void keeps_declared_levels(void **state)
{
    (void)state;
    static const char text[] = "@attribute b {x,y,z}\n@attribute a real\n@data\nz,1\n";
    sg_byte_reader *in;
    sg_table *t;
    check(sg_byte_reader_open_memory(text, sizeof text - 1, "t", &in));
    check(sg_arff_read(in, &(sg_read_options){0}, &t));
    sg_source s = sg_table_source(t);
    assert_string_equal(s.level(s.self, 0, 1), "y");
    assert_string_equal(s.level(s.self, 0, 2), "z");
    assert_null(s.level(s.self, 0, 3));
    assert_true(sg_table_values(t)[0] == 2);
    sg_table_free(t);
    sg_byte_reader_close(in);
}

static void reads_sparse_rows(void **state)
{
    (void)state;
    static const sample samples[] = {
        {ABY "{1 y, 2 5}\n{}\n{ 2 7 ,0 -1 }\n{1 ?}\n", "a,b,y|0,y,5|0,x,0|-1,x,7|0,?,0"},
        {"@attribute s string\n@attribute a real\n@attribute d date\n@data\n{0 u}\n{1 2}\n", "s,a|u,0|?,2"},
        {ABY "{1 y, 1 x}\n", "t:6:8: expected each attribute at most once"},
        {ABY "{3 y}\n", "t:6:3: expected the index of an attribute (from 0) and its value"},
        {ABY "{-1 y}\n", "t:6:4: expected the index of an attribute (from 0) and its value"},
        {ABY "{1.5 y}\n", "t:6:5: expected the index of an attribute (from 0) and its value"},
        {ABY "{1 y\n", "t:6:5: expected a comma or } after a value"},
        {ABY "{1 z}\n", "t:6:2: \"z\" is not a value of attribute \"b\"; expected x, y"},
        {ABY "{0 1} 7\n", "t:6:7: expected the end of the row"},
    };
    EXPECT(samples, .ignore = NULL);
}

static void reads_weights(void **state)
{
    (void)state;
    static const sample samples[] = {
        {ABY "1,x,2,{0.5}\n3,y,4\n5,y,6, { 2 }\n", "weight,a,b,y|0.5,1,x,2|1,3,y,4|2,5,y,6"},
        {ABY "{1 y},{3}\n{1 x} , {4}\n", "weight,a,b,y|3,0,y,0|4,0,x,0"},
        {ABY "1,x,2\n3,y,4,{2}\n", "t:7:8: expected no weight, because the first row has none"},
        {ABY "1,x,2,{2\n", "t:6:8: expected no weight, because the first row has none"},
        {ABY "1,x,2,{2}\n1,x,2,{2\n", "t:7:9: expected } after the weight"},
        {ABY "1,x,2,{2}\n1,x,2,{b}\n", "t:7:4: \"b\" is not a number (column \"weight\")"},
    };
    EXPECT(samples, .ignore = NULL);
    static const char *const wanted[] = {"y"};
    static const sample asked[] = {{ABY "1,x,2,{0.5}\n3,y,4\n", "y|2|4"}};
    EXPECT(asked, .wanted = wanted, .wanted_count = 1);
}

#define KEEL                                                                                                           \
    "@relation r\n@attribute y real [0, 1]\n@attribute a integer [0,1]\n@attribute b {u,v}\n@attribute c real\n"

static void orders_columns(void **state)
{
    (void)state;
    static const sample samples[] = {
        {KEEL "@inputs a, b, c\n@outputs y\n@data\n1,2,u,3\n", "a,b,c,y|2,u,3,1"},
        {KEEL "@inputs a, b\n@output y\n@data\n1,2,u,3\n", "a,b,y|2,u,1"},
        {KEEL "@outputs y\n@data\n1,2,u,3\n", "a,b,c,y|2,u,3,1"},
        {KEEL "@inputs c, a , b\n@data\n1,2,u,3\n", "a,b,c,y|2,u,3,1"},
        {KEEL "@data\n1,2,u,3\n", "y,a,b,c|1,2,u,3"},
        {KEEL "@inputs a, b, c\n@outputs y\n@data\n1,2,u,x\n", "t:9:4: \"x\" is not a number (column \"c\")"},
        {KEEL "@inputs a, b, c\n@outputs y\n@data\n1,2,w,3\n",
         "t:9:3: \"w\" is not a value of attribute \"b\"; expected u, v"},
        {KEEL "@inputs a, d\n@data\n1,2,u,3\n", "t:6:12: unknown attribute \"d\""},
        {KEEL "@inputs a, a\n@data\n1,2,u,3\n", "t:6:12: repeated attribute \"a\""},
        {KEEL "@inputs a\n@outputs a\n@data\n1,2,u,3\n", "t:7:10: repeated attribute \"a\""},
    };
    EXPECT(samples, .ignore = NULL);
    static const char *const wanted[] = {"c", "y"};
    static const sample asked[] = {{KEEL "@inputs a, b\n@outputs y\n@data\n1,2,u,3\n", "c,y|3,1"}};
    EXPECT(asked, .wanted = wanted, .wanted_count = 2);
}

static void obeys_who_asks(void **state)
{
    (void)state;
    static const sample given[] = {{"@attribute a real\n@attribute b {1,2}\n@attribute d date\n@attribute y "
                                    "real\n@data\n1.50,2,2001-01-01,1\n2,1,?,2\n",
                                    "a,b,d,y|1.5,2,2001-01-01,1|2,1,?,2"}};
    EXPECT(given, .categorical = "a,d", .numeric = "b");
    static const char *const wanted[] = {"a", "b"};
    static const bool words[] = {true, false};
    static const sample asked[] = {
        {"@attribute b {1,2}\n@attribute a real\n@data\n2,3\n", "b,a|2,3"},
        {"@attribute b {1,z}\n@attribute a real\n@data\nz,3\n", "t:4:1: \"z\" is not a number (column \"b\")"}};
    EXPECT(asked, .wanted = wanted, .wanted_categorical = words, .wanted_count = 2);
}

static void refuses_files(void **state)
{
    (void)state;
    static const sample samples[] = {
        {"", "t: the line @data is missing; expected attributes, @data and rows"},
        {"@relation r\n", "t: the line @data is missing; expected attributes, @data and rows"},
        {"@data\n1\n", "t: there are no attributes before @data"},
        {"@attribute a real\n@data\n% nothing\n", "t: there are no rows after @data"},
        {"1,2\n", "t:1:1: expected @relation, @attribute, @inputs, @outputs or @data"},
        {"@attribute\n", "t:1:11: expected the name of an attribute"},
        {"@attribute a\n", "t:1:13: expected a type: numeric, real, integer, string, date or {values}"},
        {"@attribute a relational\n", "t:1:14: expected a type: numeric, real, integer, string, date or {values}"},
        {"@attribute a real 7\n", "t:1:19: expected the end of the line"},
        {"@attribute a real [0\n", "t:1:20: expected a range like [0, 1]"},
        {"@attribute a {x\n", "t:1:16: expected a comma or } after a value"},
        {"@attribute a {}\n", "t:1:15: expected a value"},
        {"@attribute a {x,\xE4}\n", "t:1:17: expected a value in UTF-8"},
        {"@attribute 'a real\n", "t:1: the quote ' is never closed"},
        {"@attribute a real\n@attribute a real\n@data\n1,2\n",
         "t:2:2: columns 1 and 2 are both named \"a\"; rename one of them"},
        {ABY "1,x\n", "t:6:3: the row has 2 fields; expected 3, one for each attribute"},
        {ABY "1\n", "t:6:2: the row has 1 field; expected 3, one for each attribute"},
        {ABY "1,x,2,3\n", "t:6:7: expected the end of the row or its weight in braces"},
        {ABY "1,x,'2\n", "t:6: the quote ' is never closed"},
        {ABY "1,x,2\n5,six,7\n", "t:7:2: \"six\" is not a value of attribute \"b\"; expected x, y"},
        {ABY "1,x,2\nfive,x,7\n", "t:7:1: \"five\" is not a number (column \"a\")"},
        {ABY "1,x,1e999\n", "t:6:3: \"1e999\" is out of range (column \"y\")"},
    };
    EXPECT(samples, .ignore = NULL);
}

/* --- writing --- */

static void writes_what_it_reads(void **state)
{
    (void)state;
    static const char text[] =
        "@attribute 'the a' real\n@attribute b {'u v',\"it's\",w,'?'}\n@attribute c {7,x}\n@attribute y real\n@data\n"
        "2.385,'u v',7,1\n?,it's,x,2\n3,w,?,?\n4,?,x,5\n5,'?',x,6\n";
    static const char *const suffixes[] = {".arff", ".dat"};
    sg_byte_reader *in;
    sg_table *t;
    check(sg_byte_reader_open_memory(text, sizeof text - 1, "t", &in));
    check(sg_arff_read(in, &(sg_read_options){0}, &t));
    sg_byte_reader_close(in);
    sg_source s = sg_table_source(t);
    for (size_t i = 0; i < 2; i++) {
        char path[64];
        const char *paths = path;
        sg_table *again;
        snprintf(path, sizeof path, "/tmp/sugeno-arff-%ld%s", (long)getpid(), suffixes[i]);
        check(sg_source_save(&s, path));
        check(sg_arff_read_files(&paths, 1, &(sg_read_options){0}, &again));
        unlink(path);
        char *a = table_text(SG_OK, t), *b = table_text(SG_OK, again);
        assert_string_equal(a, b);
        free(a);
        free(b);
        sg_table_free(again);
    }
    sg_table_free(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_rows),    cmocka_unit_test(keeps_declared_levels), cmocka_unit_test(reads_sparse_rows),
    cmocka_unit_test(reads_weights), cmocka_unit_test(orders_columns),        cmocka_unit_test(obeys_who_asks),
    cmocka_unit_test(refuses_files), cmocka_unit_test(writes_what_it_reads),
};
TEST_GROUP(tests, NULL, NULL)
