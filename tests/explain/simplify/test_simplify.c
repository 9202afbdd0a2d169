/* test_simplify.c: simplified models, scored on separate rows. */
#include "explain/simplify/cut_weakest.h"
#include "explain/simplify/fine_tune.h"
#include "explain/simplify/prune_and_merge.h"
#include "explain/simplify/refit_and_score.h"
#include "test.h"

#include <stdlib.h>

enum { ROWS = 600, MOST = 64 };

/* Two of six rules suffice: y is linear below and above x1 = 0.5. */
static sg_table *make_table(uint64_t seed)
{
    sg_table *from, *t;
    static const char *const names[] = {"x1", "x2", "x3", "y"};
    double v[ROWS * 4];
    check(sg_table_generate("friedman", ROWS, seed, &from));
    for (size_t i = 0; i < ROWS; i++) {
        const double *x = sg_table_values(from) + i * sg_table_columns(from);
        double y = x[0] < 0.5 ? 3 * x[1] : 8 - 2 * x[1];
        double row[4] = {x[0], x[1], x[2], y + 0.05 * (x[8] - 0.5)};
        memcpy(v + 4 * i, row, sizeof row);
    }
    check(sg_table_new(names, 4, v, ROWS, &t));
    sg_table_free(from);
    return t;
}

static sg_model *train(const sg_table *t, const char *settings)
{
    sg_source rows = sg_table_source(t);
    sg_options *o = options_of(settings);
    sg_model *m;
    check(sg_train(o, &rows, NULL, NULL, NULL, &m));
    sg_options_free(o);
    return m;
}

typedef struct points {
    sg_simplify_point point[MOST];
    size_t count;
} points;

static void take(void *arg, const sg_simplify_point *p)
{
    points *all = arg;
    assert_true(all->count < MOST);
    all->point[all->count++] = *p;
}

static const char usual[] = "preset=mbgd-rda rules=12 pca=0 iters=600";

static double rmse_on(const sg_model *m, uint64_t seed)
{
    sg_table *t = make_table(seed);
    sg_source rows = sg_table_source(t);
    sg_metrics metrics;
    check(sg_model_evaluate(m, &rows, NULL, 1, &metrics));
    sg_table_free(t);
    return metrics.rmse;
}

/* Conditions, membership functions and the four numbers of each consequent. */
static size_t size_of(const sg_simplify_point *p) { return p->conditions + p->mfs + 4 * p->rules; }

static void finds_simpler_models(void **state)
{
    (void)state;
    sg_table *t = make_table(1);
    sg_source rows = sg_table_source(t);
    sg_model *m = train(t, usual), *simpler;
    points all = {.count = 0};
    sg_simplify_options how = {.tolerance = 0.02, .on_point = take, .arg = &all};
    check(sg_model_simplify(m, &rows, &how, &simpler));
    assert_int_equal(all.point[0].rules, 12);
    assert_int_equal(all.point[0].conditions, 36);
    size_t chosen = 0, times = 0;
    for (size_t i = 0; i < all.count; i++) {
        if (i > 1)
            assert_true(size_of(&all.point[i]) < size_of(&all.point[i - 1]) &&
                        all.point[i].rmse > all.point[i - 1].rmse);
        if (all.point[i].chosen) chosen = i;
        times += all.point[i].chosen != 0;
    }
    assert_int_equal(times, 1);
    assert_true(chosen > 0 && all.point[chosen].rmse <= 1.02 * all.point[0].rmse);
    assert_true(chosen + 1 == all.count || all.point[chosen + 1].rmse > 1.02 * all.point[0].rmse);
    assert_true(sg_model_rules(simpler) == all.point[chosen].rules && sg_model_rules(simpler) < 8);
    assert_int_equal(sg_block_conditions(&simpler->block[0]), all.point[chosen].conditions);
    assert_int_equal(simpler->block[0].mfs, all.point[chosen].mfs);
    double before = rmse_on(m, 2), after = rmse_on(simpler, 2);
    if (!(after < 1.1 * before)) fail_msg("%g, not %g", after, before);
    sg_model_free(simpler);
    sg_model_free(m);
    sg_table_free(t);
}

