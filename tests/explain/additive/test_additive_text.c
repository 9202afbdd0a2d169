/* test_additive_text.c: additive models as text, Markdown and JSON. */
#include "additive_model.h"

static void show(void **state)
{
    (void)state;
    sg_model *m = concrete_model();
    char *t;
    check(sg_model_describe(m, &t));
    puts(t);
    sg_string_free(t);
    check(sg_model_describe_as(m, "markdown", 0, &t));
    puts(t);
    sg_string_free(t);
    check(sg_model_describe_json(m, &t));
    puts(t);
    sg_string_free(t);
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(show)};
TEST_GROUP(tests, NULL, NULL)
