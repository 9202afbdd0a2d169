/* test_html_report.c: the HTML report: its rows, importances and rules, and write errors. labels: memory */
#include "test.h"

#include "explain/rules/html_report_rules.h"
#include "export/page_template.h"
#include "export/report_data.h"

#include <unistd.h>

/* y = 3 a; b and a category have no effect; every seventh `a` is missing. */
enum { ROWS = 41000 };

typedef struct rows {
    double value[ROWS * 4];
} rows;

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    memcpy(out, ((rows *)self)->value + first * 4, n * 4 * sizeof *out);
    return SG_OK;
}

static const char *level_of(void *self, size_t column, size_t i)
{
    static const char *const levels[] = {"oak", "</script>", "ash"};
    (void)self;
    return column == 2 && i < 3 ? levels[i] : NULL;
}

static sg_source source_of(rows *r, size_t n)
{
    static const char *const names[] = {"a", "b", "kind", "y"};
    for (size_t i = 0; i < n; i++) {
        double a = (double)(i * 7919 % 997) / 997, *to = r->value + i * 4;
        to[0] = i % 7 == 3 ? (double)NAN : a;
        to[1] = (double)(i * 104729 % 883) / 883;
        to[2] = (double)(i % 3);
        to[3] = i == 5 ? (double)NAN : 3 * a;
    }
    return (sg_source){
        .self = r, .name = "rows", .rows = n, .columns = 4, .names = names, .read = read_rows, .level = level_of};
}

static sg_model *model_of(const sg_source *s, const char *settings)
{
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_progress p;
    sg_model *m;
    check(sg_trainer_new(o, s, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &m));
    sg_trainer_free(t);
    sg_options_free(o);
    return m;
}

static void test_rows(void **state)
{
    (void)state;
    static rows r;
    sg_report_data shown;
    sg_source s = source_of(&r, ROWS);
    sg_model *m = model_of(&s, "preset=rr pca=0");
    check(sg_report_data_init(&shown, m, &s));
    assert_int_equal(shown.rows, SG_REPORT_MAX_ROWS);
    assert_int_equal(shown.inputs, 3);
    assert_int_equal(shown.row_index[0], 0);
    assert_true(shown.row_index[shown.rows - 1] >= ROWS - 3 && shown.row_index[shown.rows - 1] < ROWS);
    for (size_t i = 0; i < shown.rows; i++) {
        const double *from = r.value + shown.row_index[i] * 4, *x = shown.x + i * 3;
        if (i)
            assert_true(shown.row_index[i] > shown.row_index[i - 1] &&
                        shown.row_index[i] <= shown.row_index[i - 1] + 3);
        assert_true(isnan(from[0]) ? isnan(x[0]) : x[0] == from[0]);
        assert_string_equal(sg_model_level(m, 2, (size_t)x[2]), level_of(NULL, 2, (size_t)from[2]));
        assert_true(isnan(from[3]) ? isnan(shown.y[i]) : shown.y[i] == from[3]);
        double y;
        check(sg_model_predict(m, x, 1, &y));
        assert_close(shown.predicted[i], y, 1e-12);
    }
    assert_true(shown.importance[0] > 0.5);
    assert_true(shown.importance[1] < 0.1 && shown.importance[2] < 0.1);
    sg_report_data_release(&shown);
    sg_model_free(m);
}

static void test_few_rows(void **state)
{
    (void)state;
    static rows r;
    sg_report_data shown;
    sg_source s = source_of(&r, 40);
    sg_model *m = model_of(&s, "rules=3 iters=2 pca=0");
    for (size_t n = 1; n <= 3; n += 2) {
        s.rows = n;
        check(sg_report_data_init(&shown, m, &s));
        assert_int_equal(shown.rows, n);
        assert_int_equal(shown.row_index[n - 1], n - 1);
        sg_report_data_release(&shown);
    }
    sg_model_free(m);
}

/* The number of rules in the JSON: each begins with its index. */
static size_t count_rules(const sg_model *m, size_t room)
{
    sg_text t = {0};
    size_t n = 0;
    check(sg_report_rules_json(m, room, &t));
    assert_non_null(strstr(t.bytes, "\"terms\": ["));
    for (const char *p = strstr(t.bytes, "\"rules\": ["); p && (p = strstr(p, ", [\"")); p++)
        n += p[-1] >= '0' && p[-1] <= '9';
    sg_text_release(&t);
    return n;
}

static void test_rules(void **state)
{
    (void)state;
    static rows r;
    sg_source s = source_of(&r, 300);
    sg_model *m = model_of(&s, "rules=4 iters=2 pca=0");
    assert_int_equal(count_rules(m, 1 << 20), 4);
    assert_int_equal(count_rules(m, 1), 1); /* the rule with the largest coverage */
    assert_int_equal(count_rules(m, 0), 0);
    sg_model_free(m);
}

static char *text_of(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = calloc(1, 4 << 20);
    assert_non_null(text);
    *length = fread(text, 1, (4 << 20) - 1, f);
    fclose(f);
    return text;
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
    return n;
}

static void test_page(void **state)
{
    (void)state;
    static rows r;
    char path[] = "/tmp/sugeno-report-XXXXXX";
    size_t length;
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    sg_source s = source_of(&r, 300);
    sg_model *m = model_of(&s, "rules=4 iters=2 pca=0");
    for (int with_rows = 0; with_rows < 2; with_rows++) {
        check(sg_model_report(m, with_rows ? &s : NULL, NULL, 1, path));
        char *text = text_of(path, &length);
        assert_memory_equal(text, sg_page_head, sg_page_head_length);
        assert_memory_equal(text + length - sg_page_tail_length, sg_page_tail, sg_page_tail_length);
        assert_int_equal(count_of(text, "</script>"), 4); /* those of the page: the level of this name is escaped */
        assert_int_equal(count_of(text, "\\u003c/script>") > 0, 1);
        assert_int_equal(count_of(text, "\"importance\": ["), with_rows);
        free(text);
    }
    check_fails(sg_model_report(m, &s, NULL, 1, "/none/at/all.html"), SG_EIO, "/none/at/all.html");
    check_fails(sg_model_report(m, &s, "w", 1, path), SG_EDATA, "w");
    s.columns = 2;
    check_fails(sg_model_report(m, &s, NULL, 1, path), SG_EDATA, "kind");
    remove(path);
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_few_rows),
                                          cmocka_unit_test(test_rules), cmocka_unit_test(test_page)};
TEST_GROUP(tests, NULL, NULL)