/* first: receives the original */
static sg_simplify_point chosen_of(const sg_model *m, const sg_table *t, size_t max_rules, double tolerance,
                                   sg_simplify_point *first)
{
    points all = {.count = 0};
    sg_simplify_options how = {.max_rules = max_rules, .tolerance = tolerance, .on_point = take, .arg = &all};
    sg_source rows = sg_table_source(t);
    sg_model *simpler;
    size_t i = 0;
    check(sg_model_simplify(m, &rows, &how, &simpler));
    while (!all.point[i].chosen) i++;
    *first = all.point[0];
    sg_model_free(simpler);
    return all.point[i];
}

static void uses_the_tolerance(void **state)
{
    (void)state;
    sg_table *t;
    check(sg_table_generate("friedman", ROWS, 1, &t));
    sg_model *m = train(t, usual);
    static const double tolerance[] = {0, 0.1, 0.5};
    size_t before = SIZE_MAX, smaller = 0;
    for (size_t i = 0; i < sizeof tolerance / sizeof *tolerance; i++) {
        sg_simplify_point first, p = chosen_of(m, t, 0, tolerance[i], &first);
        size_t size = p.conditions + p.mfs + 11 * p.rules; /* ten inputs */
        assert_true(size <= before && p.rmse <= first.rmse * (1 + tolerance[i]));
        smaller += size < before;
        before = size;
    }
    assert_true(smaller == 3);
    sg_model_free(m);
    sg_table_free(t);
}

/* At the default tolerance, most conditions of a larger rule base go, at little loss on other rows. */
static void removes_most_conditions(void **state)
{
    (void)state;
    sg_table *t = make_table(1);
    sg_source rows = sg_table_source(t);
    sg_model *m = train(t, "preset=mbgd-rda rules=16 pca=0 iters=600 mf=gauss-a scale=quantile"), *simpler;
    sg_simplify_options how = {.tolerance = 0.05};
    check(sg_model_simplify(m, &rows, &how, &simpler));
    assert_int_equal(sg_block_conditions(&m->block[0]), 48);
    assert_true(sg_block_conditions(&simpler->block[0]) <= 24);
    double before = rmse_on(m, 2), after = rmse_on(simpler, 2);
    if (!(after < 1.1 * before)) fail_msg("%g, not %g", after, before);
    sg_model_free(simpler);
    sg_model_free(m);
    sg_table_free(t);
}

/* The result is a complete model, with coverage and record, and can be saved. */
static void result_is_complete(void **state)
{
    (void)state;
    sg_table *t = make_table(1);
    sg_source rows = sg_table_source(t);
    sg_model *m = train(t, usual), *simpler, *again;
    sg_simplify_options how = {.max_rules = 3};
    char *text, *twice;
    double sum = 0;
    static const double error[] = {0.5, 1}; /* and weight */
    check(sg_calibration_fit(&m->calibration, error, 1, 1));
    m->calibration.support_rows = 7;
    m->calibration.min_log_firing = -1e99;
    check(sg_model_simplify(m, &rows, &how, &simpler));
    assert_true(sg_model_rules(simpler) <= 3);
    assert_true(sg_model_calibration_rows(simpler) == 0 &&
                simpler->calibration.min_log_firing > -1e9); /* those of the original were cleared */
    for (size_t r = 0; r < sg_model_rules(simpler); r++) sum += simpler->block[0].firing_share[r];
    assert_true(fabs(sum - 1) < 1e-5);
    check(sg_model_to_json(simpler, &text));
    assert_non_null(strstr(text, "\"simplified\": \"from 12 rules, 36 conditions and an RMSE of "));
    check(sg_model_from_json(text, strlen(text), "m.json", &again));
    check(sg_model_to_json(again, &twice));
    assert_string_equal(text, twice);
    sg_string_free(text);
    sg_string_free(twice);
    sg_model_free(again);
    check(sg_model_simplify(m, &rows, &how, &again)); /* reproducible */
    assert_int_equal(again->parameters, simpler->parameters);
    assert_memory_equal(again->theta, simpler->theta, simpler->parameters * sizeof *simpler->theta);
    sg_model_free(again);
    sg_model_free(simpler);
    sg_model_free(m);
    sg_table_free(t);
}

