/* verify_kernels.c: compares gradients, predictions and trained models of all kernels.
 *
 * Gradients are compared after one plain gradient step: consequents start at 0, and half of the gradient with them. An
 * adaptive step would amplify rounding errors, because it divides by numbers that may be rounding noise. */
#include "verify_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1024, STEPS = 20 };

typedef struct outcome {
    double *gradient, *y;
    char *text; /* JSON of the model after some steps of the paper's preset */
} outcome;

static void release(outcome *o)
{
    free(o->gradient);
    free(o->y);
    sg_string_free(o->text);
}

static void compute_gradient(const bench_case *c, const sg_source *rows, const char *precision, outcome *o)
{
    sg_progress p;
    sg_trainer *t = case_trainer(c, rows, precision, 1, "optim=sgd rate=1e-3 loss=mean");
    must(sg_trainer_step(t, &p));
    o->gradient = must_calloc(sg_model_parameters(sg_trainer_current(t)), sizeof *o->gradient);
    must(sg_trainer_gradient(t, o->gradient));
    sg_trainer_free(t);
}

static void compute_model(const bench_case *c, const sg_source *rows, const char *precision, outcome *o)
{
    sg_trainer *t = case_trainer(c, rows, precision, 1, NULL);
    sg_progress p;
    for (int i = 0; i < STEPS; i++) must(sg_trainer_step(t, &p));
    must(sg_model_to_json(sg_trainer_current(t), &o->text));
    sg_trainer_free(t);
}

/* Predictions of the same model by the current kernel. */
static void compute_predictions(const sg_model *m, const sg_table *t, const double *x, const char *precision,
                                outcome *o)
{
    sg_predictor *p;
    o->y = must_calloc(sg_table_rows(t), sg_model_outputs(m) * sizeof *o->y);
    must(sg_predictor_new(m, precision, 1, &p));
    must(sg_predictor_run(p, x, sg_table_rows(t), o->y));
    sg_predictor_free(p);
}

/* Returns the largest difference, relative to the largest number in b. */
static double distance(const double *a, const double *b, size_t n)
{
    double most = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]); /* a NaN stays */
        largest = fmax(largest, fabs(b[i]));
    }
    return largest > 0 ? most / largest : most;
}

static int check_distance(const bench_case *c, const char *kernel, const char *precision, const char *what,
                          double found, double allowed)
{
    if (found <= allowed) return 0;
    printf("%s, %s, %s: %s off by %.2g, allowed %.2g\n", c->name, kernel, precision, what, found, allowed);
    return 1;
}

static int compare_with_reference(const bench_case *c, const char *kernel, const char *precision, const outcome *a,
                                  const outcome *b, const sg_model *m)
{
    double allowed = strcmp(precision, "f32") == 0 ? 1e-5 : 1e-12;
    return check_distance(c, kernel, precision, "gradient", distance(a->gradient, b->gradient, sg_model_parameters(m)),
                          allowed) +
           check_distance(c, kernel, precision, "prediction", distance(a->y, b->y, ROWS * sg_model_outputs(m)),
                          allowed);
}

static int same_bits(const bench_case *c, const char *kernel, const char *precision, const outcome *a, const outcome *b,
                     const sg_model *m)
{
    if (memcmp(a->gradient, b->gradient, sg_model_parameters(m) * sizeof *a->gradient) == 0 &&
        memcmp(a->y, b->y, ROWS * sg_model_outputs(m) * sizeof *a->y) == 0 && strcmp(a->text, b->text) == 0)
        return 0;
    printf("%s, %s, %s: not the bits of portable\n", c->name, kernel, precision);
    return 1;
}

typedef struct verify_fixture {
    const bench_case *c;
    sg_table *table;
    sg_source rows;
    double *x;
    sg_model *model;
} verify_fixture;

static outcome compute_outcome(const verify_fixture *s, const char *precision)
{
    outcome o;
    compute_gradient(s->c, &s->rows, precision, &o);
    compute_predictions(s->model, s->table, s->x, precision, &o);
    compute_model(s->c, &s->rows, precision, &o);
    return o;
}

static int verify_precision(const verify_fixture *s, const char *precision, const outcome *reference)
{
    outcome first = {0}; /* the first kernel after the reference: all others must give the same bits */
    int failed = 0;
    for (size_t k = 0; kernel_at(k); k++) {
        const char *kernel = kernel_at(k);
        if (strcmp(kernel, "reference") == 0 || !kernel_use(kernel)) continue;
        outcome o = compute_outcome(s, precision);
        failed += compare_with_reference(s->c, kernel, precision, &o, reference, s->model);
        if (first.text) {
            failed += same_bits(s->c, kernel, precision, &o, &first, s->model);
            release(&o);
        } else first = o;
    }
    release(&first);
    return failed;
}

int verify_case(const bench_case *c)
{
    verify_fixture s = {.c = c, .table = case_table(c, ROWS)};
    sg_progress p;
    s.rows = sg_table_source(s.table);
    s.x = case_inputs(c, s.table);
    kernel_use("reference");
    sg_trainer *t = case_trainer(c, &s.rows, "f64", 1, NULL);
    for (int i = 0; i < STEPS; i++) must(sg_trainer_step(t, &p));
    must(sg_trainer_model(t, &s.model));
    outcome reference = compute_outcome(&s, "f64");
    int failed = verify_precision(&s, "f64", &reference) + verify_precision(&s, "f32", &reference);
    kernel_use(NULL);
    release(&reference);
    sg_trainer_free(t);
    sg_model_free(s.model);
    sg_table_free(s.table);
    free(s.x);
    return failed;
}
