/* test_interaction_tables.c: interacting inputs get tables of mean predictions; others do not. */
#include "test.h"

#include <jansson.h>
#include <stdlib.h>

enum { SIDE = 20, ROWS = SIDE * SIDE };

/* y is a function of a and b on a grid; c has no effect. */
static sg_model *train(double (*f)(double a, double b))
{
    static const char *const names[] = {"a", "b", "c", "y"};
    double x[ROWS][4];
    sg_table *t;
    sg_model *m;
    sg_options *o = options_of("preset=mbgd-rda rules=12 pca=0 iters=1500");
    for (size_t i = 0; i < ROWS; i++) {
        size_t row = i / SIDE, column = i % SIDE;
        x[i][0] = (double)row / SIDE * 2 - 1;
        x[i][1] = (double)column / SIDE * 2 - 1;
        x[i][2] = (double)(i * 7 % 11);
        x[i][3] = f(x[i][0], x[i][1]);
    }
    check(sg_table_new(names, 4, x[0], ROWS, &t));
    sg_source rows = sg_table_source(t);
    check(sg_train(o, &rows, NULL, NULL, NULL, &m));
    sg_table_free(t);
    sg_options_free(o);
    return m;
}

static double product(double a, double b) { return 1000 + a * b; }
static double sum(double a, double b) { return 1000 + a - 2 * b; }

static double cell(const json_t *t, size_t row, size_t column)
{
    return json_real_value(json_array_get(json_array_get(json_object_get(t, "mean"), row), column));
}

static void products_interact(void **state)
{
    char *text;
    (void)state;
    sg_model *m = train(product);
    check(sg_model_describe_as(m, "json", 0, &text));
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL),
           *t = json_array_get(json_object_get(root, "together"), 0);
    sg_string_free(text);
    assert_non_null(t);
    assert_string_not_equal(json_string_value(json_object_get(t, "across")), "c");
    assert_string_not_equal(json_string_value(json_object_get(t, "down")), "c");
    assert_int_equal(json_array_size(json_object_get(t, "down_at")), 5);
    assert_true(cell(t, 0, 0) > 1000.3 && cell(t, 4, 4) > 1000.3 && cell(t, 0, 4) < 999.7 && cell(t, 4, 0) < 999.7);
    assert_true(fabs(cell(t, 2, 2) - 1000) < 0.2);
    json_decref(root);
    sg_model_free(m);
}

/* The same as text within 80 columns, and as a Markdown table. */
static void tables_are_written(void **state)
{
    char *text, *markdown;
    (void)state;
    sg_model *m = train(product);
    check(sg_model_describe_as(m, "text", 0, &text));
    const char *at = strstr(text, "Interactions: mean prediction as two inputs vary");
    assert_non_null(at);
    assert_non_null(strstr(at, " (columns)"));
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) assert_true(strcspn(line, "\n") <= 80);
    check(sg_model_describe_as(m, "markdown", 0, &markdown));
    assert_non_null(strstr(markdown, "| ---: | ---: | ---: | ---: | ---: | ---: |\n"));
    sg_string_free(text);
    sg_string_free(markdown);
    sg_model_free(m);
}

static void sums_do_not_interact(void **state)
{
    char *text;
    (void)state;
    sg_model *m = train(sum);
    check(sg_model_describe_as(m, "text", 0, &text));
    assert_non_null(strstr(text, "Partial dependence"));
    assert_null(strstr(text, "Interactions"));
    sg_string_free(text);
    check(sg_model_describe_as(m, "json", 0, &text));
    assert_non_null(strstr(text, "\"together\": []"));
    sg_string_free(text);
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_interact),
    cmocka_unit_test(tables_are_written),
    cmocka_unit_test(sums_do_not_interact),
};
TEST_GROUP(tests, NULL, NULL)
