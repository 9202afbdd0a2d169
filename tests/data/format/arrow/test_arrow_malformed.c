/* test_arrow_malformed.c: Arrow streams that fail, and invalid arrays. Each is rejected with a message, nothing is read
 * outside a buffer, and everything is released exactly once. labels: memory */
#include "arrow_stream.h"

#include "base/options.h"

static const double NUMBERS[] = {1, 2, 3, 4};
static const int32_t INDICES[] = {0, 2, 1, 0};
static const char *const list[] = {"a", "b", "a text that is longer", "d"};

/* A batch of 4 rows with columns x and y; each case modifies x. */
typedef struct setting {
    texts words;
    field dictionary, fields[2];
    batch batch;
    feed feed;
} setting;

static void set(setting *s, const char *format)
{
    memset(s, 0, sizeof *s);
    s->dictionary = text_field("", "U", list, 4, &s->words);
    s->fields[0] = (field){"x", "g", 4, 0, 0, 2, {{NULL, 0}, BUFFER(NUMBERS)}, NULL};
    if (*format == 'i') s->fields[0] = (field){"x", "i", 4, 0, 0, 2, {{NULL, 0}, BUFFER(INDICES)}, &s->dictionary};
    else if (*format != 'g') s->fields[0] = text_field("x", format, list, 4, &s->words);
    s->fields[1] = (field){"y", "g", 4, 0, 0, 2, {{NULL, 0}, BUFFER(NUMBERS)}, NULL};
    s->batch = (batch){.fields = s->fields, .length = 4};
    s->feed = (feed){.batches = &s->batch, .count = 1, .fields = 2};
}

static void negative_length(setting *s) { s->fields[0].length = -1; }
static void negative_offset(setting *s) { s->fields[0].offset = -4; }
static void huge_offset(setting *s) { s->fields[0].offset = INT64_MAX - 3; }
static void huge_both(setting *s) { s->fields[0].offset = s->fields[0].length = INT64_MAX / 2 + 1; }
static void huge_sum(setting *s)
{
    s->fields[0].offset = 4;
    s->fields[0].length = INT64_MAX / 16 - 2;
}
static void short_column(setting *s) { s->fields[0].length = 3; }
static void beyond_column(setting *s) { s->batch.offset = 1; }
static void too_many_nulls(setting *s) { s->fields[0].nulls = 5; }
static void negative_nulls(setting *s) { s->fields[0].nulls = -2; }
static void no_bitmap(setting *s) { s->fields[0].nulls = 1; }
static void no_values(setting *s) { s->fields[0].buffers[1].bytes = NULL; }
static void one_buffer(setting *s) { s->fields[0].n_buffers = 1; }
static void three_buffers(setting *s) { s->fields[0].n_buffers = 3; }
static void negative_buffers(setting *s) { s->fields[0].n_buffers = -1; }
static void batch_length(setting *s) { s->batch.length = -4; }
static void batch_children(setting *s) { s->batch.n_children = 1; }
static void batch_nulls(setting *s) { s->batch.nulls = 1; }
static void batch_bitmap(setting *s)
{
    static const unsigned char third[] = {0x0b};
    s->batch.nulls = -1;
    s->batch.valid = (buffer)BUFFER(third);
}
static void not_a_struct(setting *s) { s->feed.format = "g"; }
static void no_rows(setting *s) { s->feed.count = 0; }
static void falling(setting *s) { s->words.small[3] = 0; }
static void negative_start(setting *s) { s->words.small[0] = -2; }
static void beyond_last(setting *s) { s->words.small[2] = 1000; }
static void large_beyond(setting *s) { s->words.large[1] = INT64_MAX; }
static void negative_view(setting *s) { s->words.views[1].length = -1; }
static void view_buffer(setting *s) { s->words.views[2].buffer = 2; }
static void negative_view_buffer(setting *s) { s->words.views[2].buffer = -1; }
static void view_offset(setting *s) { s->words.views[2].offset = 4; }
static void view_length(setting *s) { s->words.views[2].length = INT32_MAX; }
static void view_without_buffers(setting *s) { s->fields[0].n_buffers = 3; }
static void negative_index(setting *s)
{
    static const int32_t wrong[] = {0, -1, 1, 0};
    s->fields[0].buffers[1] = (buffer)BUFFER(wrong);
}
static void large_index(setting *s)
{
    static const int32_t wrong[] = {0, 1, 4, 0};
    s->fields[0].buffers[1] = (buffer)BUFFER(wrong);
}
static void empty_dictionary(setting *s) { s->dictionary.length = 0; }
static void broken_dictionary(setting *s) { s->dictionary.n_buffers = 2; }
static void dictionary_beyond(setting *s) { s->words.large[3] = 1 << 20; }

