/* test_transformed_row.c: the transformed rows that the rules see.
 * labels: memory */
#include "test.h"

#include <stdlib.h>

enum { ROWS = 300 };

typedef struct seen {
    size_t inputs, width;
    sg_model *model;
    double *x, *a; /* (ROWS, inputs), (ROWS, width) */
} seen;

/* Trains on generated rows, whose last column is the target, and transforms them. */
static seen view_of(const char *data, const char *settings)
{
    seen s;
    sg_table *table;
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_progress p;
    check(sg_table_generate(data, ROWS, 3, &table));
    sg_source source = sg_table_source(table);
    check(sg_trainer_new(o, &source, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &s.model));
    s.inputs = sg_model_inputs(s.model);
    s.width = sg_model_transform_width(s.model);
    assert_int_equal(s.inputs, source.columns - 1);
    s.x = malloc(ROWS * s.inputs * sizeof *s.x);
    s.a = malloc(ROWS * s.width * sizeof *s.a);
    assert_true(s.x && s.a);
    for (size_t r = 0; r < ROWS; r++)
        memcpy(s.x + r * s.inputs, sg_table_values(table) + r * source.columns, s.inputs * sizeof *s.x);
    check(sg_model_transform(s.model, s.x, ROWS, s.a));
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(table);
    return s;
}

static void release(seen *s)
{
    free(s->x);
    free(s->a);
    sg_model_free(s->model);
}

static double mean(const seen *s, size_t i)
{
    double sum = 0;
    for (size_t r = 0; r < ROWS; r++) sum += s->a[r * s->width + i];
    return sum / ROWS;
}

static double covariance(const seen *s, size_t i, size_t j)
{
    double sum = 0, mi = mean(s, i), mj = mean(s, j);
    for (size_t r = 0; r < ROWS; r++) sum += (s->a[r * s->width + i] - mi) * (s->a[r * s->width + j] - mj);
    return sum / (ROWS - 1);
}

static void principal_components(void **state)
{
    seen s = view_of("friedman", "preset=mbgd-rda iters=5");
    (void)state;
    assert_int_equal(s.inputs, 10);
    assert_int_equal(s.width, 5);
    for (size_t i = 0; i < s.width; i++) {
        assert_close(mean(&s, i), 0, 1e-12);
        assert_true(covariance(&s, i, i) > 0.5);
        for (size_t j = 0; j < i; j++) {
            assert_close(covariance(&s, i, j), 0, 1e-12);
            assert_true(covariance(&s, i, i) <= covariance(&s, j, j));
        }
    }
    release(&s);
}

static void z_scores(void **state)
{
    seen s = view_of("mackey-glass", "preset=mbgd-rda iters=5");
    (void)state;
    assert_int_equal(s.inputs, 4);
    assert_int_equal(s.width, 4);
    for (size_t i = 0; i < s.width; i++) {
        assert_close(mean(&s, i), 0, 1e-12);
        assert_close(sqrt(covariance(&s, i, i)), 1, 1e-12);
    }
    s.x[s.inputs + 2] = 1e300; /* the second of three rows; the others are unchanged */
    double a[3 * 4];
    check(sg_model_transform(s.model, s.x, 3, a));
    s.a[s.width + 2] = 1e6; /* the clamp */
    assert_memory_equal(a, s.a, sizeof a);
    release(&s);
}

static void values_as_they_are(void **state)
{
    seen s = view_of("friedman", "preset=mbgd-rda iters=5 scale=none pca=0 rules=3");
    (void)state;
    assert_int_equal(s.width, 10);
    assert_memory_equal(s.a, s.x, ROWS * s.inputs * sizeof *s.x);
    release(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(principal_components),
    cmocka_unit_test(z_scores),
    cmocka_unit_test(values_as_they_are),
};
TEST_GROUP(tests, NULL, NULL)
