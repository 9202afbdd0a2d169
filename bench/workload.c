/* workload.c: training steps, gradients, predictions and single rows, and the multiply-adds they need. */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024, STEPS = 4, SINGLE_ROWS = 64 };

void fixture_init(fixture *s, const bench_case *c, const char *precision, size_t rows)
{
    sg_progress p;
    if (rows < 2 * c->batch) rows = 2 * c->batch;
    *s = (fixture){.c = c, .table = case_table(c, rows)};
    s->rows = sg_table_source(s->table);
    s->x = case_inputs(c, s->table);
    s->y = must_calloc(rows, c->outputs * sizeof *s->y);
    s->trainer = case_trainer(c, &s->rows, precision, 1, NULL);
    for (int i = 0; i < 10; i++) must(sg_trainer_step(s->trainer, &p));
    must(sg_trainer_model(s->trainer, &s->model));
    s->gradient = must_calloc(sg_model_parameters(s->model), sizeof *s->gradient);
    must(sg_predictor_new(s->model, precision, 1, &s->predictor));
}

void fixture_release(fixture *s)
{
    sg_predictor_free(s->predictor);
    sg_model_free(s->model);
    sg_trainer_free(s->trainer);
    sg_table_free(s->table);
    free(s->gradient);
    free(s->x);
    free(s->y);
}

static size_t step(fixture *s)
{
    sg_progress p;
    for (size_t i = 0; i < STEPS; i++) must(sg_trainer_step(s->trainer, &p));
    return STEPS * s->c->batch;
}

static size_t gradient(fixture *s)
{
    for (size_t i = 0; i < STEPS; i++) must(sg_trainer_gradient(s->trainer, s->gradient));
    return STEPS * s->c->batch;
}

/* Returns the next n rows, cyclically. */
static const double *next_rows(fixture *s, size_t n)
{
    if (s->next + n > sg_table_rows(s->table)) s->next = 0;
    s->next += n;
    return s->x + (s->next - n) * s->c->inputs;
}

static size_t predict(fixture *s)
{
    must(sg_predictor_run(s->predictor, next_rows(s, CHUNK), CHUNK, s->y));
    return CHUNK;
}

static size_t row(fixture *s)
{
    for (size_t i = 0; i < SINGLE_ROWS; i++) must(sg_predictor_run(s->predictor, next_rows(s, 1), 1, s->y));
    return SINGLE_ROWS;
}

static size_t row_by_model(fixture *s)
{
    for (size_t i = 0; i < SINGLE_ROWS; i++) must(sg_model_predict(s->model, next_rows(s, 1), 1, s->y));
    return SINGLE_ROWS;
}

/* Multiply-adds in the formulas, without padding and exp. */
static double fma_predict(const bench_case *c)
{
    double R = (double)case_rules(c), M = (double)c->inputs, O = (double)c->outputs;
    return c->mfs ? R * (M + 1) * O : R * M * (2 + O);
}

static double fma_gradient(const bench_case *c)
{
    double R = (double)case_rules(c), M = (double)c->inputs, O = (double)c->outputs;
    return c->mfs ? R * ((2 * M + 2) * O + 1) : R * M * (4 + 2 * O);
}

static const workload workloads[] = {
    {"step", step, fma_gradient}, {"gradient", gradient, fma_gradient}, {"predict", predict, fma_predict},
    {"row", row, NULL},           {"row-model", row_by_model, NULL},
};

const workload *workload_at(size_t i) { return i < sizeof workloads / sizeof *workloads ? &workloads[i] : NULL; }

const workload *workload_find(const char *name)
{
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        if (strcmp(workloads[i].name, name) == 0) return &workloads[i];
    return NULL;
}
