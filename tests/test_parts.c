/* test_parts.c: what features add to the columns of a view: in each column they add up. labels: memory */
#include "kernels.h"

#include "explain/parts.h"

enum { FEATURES = 4 };

/* A step of each letter: z-score, narrow limits, components. */
static sg_model *model_of(const char *steps, sg_stream *s)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    sg_model *m;
    check(sg_model_new(names, FEATURES, names, 1, &m));
    for (; *steps; steps++) {
        bool zscore = *steps == 'z', clamp = *steps == 'c';
        size_t out = zscore || clamp ? m->a.out : 3;
        sg_step *step = sg_view_append(&m->a, zscore ? &sg_step_zscore : clamp ? &sg_step_clamp : &sg_step_pca, out);
        assert_non_null(step);
        for (size_t i = 0; i < step->kind->count(step, 0); i++) step->number[0][i] = draw(s, -1, -0.4);
        for (size_t i = 0; i < step->kind->count(step, 1); i++) step->number[1][i] = draw(s, 0.3, 0.9);
        if (!zscore && !clamp) step->number[0][1] = 0.8;
    }
    for (size_t k = 0; k < FEATURES; k++) m->input_mean[k] = draw(s, -0.3, 0.3);
    return m;
}

static void add_up(void **state)
{
    static const char *const views[] = {"", "z", "c", "zc", "czc", "p", "zp", "zpc", "czpc", "zpzc", "pp", "czpcpc"};
    sg_stream s = sg_stream_at(21, SG_RANDOM_GENERATE, 0, 0);
    (void)state;
    for (size_t v = 0; v < 200 * sizeof views / sizeof *views; v++) {
        const char *steps = views[v % (sizeof views / sizeof *views)];
        sg_model *m = model_of(steps, &s);
        double x[FEATURES], z[FEATURES], scratch[64], part[FEATURES];
        sg_parts p;
        check(sg_parts_init(&p, m));
        for (size_t k = 0; k < FEATURES; k++) x[k] = k == v % 7 ? m->input_mean[k] : draw(&s, -1.5, 1.5);
        sg_view_apply(&m->a, x, z, scratch);
        sg_parts_row(&p, x);
        for (size_t t = 0; t < m->a.out; t++) {
            double weight[FEATURES] = {0}, sum = 0;
            weight[t] = 2.5;
            sg_parts_sum(&p, weight, part);
            for (size_t k = 0; k < FEATURES; k++) sum += part[k];
            if (fabs(sum - 2.5 * (z[t] - sg_parts_at_mean(&p)[t])) > 1e-9)
                fail_msg("%s: column %zu: %g", steps, t, sum);
            if (v % 7 < FEATURES) assert_true(part[v % 7] == 0);
        }
        sg_parts_release(&p);
        sg_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(add_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
