/* test_ridge_regression.c: ridge regression against a direct solution, its penalty against generalised cross-validation
 * with the hat matrix, and trainings that start there. labels: memory */
#include "test.h"
#include "train/fit/ridge_regression.h"

#include <stdbool.h>

enum { ROWS = 45, INPUTS = 10, COLUMNS = 11, MOST = INPUTS };

/* Transformed rows and targets, and weights with a mean of 1. */
typedef struct seen {
    size_t n, outputs;
    double z[ROWS][MOST], t[ROWS][2], w[ROWS];
} seen;

static void look(const sg_source *s, const sg_preprocessed *p, seen *out)
{
    const sg_model *m = p->model;
    *out = (seen){.n = sg_model_terms(m), .outputs = m->outputs};
    for (size_t r = 0; r < ROWS; r++) {
        double row[COLUMNS], x[INPUTS], scratch[64];
        check(s->read(s->self, r, 1, row));
        for (size_t k = 0; k < p->columns.inputs; k++) x[k] = row[p->columns.input[k]];
        sg_pipeline_apply(m->shared_pipeline ? &m->a : &m->z, x, out->z[r], scratch);
        for (size_t o = 0; o < m->outputs; o++) out->t[r][o] = (row[p->columns.target[o]] - m->mean[o]) / m->scale[o];
        out->w[r] = p->columns.weight == SG_NO_COLUMN ? 1 : row[p->columns.weight] * p->weight_scale;
    }
}

/* Gauss-Jordan elimination: the solutions replace the columns of a (n, n + more) after the n-th. */
static void solve(double *a, size_t n, size_t width)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = width; k-- > i;) a[i * width + k] /= a[i * width + i];
        for (size_t r = 0; r < n; r++)
            for (size_t k = width; r != i && k-- > i;) a[r * width + k] -= a[r * width + i] * a[i * width + k];
    }
}

/* With an unpenalised intercept: b (n + 1, outputs). Returns the score of generalised cross-validation. */
static double by_hand(const seen *s, double strength, double *b)
{
    size_t n = s->n + 1, width = n + s->outputs + ROWS;
    double *a = calloc(n * width, sizeof *a), used = 0, rows = 0, score = 0;
    for (size_t r = 0; r < ROWS; r++) {
        double phi[MOST + 1] = {1};
        for (size_t k = 1; k < n; k++) phi[k] = s->z[r][k - 1];
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++) a[i * width + k] += s->w[r] * phi[i] * phi[k];
            for (size_t o = 0; o < s->outputs; o++) a[i * width + n + o] += s->w[r] * phi[i] * s->t[r][o];
            a[i * width + n + s->outputs + r] = s->w[r] * phi[i];
        }
        rows += s->w[r];
    }
    for (size_t i = 1; i < n; i++) a[i * width + i] += strength;
    solve(a, n, width);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t i = 0; i < n; i++) used += (i ? s->z[r][i - 1] : 1) * a[i * width + n + s->outputs + r];
    for (size_t o = 0; o < s->outputs; o++) {
        double error = 0, mean = 0, square = 0;
        for (size_t r = 0; r < ROWS; r++) mean += s->w[r] * s->t[r][o] / rows;
        for (size_t r = 0; r < ROWS; r++) {
            double off = s->t[r][o] - a[n + o];
            for (size_t i = 1; i < n; i++) off -= s->z[r][i - 1] * a[i * width + n + o];
            error += s->w[r] * off * off;
            square += s->w[r] * (s->t[r][o] - mean) * (s->t[r][o] - mean);
        }
        score += error / square / ((1 - used / rows) * (1 - used / rows));
    }
    for (size_t i = 0; i < n * s->outputs; i++) b[i] = a[i / s->outputs * width + n + i % s->outputs];
    free(a);
    return score;
}

/* Compares expected and computed coefficients for these options. */
static void compare(const char *settings, double *found)
{
    sg_table *table;
    sg_preprocessed p;
    double b[2 * (MOST + 1)], due[2 * (MOST + 1)], strength, least = INFINITY, best = 0;
    seen s;
    check(sg_table_generate("friedman", ROWS, 4, &table));
    sg_source rows = sg_table_source(table);
    sg_options *o = options_of(settings);
    check(sg_preprocess_fit_raw(o, &rows, NULL, &p));
    check(sg_ridge_fit(&rows, &p, NULL, b, &strength));
    look(&rows, &p, &s);
    for (int i = 0; i <= 16; i++) {
        double score = by_hand(&s, pow(10, -4 + 0.5 * i), due);
        if (score >= least) continue;
        least = score;
        best = pow(10, -4 + 0.5 * i);
    }
    assert_close(strength / best, 1, 1e-12);
    by_hand(&s, strength, due);
    for (size_t i = 0; i < (s.n + 1) * s.outputs; i++) assert_close(b[i], due[i], 1e-10);
    *found = strength;
    sg_preprocessed_release(&p);
    sg_options_free(o);
    sg_table_free(table);
}

