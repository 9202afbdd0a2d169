/* test_block_gradient.c: gradients compared with central differences, with fixed drop masks: every MF kind x {grid,
 * clustered rules} x drop technique x {1, 3 outputs} x {one block, two blocks and pipelines, low-rank terms} x weights
 * x {complete rows, a third of the inputs missing}. */
#include "test.h"

#include "base/random/random.h"
#include "model/reference_forward_backward.h"
#include "train/batch_gradient.h"

#include <float.h>
#include <stdlib.h>

enum { ROWS = 24, INPUTS = 3, GRID_MFS = 2 };

typedef struct shape {
    const char *mf, *drop;
    bool grid;
    size_t outputs, blocks, rank;
    bool two_views, weighted, gaps;
    double huber;
} shape;

typedef struct fixture {
    sg_table *table;
    sg_source source;
    sg_column_roles roles;
    sg_model *model;
    sg_batch batch;
    sg_dropout drop;
    sg_gradient gradient;
    sg_block_workspace work; /* of the first block, for the reference */
} fixture;

static double draw(sg_random_stream *s, double low, double high)
{
    return low + (high - low) * sg_random_stream_uniform(s);
}

/* INPUTS inputs, the outputs, a weight. */
static sg_table *random_table(size_t outputs, bool gaps, sg_random_stream *s)
{
    static const char *const names[] = {"a", "b", "c", "p", "q", "r"};
    const char *used[INPUTS + 3 + 1];
    double v[ROWS * (INPUTS + 3 + 1)];
    size_t columns = INPUTS + outputs + 1;
    for (size_t i = 0; i < INPUTS + outputs; i++) used[i] = names[i];
    used[columns - 1] = "w";
    for (size_t i = 0; i < ROWS * columns; i++) v[i] = draw(s, -1.7, 1.9);
    for (size_t r = 0; r < ROWS; r++) v[r * columns + columns - 1] = draw(s, 0.2, 2.3);
    for (size_t i = 0; gaps && i < ROWS * INPUTS; i++) /* all inputs of the first row are missing */
        if (i < INPUTS || sg_random_stream_below(s, 3) == 0) v[i / INPUTS * columns + i % INPUTS] = NAN;
    sg_table *t;
    check(sg_table_new(used, columns, v, ROWS, &t));
    return t;
}

/* Valid parameters, and far enough from kinks for most rows. */
static void random_mf(sg_block *b, size_t i, sg_random_stream *s)
{
    double centre = draw(s, -1.2, 1.3), p[SG_MF_MAX_PARAMETERS];
    b->kind->init(centre, draw(s, 0.7, 1.4), draw(s, 2.6, 3.4), p);
    for (size_t k = 0; k < b->kind->arity; k++) p[k] *= draw(s, 0.97, 1.03);
    b->kind->project(1, p, 0.1);
    sg_mf_put(b, i, p);
}

static void add_block(sg_model *m, const shape *sh)
{
    size_t mfs = INPUTS * GRID_MFS, rules = 8;
    if (!sh->grid) {
        rules = 4;
        mfs = rules * INPUTS;
    }
    check(sg_model_add_block(m, sg_mf_find(sh->mf), mfs, rules, sh->rank));
    sg_block *b = &m->block[m->blocks - 1];
    b->weight = m->blocks == 1 ? 1 : 0.73;
    b->firing_scale = m->blocks == 1 ? 1 : 1.0 / INPUTS;
    for (size_t i = 0; i < mfs; i++) b->input_of[i] = (uint32_t)(sh->grid ? i / GRID_MFS : i % INPUTS);
    for (size_t r = 0; r < rules; r++)
        for (size_t k = 0; k < INPUTS; k++)
            b->mf_of[r * INPUTS + k] = (int32_t)(sh->grid ? k * GRID_MFS + (r >> k & 1) : r * INPUTS + k);
    b->mf_of[1] = -1; /* a rule without a condition on an input */
}

static void fill_theta(sg_model *m, sg_random_stream *s)
{
    for (size_t i = 0; i < m->parameters; i++) m->theta[i] = draw(s, -0.9, 0.8);
    for (size_t b = 0; b < m->blocks; b++)
        for (size_t i = 0; i < m->block[b].mfs; i++) random_mf(&m->block[b], i, s);
}

static void add_view(sg_pipeline *v, double shift)
{
    sg_transform *z = sg_pipeline_append(v, &sg_transform_zscore, INPUTS);
    assert_non_null(z);
    for (size_t i = 0; i < INPUTS; i++) {
        z->parameter[0][i] = shift;
        z->parameter[1][i] = 1.1 + shift;
    }
}