static void every_kind_of_model(void **state)
{
    static const char *const settings[] = {
        "preset=mbgd-rda pca=0 iters=30 mf=tri",
        "preset=mbgd-rda pca=2 iters=30",
        "preset=rr",
        "preset=mbgd-rda rules=5 low-rank=2 iters=30 pca=0",
        "preset=mbgd-rda rules=5 scale=quantile iters=30",
        "preset=mbgd-rda rules=5 pca=0 iters=30 targets=x3,y target=zscore firing=mean"};
    (void)state;
    sg_table *t = make_table(1);
    sg_source rows = sg_table_source(t);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sg_model *m = train(t, settings[i]), *simpler;
        points all = {.count = 0};
        sg_simplify_options how = {.tolerance = 0.05, .on_point = take, .arg = &all};
        check(sg_model_simplify(m, &rows, &how, &simpler));
        assert_true(all.count >= (sg_model_rules(m) > 1 ? 2 : 1) && sg_model_rules(simpler) <= sg_model_rules(m));
        sg_model_free(simpler);
        sg_model_free(m);
    }
    sg_table_free(t);
}

/* --- parts --- */

static void merges_similar_mfs(void **state)
{
    static const double low[] = {-2, -2, -2}, high[] = {2, 2, 2};
    const sg_input_range span = {(double *)(uintptr_t)low, (double *)(uintptr_t)high};
    (void)state;
    sg_table *t = make_table(1);
    sg_model *m = train(t, "preset=mbgd-rda rules=3 pca=0 iters=1"), *fewer;
    sg_block *b = &m->block[0];
    for (size_t r = 0; r < 3; r++)
        for (size_t i = 0; i < 3; i++) {
            size_t mf = (size_t)b->mf_of[r * 3 + i];
            b->mf[mf] = r == 2 ? 1.5 : i == 0 ? (r ? -1.02 : -1) : i == 1 ? (r ? 0 : -1) : 0; /* c     */
            b->mf[b->mfs + mf] = i == 2 && r == 0 ? 30 : 0.7;                                 /* sigma */
        }
    assert_true(sg_block_save_initial_mfs(b)); /* merged in the same way */
    for (size_t i = 0; i < b->mfs; i++) b->initial_mf[i] = b->mf[i] + 5;
    check(sg_prune_mfs(m, &span, 0.9, 0.9, &fewer));
    const sg_block *f = &fewer->block[0];
    for (size_t i = 0; i < f->mfs; i++)
        assert_true(fabs(f->initial_mf[i] - f->mf[i] - 5) < 1e-12 && f->initial_mf[f->mfs + i] == f->mf[f->mfs + i]);
    assert_int_equal(f->rules, 3);
    assert_int_equal(f->mfs, 7); /* two of the first input merged; one of the third removed, because it is wide */
    assert_int_equal(sg_block_conditions(f), 8);
    assert_int_equal(f->mf_of[0], f->mf_of[3]);
    assert_true(fabs(f->mf[f->mf_of[0]] + 1.01) < 1e-12);
    assert_int_equal(f->mf_of[2], -1);
    assert_true(f->mf_of[1] != f->mf_of[4]);
    assert_memory_equal(f->conseq, b->conseq, 3 * 4 * sizeof *f->conseq);
    sg_model_free(fewer);
    bool keep[] = {false, true, false};
    check(sg_prune_rules(m, keep, &fewer));
    assert_int_equal(fewer->block[0].rules, 1);
    assert_int_equal(fewer->block[0].mfs, 0);
    assert_memory_equal(fewer->block[0].conseq, b->conseq + 4, 4 * sizeof *f->conseq);
    sg_model_free(fewer);
    sg_model_free(m);
    sg_table_free(t);
}

/* 0 and 1 overlap by 0.45, 1 and 0.6 by 0.73; their mean, 0.8, overlaps 0 by 0.53. */
static void merges_repeatedly(void **state)
{
    static const double low[] = {-9, -9, -9}, high[] = {9, 9, 9}, c[] = {0, 1, 0.6};
    const sg_input_range span = {(double *)(uintptr_t)low, (double *)(uintptr_t)high};
    (void)state;
    sg_table *t = make_table(1);
    sg_model *m = train(t, "preset=mbgd-rda rules=3 pca=0 iters=1"), *fewer;
    sg_block *b = &m->block[0];
    for (size_t r = 0; r < 3; r++)
        for (size_t i = 0; i < 3; i++) {
            size_t mf = (size_t)b->mf_of[r * 3 + i];
            b->mf[mf] = i == 0 ? c[r] : 3 * (double)r; /* the others do not overlap */
            b->mf[b->mfs + mf] = 1;
        }
    check(sg_prune_mfs(m, &span, 0.5, 0.9, &fewer));
    assert_int_equal(fewer->block[0].mfs, 7);
    sg_model_free(fewer);
    sg_model_free(m);
    sg_table_free(t);
}

/* A rule far from all rows has importance 0 and is removed first; the importance of another is the change without it.
 */
