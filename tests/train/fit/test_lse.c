/* test_lse.c: ridge regression and the least squares of the hybrid presets against LAPACK. */
#include "test.h"

#include "model/reference_forward_backward.h"
#include "train/fit/preprocess.h"

#include <lapacke.h>
#include <stdlib.h>

enum { ROWS = 90, INPUTS = 10 };

static sg_model *trained(const sg_source *s, const char *settings)
{
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_model *m;
    check(sg_trainer_new(o, s, NULL, &t)); /* the consequents are solved for at the start */
    check(sg_model_copy(sg_trainer_current(t), &m));
    sg_trainer_free(t);
    sg_options_free(o);
    return m;
}

/* Computes the regressors f_r z_m with the model's own antecedents, and the targets. */
static void regressors(const sg_model *m, const sg_source *s, double *phi, double *y)
{
    const sg_block *b = &m->block[0];
    size_t n = b->rules * (b->terms + 1);
    double x[16], a[16], scratch[64];
    sg_block_workspace w;
    assert_true(sg_block_workspace_init(&w, b));
    for (size_t r = 0; r < ROWS; r++) {
        check(s->read(s->self, r, 1, x));
        sg_pipeline_apply(&m->a, x, a, scratch);
        sg_forward(b, a, a, NULL, &w);
        for (size_t i = 0; i < n; i++) {
            size_t term = i % (b->terms + 1);
            phi[r * n + i] = w.firing[i / (b->terms + 1)] * (term ? a[term - 1] : 1);
        }
        y[r] = (x[INPUTS] - m->mean[0]) / m->scale[0];
    }
    sg_block_workspace_release(&w);
}

/* Minimises |phi b - y|^2 + sum d_i b_i^2 with LAPACK's QR decomposition of the stacked system. */
static void judge(const double *phi, const double *y, const double *d, size_t n, double *out)
{
    size_t rows = ROWS + n;
    double *a = calloc(rows * n, sizeof *a), *b = calloc(rows, sizeof *b);
    memcpy(a, phi, ROWS * n * sizeof *a);
    memcpy(b, y, ROWS * sizeof *b);
    for (size_t i = 0; i < n; i++) a[(ROWS + i) * n + i] = sqrt(d[i]);
    assert_int_equal(LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', (int)rows, (int)n, 1, a, (int)n, b, 1), 0);
    memcpy(out, b, n * sizeof *b);
    free(a);
    free(b);
}

static void compare(const char *settings, double l2, double bias, double tolerance)
{
    sg_table *table;
    check(sg_table_generate("friedman", ROWS, 4, &table));
    sg_source s = sg_table_source(table);
    sg_model *m = trained(&s, settings);
    const sg_block *b = &m->block[0];
    size_t n = b->rules * (b->terms + 1);
    double *phi = malloc(ROWS * n * sizeof *phi), y[ROWS], *d = calloc(n, sizeof *d), *expected = malloc(n * sizeof *d),
           largest = 0;
    regressors(m, &s, phi, y);
    for (size_t i = 0; i < n; i++) {
        size_t term = i % (b->terms + 1);
        double sum = 0; /* the variance of z_m, whose mean is 0 */
        double x[16], a[16], scratch[64];
        for (size_t r = 0; term && r < ROWS; r++) {
            check(s.read(s.self, r, 1, x));
            sg_pipeline_apply(&m->a, x, a, scratch);
            sum += a[term - 1] * a[term - 1] / (ROWS - 1);
        }
        d[i] = fmax(term ? l2 * sum : bias, 1e-6);
    }
    judge(phi, y, d, n, expected);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(expected[i]));
    for (size_t i = 0; i < n; i++) assert_close(b->conseq[i], expected[i], tolerance * largest);
    free(phi);
    free(d);
    free(expected);
    sg_model_free(m);
    sg_table_free(table);
}

/* Trains for some steps and compares the refitted consequents of the returned model, relative to their initial values.
 */