static void set_up(fixture *f, const shape *sh, uint64_t seed)
{
    static char *inputs[] = {"a", "b", "c"};
    static char *outputs[] = {"p", "q", "r"};
    sg_random_stream s = sg_random_stream_at(seed, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    f->table = random_table(sh->outputs, sh->gaps, &s);
    f->source = sg_table_source(f->table);
    check(sg_column_roles_by_name(&f->source, inputs, INPUTS, outputs, sh->outputs, sh->weighted ? "w" : NULL,
                                  &f->roles));
    check(sg_model_new((const char *const *)inputs, INPUTS, (const char *const *)outputs, sh->outputs, &f->model));
    f->model->shared_pipeline = !sh->two_views;
    for (size_t i = 0; i < INPUTS; i++) f->model->feature_mean[i] = draw(&s, -0.7, 0.8);
    add_view(&f->model->a, 0.03);
    if (sh->two_views) add_view(&f->model->z, -0.21);
    for (size_t b = 0; b < sh->blocks; b++) add_block(f->model, sh);
    check(sg_model_alloc_theta(f->model));
    fill_theta(f->model, &s);
    check(sg_batch_init(&f->batch, ROWS, 0));
    f->drop = (sg_dropout){sg_dropout_find(sh->drop), 0.6, seed};
    check(sg_gradient_init(&f->gradient, f->model, &f->source, &f->roles, 1.37, &f->drop, &f->batch, "f64", NULL));
    f->gradient.huber = sh->huber;
    assert_true(sg_block_workspace_init(&f->work, &f->model->block[0]));
}

static void tear_down(fixture *f)
{
    sg_gradient_release(&f->gradient);
    sg_block_workspace_release(&f->work);
    sg_batch_release(&f->batch);
    sg_model_free(f->model);
    sg_column_roles_release(&f->roles);
    sg_table_free(f->table);
}

/* Huber loss of the rows of the last batch, which are all rows: quadratic up to the limit, then linear. */
static double huber_loss(const fixture *f, size_t *beyond)
{
    const sg_gradient_worker *w = &f->gradient.worker[0];
    double limit = f->gradient.huber, sum = 0;
    assert_true(w->engine.rows >= ROWS);
    for (size_t i = 0; i < ROWS * f->model->outputs; i++) {
        size_t at = i / ROWS * SG_PITCH + i % ROWS;
        double off = fabs(w->engine.y[at] - w->loader.t[at]);
        sum += w->loader.w[i % ROWS] * (off > limit ? limit * (off - limit / 2) : off * off / 2);
        *beyond += off > limit;
    }
    return sum;
}

static double loss(fixture *f)
{
    size_t beyond = 0;
    double sum = 0;
    check(sg_gradient_run(&f->gradient, 7));
    if (f->gradient.huber > 0) return huber_loss(f, &beyond);
    for (size_t o = 0; o < f->model->outputs; o++) sum += sg_gradient_squares(&f->gradient)[o];
    return 0.5 * sum;
}

/* Computes the central difference. Returns false if two step sizes disagree, as at a kink of a triangle. */
static bool difference(fixture *f, size_t i, double *out)
{
    double *x = &f->model->theta[i], kept = *x, d[2];
    for (int k = 0; k < 2; k++) {
        double h = k ? 5e-6 : 1e-5;
        *x = kept + h;
        double up = loss(f);
        *x = kept - h;
        d[k] = (up - loss(f)) / (2 * h);
        *x = kept;
    }
    *out = (4 * d[1] - d[0]) / 3;
    return fabs(d[0] - d[1]) <= 1e-5 * fmax(fabs(d[0]), 1e-3);
}

static void check_shape(const shape *sh, uint64_t seed, size_t *checked, size_t *kinks)
{
    fixture f;
    set_up(&f, sh, seed);
    size_t n = f.model->parameters;
    double *g = malloc(n * sizeof *g), largest = 0;
    const double noise = 4 * DBL_EPSILON * loss(&f) / 5e-6; /* rounding error of a difference of two losses */
    memcpy(g, sg_gradient_theta(&f.gradient), n * sizeof *g);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(g[i]));
    assert_true(largest > 0.1);
    for (size_t i = 0; i < n; i++) {
        double d;
        if (!difference(&f, i, &d)) {
            ++*kinks;
            continue;
        }
        ++*checked;
        double scale = fmax(fmax(fabs(d), fabs(g[i])), 1e-3 * largest);
        if (!(fabs(d - g[i]) <= 1e-6 * scale + noise))
            fail_msg("%s, drop %s, %s, %zu outputs, %zu blocks, rank %zu%s, seed %u: parameter %zu of "
                     "%zu: %.12g, by differences %.12g",
                     sh->mf, sh->drop, sh->grid ? "grid" : "own", sh->outputs, sh->blocks, sh->rank,
                     sh->gaps ? ", gaps" : "", (unsigned)seed, i, n, g[i], d);
    }
    free(g);
    tear_down(&f);
}

static void agrees_with_hubers(void **state)
{
    size_t checked = 0, kinks = 0, beyond = 0;
    (void)state;
    for (int variant = 0; variant < 8; variant++) {
        shape sh = {.mf = "gauss",
                    .drop = variant & 1 ? "rule" : "none",
                    .grid = variant & 1,
                    .outputs = variant & 2 ? 3 : 1,
                    .blocks = 1,
                    .weighted = variant & 4,
                    .huber = 0.7};
        fixture f;
        check_shape(&sh, 40 + (uint64_t)variant, &checked, &kinks);
        set_up(&f, &sh, 40 + (uint64_t)variant);
        check(sg_gradient_run(&f.gradient, 7));
        huber_loss(&f, &beyond);
        tear_down(&f);
    }
    assert_true(checked > 300 && kinks < checked / 10);
    assert_true(beyond > 50 && beyond < ROWS * 16 - 50);
}

