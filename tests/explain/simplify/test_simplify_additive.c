/* test_simplify_additive.c: simplified additive models have fewer pairs, curves and terms, and predict nearly the same.
 */
#include "base/random/random.h"
#include "explain/simplify/thin_additive.h"
#include "explained_models.h"

enum { ROWS = 400, INPUTS = 8 };

/* Rows of the concrete model with a little noise; some cells are missing. */
static sg_table *make_rows(const sg_model *m, uint64_t seed)
{
    static double v[ROWS * (INPUTS + 1)];
    const char *name[INPUTS + 1] = {0};
    sg_random_stream s = sg_random_stream_at(seed, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    sg_table *t;
    for (size_t i = 0; i < INPUTS; i++) name[i] = sg_model_input_name(m, i);
    name[INPUTS] = "strength";
    for (size_t r = 0; r < ROWS; r++) {
        double *x = v + r * (INPUTS + 1);
        for (size_t i = 0; i < INPUTS; i++)
            x[i] = sg_random_stream_uniform(&s) < 0.02
                       ? (double)NAN
                       : m->low[i] + sg_random_stream_uniform(&s) * (m->high[i] - m->low[i]);
        check(sg_model_predict(m, x, 1, &x[INPUTS]));
        x[INPUTS] += sg_random_stream_normal(&s);
    }
    check(sg_table_new(name, INPUTS + 1, v, ROWS, &t));
    return t;
}

typedef struct points {
    sg_simplify_point first, last;
    size_t count;
} points;

static void take(void *arg, const sg_simplify_point *p)
{
    points *all = arg;
    if (all->count++ == 0) all->first = *p;
    else assert_true(p->rules <= all->last.rules && p->mfs <= all->last.mfs);
    all->last = *p;
}

static sg_model *simplify(const sg_model *m, const sg_table *t, double tolerance, size_t max_rules, points *all)
{
    sg_source rows = sg_table_source(t);
    sg_model *simpler;
    *all = (points){.count = 0};
    sg_simplify_options how = {.tolerance = tolerance, .max_rules = max_rules, .on_point = take, .arg = all};
    check(sg_model_simplify(m, &rows, &how, &simpler));
    return simpler;
}

static double rmse_on(const sg_model *m, const sg_table *t)
{
    sg_source rows = sg_table_source(t);
    sg_metrics metrics;
    check(sg_model_evaluate(m, &rows, NULL, 1, &metrics));
    return metrics.rmse;
}

static void removes_what_costs_little(void **state)
{
    sg_model *m = concrete_model();
    sg_table *t = make_rows(m, 7), *other = make_rows(m, 8);
    points all;
    (void)state;
    sg_model *simpler = simplify(m, t, 0.05, 0, &all);
    assert_true(all.last.chosen && all.last.rules == sg_model_rules(simpler));
    assert_true(10 * sg_model_rules(simpler) < 7 * sg_model_rules(m));
    assert_true(sg_model_pairs(simpler) < 8 && sg_model_pairs(simpler) > 0);
    assert_close(rmse_on(simpler, t), all.last.rmse, 1e-9);
    assert_true(all.last.rmse <= 1.05 * all.first.rmse);
    assert_true(rmse_on(simpler, other) < 1.1 * rmse_on(m, other));
    sg_model_free(simpler);
    simpler = simplify(m, t, 0, 30, &all);
    assert_true(sg_model_rules(simpler) <= 30 && sg_model_curves(simpler) > 0);
    sg_model_free(simpler);
    sg_table_free(t);
    sg_table_free(other);
    sg_model_free(m);
}

/* Cement may only raise the prediction, water only lower it, whatever is removed. */
static void stays_monotone(void **state)
{
    sg_model *m = concrete_model();
    sg_table *t = make_rows(m, 9);
    points all;
    (void)state;
    for (size_t i = 0; i < 8; i++) memset(m->additive->pair[i].value, 0, 9 * sizeof(double)); /* are not monotone */
    for (double tolerance = 0.01; tolerance < 3; tolerance *= 3) {
        sg_model *simpler = simplify(m, t, tolerance, 0, &all);
        for (size_t row = 0; row < 20; row++) {
            double x[INPUTS], y, before[2] = {-INFINITY, INFINITY};
            for (size_t step = 0; step <= 50; step++) {
                for (int side = 0; side < 2; side++) {
                    size_t input = side ? 3 : 0;
                    memcpy(x, sg_table_values(t) + row * (INPUTS + 1), sizeof x);
                    x[input] = m->low[input] + (double)step / 50 * (m->high[input] - m->low[input]);
                    check(sg_model_predict(simpler, x, 1, &y));
                    assert_true(side ? y <= before[1] : y >= before[0]);
                    before[side] = y;
                }
            }
        }
        sg_model_free(simpler);
    }
    sg_table_free(t);
    sg_model_free(m);
}

/* Removes random parts, as far as it is allowed, and compares the trial with the model that is built. */
static void builds_what_it_scores(void **state)
{
    sg_random_stream s = sg_random_stream_at(4, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (int i = 0; i < 40; i++) {
        sg_model *m = i % 2 ? house_model() : concrete_model(), *trial, *built;
        sg_thinning t;
        sg_removal removal[200];
        check(sg_thinning_init(&t, m));
        size_t n = sg_thinning_list(&t, removal);
        assert_true(n < 200);
        for (int k = 0; k < 30; k++) {
            const sg_removal *r = &removal[(size_t)((double)n * sg_random_stream_uniform(&s))];
            if (sg_thinning_allows(&t, r)) sg_thinning_set(&t, r, false);
        }
        check(sg_model_copy(m, &trial));
        sg_thinning_apply(&t, trial);
        check(sg_thinning_build(&t, &built));
        for (int row = 0; row < 20; row++) {
            double x[8], y[2], z[2];
            for (size_t k = 0; k < sg_model_inputs(m); k++) {
                size_t f = sg_model_first_feature(m, k);
                double u = sg_random_stream_uniform(&s);
                x[k] = u < 0.05            ? (double)NAN
                       : is_category(m, k) ? floor(9 * u)
                                           : m->low[f] + u * (m->high[f] - m->low[f]);
            }
            check(sg_model_predict(trial, x, 1, y));
            check(sg_model_predict(built, x, 1, z));
            for (size_t o = 0; o < m->outputs; o++) assert_close(y[o], z[o], 1e-9 * (1 + fabs(y[o])));
        }
        assert_true(sg_model_reading_cost(built) <= sg_model_reading_cost(m));
        for (size_t c = 0; c < sg_model_curves(built); c++) {
            double sum = 0;
            for (size_t k = 0; k <= built->additive->curve[c].cells; k++) sum += built->additive->curve[c].share[k];
            assert_close(sum, 1, 1e-9);
        }
        sg_model_free(built);
        sg_model_free(trial);
        sg_thinning_release(&t);
        sg_model_free(m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(removes_what_costs_little),
    cmocka_unit_test(stays_monotone),
    cmocka_unit_test(builds_what_it_scores),
};
TEST_GROUP(tests, NULL, NULL)
