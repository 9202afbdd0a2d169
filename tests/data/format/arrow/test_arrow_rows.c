/* test_arrow_rows.c: many rows of Arrow streams give the same model as a CSV file, also if they do not fit into memory;
 * rows for a model. labels: memory */
#include "arrow_stream.h"

#include "base/text.h"

#include <unistd.h>

enum { BATCH = 64, BATCHES = 20, ROWS = BATCH * BATCHES };

static const char *const sexes[2][3] = {{"M", "a longer level", "F"}, {"F", "M", "a longer level"}};

typedef struct rows {
    double u[ROWS], y[ROWS];
    uint8_t sex[ROWS]; /* indices into the batch's own dictionary */
    texts words[BATCHES], levels[2];
    field dictionary[2], field[BATCHES][3];
    batch batch[BATCHES];
    sg_text csv;
} rows;

static const char *sex_of(const rows *r, size_t i) { return sexes[i / BATCH % 2][r->sex[i]]; }

/* Columns sex, u and y; every other batch has a different dictionary. format: of sex. */
static feed fill(rows *r, const char *format)
{
    for (size_t i = 0; i < 2; i++) r->dictionary[i] = text_field("", "u", sexes[i], 3, &r->levels[i]);
    sg_text_append(&r->csv, "sex,u,y\n");
    for (size_t i = 0; i < ROWS; i++) {
        r->u[i] = i % 17 ? (double)(i * 37 % 101) / 8 : (double)NAN;
        r->sex[i] = (uint8_t)(i * i % 3);
        r->y[i] = (double)(i * 37 % 101) / 16 + (*sex_of(r, i) == 'M') + (double)(i % 5) / 64;
        sg_text_append_format(&r->csv, "%s,", sex_of(r, i));
        if (!isnan(r->u[i])) sg_text_append_number(&r->csv, r->u[i]);
        sg_text_append(&r->csv, ",");
        sg_text_append_number(&r->csv, r->y[i]);
        sg_text_append(&r->csv, "\n");
    }
    for (size_t b = 0; b < BATCHES; b++) {
        const char *list[BATCH];
        for (size_t i = 0; i < BATCH; i++) list[i] = sex_of(r, b * BATCH + i);
        r->field[b][0] = text_field("sex", format, list, BATCH, &r->words[b]);
        if (*format == 'C')
            r->field[b][0] =
                (field){"sex", "C", BATCH, 0, 0, 2, {{NULL, 0}, {r->sex + b * BATCH, BATCH}}, &r->dictionary[b % 2]};
        r->field[b][1] = (field){"u", "g", BATCH, 0, 0, 2, {{NULL, 0}, {r->u + b * BATCH, BATCH * 8}}, NULL};
        r->field[b][2] = (field){"y", "g", BATCH, 0, 0, 2, {{NULL, 0}, {r->y + b * BATCH, BATCH * 8}}, NULL};
        r->batch[b] = (batch){.fields = r->field[b], .length = BATCH};
    }
    return (feed){.batches = r->batch, .count = BATCHES, .fields = 3};
}

static rows *new_rows(void)
{
    rows *r = calloc(1, sizeof *r);
    assert_non_null(r);
    return r;
}

static void free_rows(rows *r)
{
    sg_text_release(&r->csv);
    free(r);
}

static char *model_of(const sg_options *o, const sg_dataset *d)
{
    sg_source s = sg_dataset_source(d);
    sg_model *m;
    char *text;
    check(sg_train(o, &s, NULL, NULL, NULL, &m));
    check(sg_model_to_json(m, &text));
    sg_model_free(m);
    return text;
}

static void trains_as_from_csv(void **state)
{
    (void)state;
    static const char *const formats[] = {"C", "vu", "U"};
    char path[] = "/tmp/sugeno-arrow-XXXXXX";
    sg_options *o = options_of("iters=30");
    for (size_t i = 0; i < 3; i++) {
        rows *r = new_rows();
        feed f = fill(r, formats[i]);
        sg_dataset *csv, *arrow;
        if (i == 0) {
            FILE *file = fdopen(mkstemp(path), "w");
            assert_non_null(file);
            assert_int_equal(fwrite(r->csv.bytes, 1, r->csv.length, file), r->csv.length);
            assert_int_equal(fclose(file), 0);
        }
        check(sg_dataset_open((const char *const[]){path}, 1, o, NULL, 0, &csv));
        check(open_feed(&f, NULL, o, NULL, 0, &arrow));
        char *expected = model_of(o, csv), *got = model_of(o, arrow);
        assert_non_null(strstr(got, "a longer level"));
        assert_string_equal(got, expected);
        sg_string_free(expected);
        sg_string_free(got);
        sg_dataset_free(csv);
        sg_dataset_free(arrow);
        free_rows(r);
    }
    unlink(path);
    sg_options_free(o);
}

/* --- more rows than fit into memory --- */