static void refuses_broken_arrays(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        void (*breaks)(setting *s);
        const char *sentence;
    } cases[] = {
        {"g", negative_length, "Arrow stream: column \"x\": invalid array length -1 or offset 0"},
        {"g", negative_offset, "invalid array length 4 or offset -4"},
        {"g", huge_offset, "invalid array length 4 or offset 9223372036854775804"},
        {"g", huge_both, "invalid array length 4611686018427387904 or offset"},
        {"g", huge_sum, "invalid array length 576460752303423485 or offset 4"},
        {"g", short_column, "column \"x\" has 3 values in a batch of 4 rows"},
        {"g", beyond_column, "column \"x\" has 4 values in a batch of 5 rows"},
        {"g", too_many_nulls, "an array has 5 nulls but length 4"},
        {"g", negative_nulls, "an array has -2 nulls but length 4"},
        {"g", no_bitmap, "column \"x\": an array has 1 nulls but no validity bitmap"},
        {"g", no_values, "column \"x\": an array has 4 values but no value buffer"},
        {"g", one_buffer, "column \"x\": an array has 1 buffers; expected 2"},
        {"g", three_buffers, "an array has 3 buffers; expected 2"},
        {"g", negative_buffers, "column \"x\": an array has no buffers"},
        {"g", batch_length, "Arrow stream: invalid array length -4"},
        {"g", batch_children, "Arrow stream: a batch has 1 columns; expected 2 as in the schema"},
        {"g", batch_nulls, "Arrow stream: row 1 or a later row is null"},
        {"g", batch_bitmap, "Arrow stream: row 3 is null"},
        {"g", not_a_struct, "Arrow stream: the arrays have type \"g\"; expected \"+s\""},
        {"g", no_rows, "Arrow stream: there are no rows"},
        {"u", falling, "row 3, column \"x\": the string is not within its buffer"},
        {"u", negative_start, "row 1, column \"x\": the string is not within its buffer"},
        {"u", beyond_last, "row 2, column \"x\": the string is not within its buffer"},
        {"U", large_beyond, "row 1, column \"x\": the string is not within its buffer"},
        {"u", one_buffer, "an array has 1 buffers; expected 3"},
        {"vu", negative_view, "row 2, column \"x\": the string is not within its buffer"},
        {"vu", view_buffer, "row 3, column \"x\": the string is not within its buffer"},
        {"vu", negative_view_buffer, "row 3, column \"x\": the string is not within its buffer"},
        {"vu", view_offset, "row 3, column \"x\": the string is not within its buffer"},
        {"vu", view_length, "row 3, column \"x\": the string is not within its buffer"},
        {"vu", view_without_buffers, "row 3, column \"x\": the string is not within its buffer"},
        {"vu", one_buffer, "an array has 1 buffers; expected at least 3"},
        {"i", negative_index, "row 2, column \"x\": index -1 is not in the dictionary of 4 entries"},
        {"i", large_index, "row 3, column \"x\": index 4 is not in the dictionary of 4 entries"},
        {"i", empty_dictionary, "row 1, column \"x\": index 0 is not in the dictionary of 0 entries"},
        {"i", broken_dictionary, "column \"x\": an array has 2 buffers; expected 3"},
        {"i", dictionary_beyond, "row 2, column \"x\": the string is not within its buffer"},
    };
    setting s;
    sg_dataset *d;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set(&s, cases[i].format);
        cases[i].breaks(&s);
        check_fails(open_feed(&s.feed, NULL, NULL, NULL, 0, &d), SG_EDATA, cases[i].sentence);
    }
    for (size_t i = 0; i < 5; i++) { /* valid without modification */
        set(&s, (const char *const[]){"g", "u", "U", "vu", "i"}[i]);
        check(open_feed(&s.feed, NULL, NULL, NULL, 0, &d));
        sg_dataset_free(d);
    }
}

/* Columns that are not wanted need not be valid. */
static void looks_at_what_is_wanted(void **state)
{
    (void)state;
    setting s;
    sg_dataset *d;
    set(&s, "g");
    short_column(&s);
    check(open_feed(&s.feed, NULL, NULL, (const char *const[]){"y"}, 1, &d));
    check_rows(d, NUMBERS, 4, 1);
    sg_dataset_free(d);
}

static void tells_why_streams_fail(void **state)
{
    (void)state;
    setting s;
    sg_dataset *d;
    set(&s, "g");
    s.feed.schema_code = 12; /* ENOMEM */
    s.feed.error = "no schema\ntoday";
    check_fails(open_feed(&s.feed, NULL, NULL, NULL, 0, &d), SG_ENOMEM,
                "Arrow stream: can't read the schema: no schema today");
    for (size_t at = 1; at < 3; at++) {
        set(&s, "g");
        s.feed.fails_at = at;
        s.feed.error = "the cable is loose";
        check_fails(open_feed(&s.feed, NULL, NULL, NULL, 0, &d), SG_EIO,
                    "Arrow stream: can't read the next batch: the cable is loose");
        s.feed.error = NULL;
        check_fails(open_feed(&s.feed, NULL, NULL, NULL, 0, &d), SG_EIO,
                    "can't read the next batch: Input/output error");
    }
}

static void refuses_what_it_is_not_for(void **state)
{
    (void)state;
    struct ArrowArrayStream stream = {0};
    setting s;
    sg_dataset *d;
    sg_comm team = {.ranks = 2};
    sg_options *o = options_of("");
    check_fails(sg_dataset_open_arrow(&stream, NULL, o, NULL, 0, &d), SG_EINVAL, "has already been released");
    check_fails(sg_dataset_open_arrow(NULL, NULL, o, NULL, 0, &d), SG_EINVAL, "has already been released");
    set(&s, "g");
    sg_source beside = {.rows = 4, .comm = &team};
    check_fails(open_feed(&s.feed, &beside, o, NULL, 0, &d), SG_EINVAL, "can't be distributed");
    sg_options_set_comm(o, &team, 0);
    check_fails(open_feed(&s.feed, NULL, o, NULL, 0, &d), SG_EINVAL, "by several ranks");
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(refuses_broken_arrays),
    cmocka_unit_test(looks_at_what_is_wanted),
    cmocka_unit_test(tells_why_streams_fail),
    cmocka_unit_test(refuses_what_it_is_not_for),
};
TEST_GROUP(tests, NULL, NULL)