static void keeps_important_rules(void **state)
{
    (void)state;
    sg_table *t = make_table(1);
    sg_source rows = sg_table_source(t);
    sg_model *m = train(t, "preset=mbgd-rda rules=3 pca=0 iters=600"), *simpler;
    sg_block *b = &m->block[0];
    sg_refit_data f;
    double importance[3], change = 0;
    const bool keep[] = {true, true, false};
    for (size_t i = 0; i < 3; i++) b->mf[b->mf_of[3 + i]] = 1000; /* second rule */
    check(sg_refit_data_init(&f, m, &rows, 0, 1000));
    check(sg_refit_data_rule_importance(&f, m, importance));
    assert_true(importance[1] == 0 && importance[0] > 0 && importance[2] > 0);
    check(sg_prune_rules(m, keep, &simpler));
    sg_reference_eval with, without;
    check(sg_reference_eval_init(&with, m));
    check(sg_reference_eval_init(&without, simpler));
    for (size_t i = 0; i < f.rows; i++) {
        double y[2];
        if (f.is_holdout[i]) continue;
        sg_reference_eval_set_row(&with, sg_table_values(t) + 4 * i);
        sg_reference_eval_set_row(&without, sg_table_values(t) + 4 * i);
        sg_reference_eval_predict(&with, &y[0]);
        sg_reference_eval_predict(&without, &y[1]);
        change += (y[0] - y[1]) * (y[0] - y[1]) / (double)f.rows;
    }
    if (!(fabs(change - importance[2]) < 0.1 * change))
        fail_msg("%g, not %g", importance[2], change); /* rows where it fires alone count less */
    sg_reference_eval_release(&with);
    sg_reference_eval_release(&without);
    sg_refit_data_release(&f);
    sg_model_free(simpler);
    sg_simplify_options how = {.max_rules = 2};
    check(sg_model_simplify(m, &rows, &how, &simpler));
    assert_int_equal(sg_model_rules(simpler), 2);
    for (size_t i = 0; i < simpler->block[0].mfs; i++) assert_true(fabs(simpler->block[0].mf[i]) < 100);
    sg_model_free(simpler);
    sg_model_free(m);
    sg_table_free(t);
}

/* A condition that is always true goes first. Its removal changes nothing, and that of others as much as predicted. */
static void cuts_the_weakest(void **state)
{
    (void)state;
    sg_table *t = make_table(1);
    sg_source rows = sg_table_source(t);
    sg_model *m = train(t, "preset=mbgd-rda rules=3 pca=0 iters=300"), *fewer, *fewest;
    sg_block *b = &m->block[0];
    sg_refit_data f;
    double distance;
    b->mf[b->mfs + (size_t)b->mf_of[3 + 1]] = 1e6; /* sigma of the second rule's condition on x2 */
    check(sg_refit_data_init(&f, m, &rows, 0, 1000));
    check(sg_cut_weakest(&f, m, 0, &fewer));
    assert_int_equal(sg_block_conditions(&fewer->block[0]), 8);
    assert_int_equal(fewer->block[0].mf_of[3 + 1], -1);
    assert_true(sg_block_size(&m->block[0]) == 9 + 9 + 12 && sg_block_size(&fewer->block[0]) == 28);
    check(sg_refit_data_probe_distance(&f, fewer, &distance));
    assert_true(distance < 1e-9);
    check(sg_cut_weakest(&f, m, 0.5, &fewest));
    assert_true(sg_block_size(&fewest->block[0]) <= 15 && fewest->block[0].rules >= 1);
    sg_model_free(fewest);
    sg_model_free(fewer);
    check(sg_cut_weakest(&f, m, 1, &fewest));
    assert_int_equal(fewest->block[0].rules, 1);
    sg_model_free(fewest);
    sg_refit_data_release(&f);
    sg_model_free(m);
    sg_table_free(t);
}