/* 24 times the batches use 737 KB, but only 512 KB are available for rows. */
static void spills(void **state)
{
    (void)state;
    enum { TIMES = 24 };
    rows *r = new_rows();
    feed f = fill(r, "C");
    batch *batches = calloc(TIMES * BATCHES, sizeof *batches);
    assert_non_null(batches);
    for (size_t i = 0; i < TIMES * BATCHES; i++) batches[i] = r->batch[i % BATCHES];
    f.batches = batches;
    f.count = TIMES * BATCHES;
    sg_options *small = options_of("memory=1MB"), *large = options_of("memory=64MB");
    sg_dataset *spilled, *held;
    check(open_feed(&f, NULL, small, NULL, 0, &spilled));
    check(open_feed(&f, NULL, large, NULL, 0, &held));
    sg_source a = sg_dataset_source(spilled), b = sg_dataset_source(held);
    assert_true(a.resident_bytes == 0 && a.slow_gather &&
                b.resident_bytes == (size_t)TIMES * ROWS * 3 * sizeof(double));
    double *values = calloc((size_t)TIMES * ROWS * 3, sizeof *values);
    assert_non_null(values);
    check(b.read(b.self, 0, b.rows, values));
    check_rows(spilled, values, (size_t)TIMES * ROWS, 3);
    for (size_t i = 0; i < (size_t)TIMES * ROWS; i++) { /* and they are correct */
        size_t k = i % ROWS;
        assert_string_equal(a.level(a.self, 0, (size_t)values[3 * i]), sex_of(r, k));
        assert_true(values[3 * i + 2] == r->y[k] &&
                    (isnan(r->u[k]) ? isnan(values[3 * i + 1]) : values[3 * i + 1] == r->u[k]));
    }
    free(values);
    free(batches);
    sg_dataset_free(spilled);
    sg_dataset_free(held);
    sg_options_free(small);
    sg_options_free(large);
    free_rows(r);
}

/* --- for a model --- */

static sg_text heard;

static void hear(void *arg, const char *sentence)
{
    (void)arg;
    sg_text_append_format(&heard, "<%s>", sentence);
}

static sg_status open_for(feed *f, const sg_source *beside, const sg_options *o, const sg_model *m, int targets,
                          const char *weights, sg_dataset **out)
{
    struct ArrowArrayStream stream = stream_of(f);
    sg_status st = sg_dataset_open_arrow_for_model(&stream, beside, o, m, targets, weights, out);
    check_released(f);
    return st;
}

static void opens_for_a_model(void **state)
{
    (void)state;
    static const char *const list[] = {"F", "new", "M", "new"}, *const numbers[] = {"0.5", NULL, "2", "1e1"};
    static const int64_t y[] = {1, 2, 3, 4};
    rows *r = new_rows();
    feed f = fill(r, "vu");
    sg_options *o = options_of("iters=5 preset=rr");
    sg_dataset *d;
    sg_model *m;
    check(open_feed(&f, NULL, o, NULL, 0, &d));
    sg_source s = sg_dataset_source(d);
    check(sg_train(o, &s, NULL, NULL, NULL, &m));
    sg_dataset_free(d);
    texts t[2];
    field fields[] = {{"y", "l", 4, 0, 0, 2, {{NULL, 0}, BUFFER(y)}, NULL},
                      text_field("u", "u", numbers, 4, &t[0]),
                      {"spare", "+l", 4, 0, 0, 2, {{NULL, 0}}, NULL},
                      text_field("sex", "U", list, 4, &t[1]),
                      {"w", "l", 4, 0, 0, 2, {{NULL, 0}, BUFFER(y)}, NULL}};
    batch batches[] = {{.fields = fields, .length = 4}};
    feed g = FEED(batches, 5);
    sg_options_on_notice(o, hear, NULL);
    sg_text_append(&heard, "");
    check(open_for(&g, NULL, o, m, 0, NULL, &d));
    check_rows(d, (const double[]){0.5, 0, NAN, 1, 2, 2, 10, 1}, 4, 2);
    assert_non_null(strstr(heard.bytes, "2"));
    assert_non_null(strstr(heard.bytes, "sex"));
    sg_dataset_free(d);
    check(open_for(&g, NULL, o, m, 1, "w", &d));
    check_rows(d, (const double[]){1, 0.5, 0, 1, 2, NAN, 1, 2, 3, 2, 2, 3, 4, 10, 1, 4}, 4, 4);
    sg_dataset_free(d);
    g.fields = 4;
    check_fails(open_for(&g, NULL, o, m, 1, "w", &d), SG_EDATA, "Arrow stream: there is no column \"w\"");
    fields[1] = text_field("u", "u", list, 4, &t[0]);
    check_fails(open_for(&g, NULL, o, m, 0, NULL, &d), SG_EDATA,
                "Arrow stream: row 1: \"F\" is not a number (column \"u\")");
    fields[1].format = "tsu:";
    check_fails(open_for(&g, NULL, o, m, 0, NULL, &d), SG_EDATA, "column \"u\" holds dates or times");
    sg_text_release(&heard);
    sg_model_free(m);
    sg_options_free(o);
    free_rows(r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(trains_as_from_csv),
    cmocka_unit_test(spills),
    cmocka_unit_test(opens_for_a_model),
};
TEST_GROUP(tests, NULL, NULL)