static void is_the_direct_solution(void **state)
{
    double one, two, strong;
    (void)state;
    compare("pca=0 target=zscore", &one);
    compare("pca=0 target=zscore weights=x8", &two);
    compare("target=center pca=4", &two);
    compare("pca=0 scale=quantile target=zscore targets=y,x9", &two);
    compare("pca=0 target=zscore targets=x9", &strong); /* pure noise */
    assert_true(one > 1e-4 && strong > 10 * one);
}

/* Before the first step the model predicts like ridge regression, whatever its rules are. */
static void systems_start_there(void **state)
{
    static const char *const settings[] = {
        "pca=0 rules=7 target=zscore",          "pca=4 target=zscore",
        "pca=0 rules=5 centres=fcm mf=gauss-a", "pca=0 rules=6 centres=tree firing=mean target=zscore",
        "pca=0 rules=7 scale=quantile",         "pca=0 rules=4 centres=kmeans-y weights=x8 precision=f32",
    };
    sg_table *table;
    (void)state;
    check(sg_table_generate("friedman", ROWS, 4, &table));
    sg_source rows = sg_table_source(table);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sg_options *o = options_of(settings[i]);
        sg_preprocessed p;
        sg_trainer *t;
        double b[MOST + 1], strength;
        seen s;
        check(sg_preprocess_fit_raw(o, &rows, NULL, &p));
        check(sg_ridge_fit(&rows, &p, NULL, b, &strength));
        look(&rows, &p, &s);
        check(sg_options_set(o, "start", "ridge"));
        check(sg_trainer_new(o, &rows, NULL, &t));
        for (size_t r = 0; r < ROWS; r++) {
            double row[COLUMNS], x[INPUTS], y, due = b[0];
            check(rows.read(rows.self, r, 1, row));
            for (size_t k = 0; k < p.columns.inputs; k++) x[k] = row[p.columns.input[k]];
            check(sg_model_predict(sg_trainer_current(t), x, 1, &y));
            for (size_t k = 0; k < s.n; k++) due += b[k + 1] * s.z[r][k];
            assert_close(y, p.model->mean[0] + p.model->scale[0] * due, 1e-10);
        }
        sg_trainer_free(t);
        sg_preprocessed_release(&p);
        sg_options_free(o);
    }
    sg_table_free(table);
}

/* Values far from 0: at worst the inputs get no slope. */
static void survives_far_units(void **state)
{
    static const char *const names[] = {"a", "b", "y"};
    (void)state;
    for (int power = 0; power < 14; power++) {
        double v[200][3], square = 0, far = pow(10, power);
        sg_table *table;
        sg_trainer *t;
        for (size_t i = 0; i < 200; i++) {
            double a = sin(2.3 * (double)i), b = cos(0.7 * (double)i);
            v[i][0] = far + a;
            v[i][1] = 3 * far + b;
            v[i][2] = a - 2 * b;
        }
        check(sg_table_new(names, 3, v[0], 200, &table));
        sg_source rows = sg_table_source(table);
        sg_options *o = options_of("scale=none target=center start=ridge rules=3");
        check(sg_trainer_new(o, &rows, NULL, &t));
        for (size_t i = 0; i < 200; i++) {
            double y;
            check(sg_model_predict(sg_trainer_current(t), v[i], 1, &y));
            square += (y - v[i][2]) * (y - v[i][2]) / 200;
        }
        if (!(sqrt(square) < (power < 5 ? 1e-3 : 1.6))) fail_msg("%g from 1e%d", sqrt(square), power);
        sg_trainer_free(t);
        sg_options_free(o);
        sg_table_free(table);
    }
}

/* The penalty pulls slopes back to their initial values. */
static void is_what_slopes_are_pulled_to(void **state)
{
    sg_table *table;
    sg_progress progress;
    (void)state;
    check(sg_table_generate("friedman", ROWS, 4, &table));
    sg_source rows = sg_table_source(table);
    sg_options *o = options_of("pca=0 rules=3 start=ridge optim=sgd rate=1e-7 l2=1e6 iters=60 batch=0 target=zscore");
    sg_trainer *t;
    check(sg_trainer_new(o, &rows, NULL, &t));
    const sg_block *b = &sg_trainer_current(t)->block[0];
    size_t n = b->rules * (b->terms + 1);
    double *start = malloc(n * sizeof *start);
    memcpy(start, b->conseq, n * sizeof *start);
    for (size_t i = 0; i < n; i++)
        if (i % (b->terms + 1)) b->conseq[i] += 0.5;
    do check(sg_trainer_step(t, &progress));
    while (progress.more);
    for (size_t i = 0; i < n; i++) assert_close(b->conseq[i], start[i], 0.005);
    free(start);
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(is_the_direct_solution),
    cmocka_unit_test(systems_start_there),
    cmocka_unit_test(survives_far_units),
    cmocka_unit_test(is_what_slopes_are_pulled_to),
};
TEST_GROUP(tests, NULL, NULL)