static void compare_refit(const char *settings, double l2)
{
    enum { TERMS = INPUTS + 1 };
    sg_table *table;
    sg_trainer *t;
    sg_model *m;
    sg_progress p;
    check(sg_table_generate("friedman", ROWS, 4, &table));
    sg_source s = sg_table_source(table);
    sg_options *o = options_of(settings);
    check(sg_trainer_new(o, &s, NULL, &t));
    double home[TERMS]; /* the initial consequents of all rules; 0 without --start ridge */
    memcpy(home, sg_trainer_current(t)->block[0].conseq, sizeof home);
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &m));
    const sg_block *b = &m->block[0];
    size_t n = b->rules * TERMS, moved = 0;
    double *phi = malloc(ROWS * n * sizeof *phi), y[ROWS], *d = calloc(n, sizeof *d), *due = malloc(n * sizeof *due);
    regressors(m, &s, phi, y);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t i = 0; i < n; i++) y[r] -= phi[r * n + i] * home[i % TERMS];
    for (size_t i = 0; i < n; i++) d[i] = l2;
    judge(phi, y, d, n, due);
    for (size_t i = 0; i < n; i++) {
        assert_close(b->conseq[i], due[i] + home[i % TERMS], 1e-9);
        moved += fabs(b->conseq[i] - sg_trainer_current(t)->block[0].conseq[i]) > 1e-6;
    }
    assert_true(moved > n / 2); /* refitting changes the returned model, but not the iterate */
    free(phi);
    free(d);
    free(due);
    sg_model_free(m);
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(table);
}

static void refit(void **state)
{
    (void)state;
    compare_refit("rules=4 pca=0 iters=7 target=zscore refit=0.7", 0.7);
    compare_refit("rules=4 pca=0 iters=7 target=zscore refit=0.7 start=ridge", 0.7);
    compare_refit("rules=3 pca=0 iters=7 target=zscore loss=mean refit=0.01 start=ridge average=0.9", 0.01 * ROWS);
    compare_refit("rules=3 pca=0 iters=7 target=zscore loss=mean refit=0.01 centres=tree threads=3", 0.01 * ROWS);
}

static void ridge(void **state)
{
    (void)state;
    compare("preset=rr pca=0", 0.05, 0, 1e-12);
    compare("preset=rr", 0.05, 0, 1e-12);
    compare("preset=rr l2=37.5", 37.5, 0, 1e-12);
}

static void hybrid(void **state)
{
    (void)state;
    compare("preset=anfis-gd-lse pca=2", 0, 0, 1e-7);
    compare("preset=anfis-gd-lse-r pca=3", 0.001 * ROWS, 0.001 * ROWS, 1e-10);
}

/* Without regularisation, the solution fits even if inputs are collinear and values are around a million. */
static void rank_deficient(void **state)
{
    static const char *const names[] = {"a", "twice", "y"};
    double v[50 * 3];
    sg_table *table;
    sg_metrics metrics;
    (void)state;
    for (size_t i = 0; i < 50; i++) {
        double a = 1e6 * sin((double)i);
        double row[] = {a, 2 * a, 3 * a + 1};
        memcpy(v + 3 * i, row, sizeof row);
    }
    check(sg_table_new(names, 3, v, 50, &table));
    sg_source s = sg_table_source(table);
    static const char *const settings[] = {"preset=rr l2=0", "preset=rr l2=0 scale=none", "preset=anfis-gd-lse",
                                           "preset=anfis-gd-lse scale=none"};
    for (size_t i = 0; i < 4; i++) {
        sg_model *m = trained(&s, settings[i]);
        check(sg_model_evaluate(m, &s, NULL, 1, &metrics));
        assert_true(metrics.r2 > 0.9999);
        sg_model_free(m);
    }
    sg_table_free(table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ridge),
    cmocka_unit_test(hybrid),
    cmocka_unit_test(refit),
    cmocka_unit_test(rank_deficient),
};
TEST_GROUP(tests, NULL, NULL)
