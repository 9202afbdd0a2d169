/* test_rate_schedule.c: learning-rate schedules against libm's cosine, and their effect on training. */
#include "test.h"
#include "train/train_config.h"

static sg_rate_schedule of(const char *settings)
{
    sg_options *o = options_of(settings);
    sg_rate_schedule s = sg_train_config_parse(o).schedule;
    sg_options_free(o);
    return s;
}

static void constant(void **state)
{
    sg_rate_schedule s = of("iters=200"), warm = of("iters=200 warmup=0.1");
    (void)state;
    for (size_t k = 1; k <= 200; k++) {
        assert_true(sg_rate_schedule_factor(&s, k) == 1);
        assert_close(sg_rate_schedule_factor(&warm, k), k < 20 ? (double)k / 20 : 1, 1e-15);
    }
}

static void cosine(void **state)
{
    static const struct {
        const char *settings;
        double iterations, warm;
    } cases[] = {{"iters=200 schedule=cosine", 200, 0},
                 {"iters=200 schedule=cosine warmup=0.1", 200, 20},
                 {"iters=1 schedule=cosine warmup=1", 1, 1},
                 {"iters=50 schedule=cosine warmup=1", 50, 50},
                 {"iters=3 schedule=cosine warmup=0.02", 3, 0.06}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_rate_schedule s = of(cases[i].settings);
        for (size_t k = 1; (double)k <= cases[i].iterations; k++) {
            double at = (double)k - cases[i].warm, length = cases[i].iterations - cases[i].warm + 1;
            double due = at < 0 ? (double)k / cases[i].warm : (1 + cos(acos(-1.0) * at / length)) / 2;
            assert_close(sg_rate_schedule_factor(&s, k), due, 1e-14);
            assert_true(sg_rate_schedule_factor(&s, k) > 0); /* the last step is not 0 */
        }
    }
}

/* SGD steps are proportional to the factor. */
static void steps_follow_it(void **state)
{
    sg_table *table;
    sg_progress p;
    (void)state;
    check(sg_table_generate("friedman", 200, 5, &table));
    sg_source rows = sg_table_source(table);
    sg_options *o = options_of("optim=sgd rate=1e-4 sigma-floor=0.01 iters=10 warmup=0.5 schedule=cosine");
    sg_rate_schedule s = sg_train_config_parse(o).schedule;
    sg_trainer *t;
    check(sg_trainer_new(o, &rows, NULL, &t));
    size_t n = sg_model_parameters(sg_trainer_current(t));
    double *grad = malloc(n * sizeof *grad), *before = malloc(n * sizeof *before);
    do {
        check(sg_trainer_gradient(t, grad));
        memcpy(before, sg_model_theta(sg_trainer_current(t)), n * sizeof *before);
        check(sg_trainer_step(t, &p));
        double rate = 1e-4 * sg_rate_schedule_factor(&s, p.iteration);
        assert_true(p.rate == rate);
        for (size_t i = 0; i < n; i++)
            assert_close(sg_model_theta(sg_trainer_current(t))[i], before[i] - rate * grad[i],
                         1e-14 * (1 + fabs(before[i])));
    } while (p.more);
    free(grad);
    free(before);
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(constant),
    cmocka_unit_test(cosine),
    cmocka_unit_test(steps_follow_it),
};
TEST_GROUP(tests, NULL, NULL)
