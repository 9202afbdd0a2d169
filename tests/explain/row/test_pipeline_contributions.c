/* test_pipeline_contributions.c: contributions of features add up in each column of a pipeline. labels: memory
 */
#include "kernel_test_support.h"

#include "explain/row/pipeline_contributions.h"

enum { FEATURES = 4 };

/* One letter per step: z-score, narrow clamp, PCA. */
static sg_model *model_of(const char *steps, sg_random_stream *s)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    sg_model *m;
    check(sg_model_new(names, FEATURES, names, 1, &m));
    for (; *steps; steps++) {
        bool zscore = *steps == 'z', clamp = *steps == 'c';
        size_t out = zscore || clamp ? m->a.out : 3;
        sg_transform *step = sg_pipeline_append(&m->a,
                                                zscore  ? &sg_transform_zscore
                                                : clamp ? &sg_transform_clamp
                                                        : &sg_transform_pca,
                                                out);
        assert_non_null(step);
        for (size_t i = 0; i < step->kind->count(step, 0); i++) step->parameter[0][i] = draw(s, -1, -0.4);
        for (size_t i = 0; i < step->kind->count(step, 1); i++) step->parameter[1][i] = draw(s, 0.3, 0.9);
        if (!zscore && !clamp) step->parameter[0][1] = 0.8;
    }
    for (size_t k = 0; k < FEATURES; k++) m->feature_mean[k] = draw(s, -0.3, 0.3);
    return m;
}

static void add_up(void **state)
{
    static const char *const views[] = {"", "z", "c", "zc", "czc", "p", "zp", "zpc", "czpc", "zpzc", "pp", "czpcpc"};
    sg_random_stream s = sg_random_stream_at(21, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (size_t v = 0; v < 200 * sizeof views / sizeof *views; v++) {
        const char *steps = views[v % (sizeof views / sizeof *views)];
        sg_model *m = model_of(steps, &s);
        double x[FEATURES], z[FEATURES], scratch[64], part[FEATURES];
        sg_contributions p;
        check(sg_contributions_init(&p, &m->a, m->feature_mean));
        for (size_t k = 0; k < FEATURES; k++) x[k] = k == v % 7 ? m->feature_mean[k] : draw(&s, -1.5, 1.5);
        sg_pipeline_apply(&m->a, x, z, scratch);
        sg_contributions_set_row(&p, x);
        for (size_t t = 0; t < m->a.out; t++) {
            double weight[FEATURES] = {0}, sum = 0;
            weight[t] = 2.5;
            sg_contributions_sum(&p, weight, part);
            for (size_t k = 0; k < FEATURES; k++) sum += part[k];
            if (fabs(sum - 2.5 * (z[t] - sg_contributions_at_mean(&p)[t])) > 1e-9)
                fail_msg("%s: column %zu: %g", steps, t, sum);
            if (v % 7 < FEATURES) assert_true(part[v % 7] == 0);
        }
        sg_contributions_release(&p);
        sg_model_free(m);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(add_up)};
TEST_GROUP(tests, NULL, NULL)