/* Tuning restores a spoilt model, whatever the targets are, and widens membership functions on request. */
static void tunes_towards_the_original(void **state)
{
    (void)state;
    sg_table *t = make_table(1);
    sg_source rows = sg_table_source(t);
    sg_model *m = train(t, "preset=mbgd-rda rules=4 pca=0 iters=300 mf=gauss-a"), *spoilt, *wide;
    const sg_tuning how = {.steps = 400, .seed = 1}, widen = {.steps = 400, .widens = true, .seed = 1};
    sg_refit_data f;
    double before, after, narrow_sum = 0, wide_sum = 0;
    check(sg_refit_data_init(&f, m, &rows, 0, 1000));
    for (size_t i = 0; i < f.rows; i++) f.targets[i] = NAN;
    check(sg_model_copy(m, &spoilt));
    for (size_t r = 0; r < 4; r++) spoilt->block[0].conseq[r * 4 + r % 4] += 0.3;
    check(sg_refit_data_probe_distance(&f, spoilt, &before));
    check(sg_model_copy(spoilt, &wide));
    check(sg_refit_data_fine_tune(&f, spoilt, &how));
    check(sg_refit_data_probe_distance(&f, spoilt, &after));
    if (!(after < 0.2 * before)) fail_msg("%g, before %g", after, before);
    check(sg_refit_data_fine_tune(&f, wide, &widen));
    for (size_t i = 0; i < m->block[0].mfs; i++) {
        narrow_sum += spoilt->block[0].mf[m->block[0].mfs + i];
        wide_sum += wide->block[0].mf[m->block[0].mfs + i];
    }
    assert_true(wide_sum < 0.98 * narrow_sum);
    sg_model_free(wide);
    sg_model_free(spoilt);
    sg_refit_data_release(&f);
    sg_model_free(m);
    sg_table_free(t);
}

/* Refitting restores corrupted consequents; for one rule it is least squares on the rows that are not held out. */
static void refits_consequents(void **state)
{
    (void)state;
    sg_table *t = make_table(1);
    sg_source rows = sg_table_source(t);
    sg_model *m = train(t, usual);
    sg_refit_data f;
    double before, spoilt, after, pull = 0;
    check(sg_refit_data_init(&f, m, &rows, 3, 1000));
    assert_int_equal(f.rows, ROWS);
    assert_true(f.holdout_rows > ROWS / 4 && f.holdout_rows < ROWS * 5 / 12);
    check(sg_refit_data_holdout_rmse(&f, m, &before));
    for (size_t r = 0; r < m->block[0].rules; r++) m->block[0].conseq[r * 4] += 1;
    check(sg_refit_data_holdout_rmse(&f, m, &spoilt));
    check(sg_refit_data_fit_consequents(&f, m, &pull, &after));
    assert_true(spoilt > 1.05 * before && after < 1.02 * before && pull > 0);
    check(sg_refit_data_holdout_rmse(&f, m, &spoilt));
    assert_true(spoilt == after);
    sg_refit_data_release(&f);
    sg_model_free(m);
    sg_table_free(t);
}

static void reports_errors(void **state)
{
    static const char *const names[] = {"x1", "x2", "x3", "y"};
    static const double few[8 * 4] = {0};
    (void)state;
    sg_table *t = make_table(1), *eight;
    sg_source rows = sg_table_source(t);
    sg_model *m = train(t, "preset=mbgd-rda rules=3 pca=0 iters=1"), *simpler = NULL;
    sg_simplify_options how = {.tolerance = -1};
    assert_int_equal(sg_model_simplify(m, &rows, &how, &simpler), SG_EINVAL);
    assert_string_equal(sg_errmsg(), "the tolerance must be finite and at least 0");
    how.tolerance = 0;
    check(sg_table_new(names, 4, few, 8, &eight));
    sg_source short_of = sg_table_source(eight);
    assert_int_equal(sg_model_simplify(m, &short_of, &how, &simpler), SG_EDATA);
    assert_non_null(strstr(sg_errmsg(), "8 rows with targets are too few for simplification"));
    check(sg_model_add_block(m, m->block[0].kind, 0, 1, 0));
    assert_int_equal(sg_model_simplify(m, &rows, &how, &simpler), SG_EINVAL);
    assert_non_null(strstr(sg_errmsg(), "this model has 2"));
    assert_null(simpler);
    sg_model_free(m);
    sg_table_free(eight);
    sg_table_free(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(finds_simpler_models),  cmocka_unit_test(result_is_complete),
    cmocka_unit_test(every_kind_of_model),   cmocka_unit_test(merges_similar_mfs),
    cmocka_unit_test(merges_repeatedly),     cmocka_unit_test(uses_the_tolerance),
    cmocka_unit_test(keeps_important_rules), cmocka_unit_test(refits_consequents),
    cmocka_unit_test(reports_errors),        cmocka_unit_test(removes_most_conditions),
    cmocka_unit_test(cuts_the_weakest),      cmocka_unit_test(tunes_towards_the_original),
};
TEST_GROUP(tests, NULL, NULL)