static void agrees_with_differences(void **state)
{
    size_t checked = 0, kinks = 0, cases = 0;
    (void)state;
    for (size_t mf = 0; sg_mf_name(mf); mf++)
        for (size_t drop = 0; sg_dropout_name(drop); drop++)
            for (int variant = 0; variant < 32; variant++, cases++) {
                shape sh = {.mf = sg_mf_name(mf),
                            .drop = sg_dropout_name(drop),
                            .grid = variant & 1,
                            .outputs = variant & 2 ? 3 : 1,
                            .blocks = variant & 4 ? 2 : 1,
                            .two_views = variant & 4,
                            .weighted = variant & 8,
                            .gaps = variant & 16};
                if (is_quick() && cases % 3) continue;
                if (cases % 2 && sg_mf_find(sh.mf)->centre >= 0) sh.rank = 2;
                check_shape(&sh, 11 + cases, &checked, &kinks);
            }
    assert_true(checked > 0);
    if (kinks * 20 > checked) fail_msg("%zu of %zu parameters lie at kinks", kinks, checked);
}

/* Dropped rules have no gradient. A dropped MF has none either, but the consequents of its rules do. */
static void dropped_parts_stay(void **state)
{
    shape sh = {.mf = "gauss", .drop = "none", .outputs = 1, .blocks = 1};
    fixture f;
    unsigned char keep[] = {1, 0, 1, 1}, keep_mf[12];
    double slope = 1.3, a[INPUTS] = {0.1, -0.4, 0.9};
    (void)state;
    set_up(&f, &sh, 5);
    sg_block *b = &f.model->block[0];
    double *g = calloc(f.model->parameters, sizeof *g), *g_conseq = g + (b->conseq - b->mf);
    sg_dropout_mask mask = {.rule = keep};
    sg_forward(b, a, a, &mask, &f.work);
    sg_backward(b, a, a, &mask, &f.work, &slope, g);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < INPUTS; i++) assert_true(g[k * b->mfs + INPUTS + i] == 0);
    for (size_t i = 0; i < INPUTS + 1; i++) assert_true(g_conseq[INPUTS + 1 + i] == 0);
    assert_true(g_conseq[0] != 0 && g[INPUTS * 2] != 0);

    memset(g, 0, f.model->parameters * sizeof *g);
    memset(keep_mf, 1, sizeof keep_mf);
    keep_mf[4] = 0;
    mask = (sg_dropout_mask){.mf = keep_mf};
    sg_forward(b, a, a, &mask, &f.work);
    sg_backward(b, a, a, &mask, &f.work, &slope, g);
    assert_true(g[4] == 0 && g[b->mfs + 4] == 0);
    assert_true(g[5] != 0 && g_conseq[INPUTS + 1] != 0);
    free(g);
    tear_down(&f);
}

/* If nothing is kept, all rules are used. */
static void all_dropped_keeps_all(void **state)
{
    shape sh = {.mf = "gauss", .drop = "none", .outputs = 1, .blocks = 1};
    fixture f;
    unsigned char none[4] = {0};
    double a[INPUTS] = {0.1, -0.4, 0.9}, all;
    sg_dropout_mask mask = {.rule = none};
    (void)state;
    set_up(&f, &sh, 5);
    sg_block_workspace *w = &f.work;
    sg_forward(&f.model->block[0], a, a, NULL, w);
    all = w->y[0];
    sg_forward(&f.model->block[0], a, a, &mask, w);
    assert_true(w->y[0] == all);
    tear_down(&f);
}

/* Firing levels of far rows sum to 1, even where triangles and trapezoids have no membership. */
static void far_rows_are_finite(void **state)
{
    static const double far[] = {0, 39, -1e6, 1e6};
    (void)state;
    for (size_t mf = 0; sg_mf_name(mf); mf++)
        for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
            shape sh = {.mf = sg_mf_name(mf), .drop = "none", .grid = true, .outputs = 1, .blocks = 1};
            fixture f;
            set_up(&f, &sh, 3);
            sg_block_workspace *w = &f.work;
            double a[INPUTS] = {far[i], far[i], -far[i]}, sum = 0;
            sg_forward(&f.model->block[0], a, a, NULL, w);
            for (size_t r = 0; r < f.model->block[0].rules; r++) sum += w->firing[r];
            assert_close(sum, 1, 1e-12);
            assert_true(isfinite(w->y[0]));
            tear_down(&f);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(agrees_with_differences), cmocka_unit_test(agrees_with_hubers),
    cmocka_unit_test(dropped_parts_stay),      cmocka_unit_test(all_dropped_keeps_all),
    cmocka_unit_test(far_rows_are_finite),
};
TEST_GROUP(tests, NULL, NULL)
