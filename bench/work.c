/* work.c: see work.h. */
#include "work.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024, STEPS = 4, SINGLES = 64 };

void subject_init(subject *s, const bench_case *c, const char *precision, size_t rows)
{
    sg_progress p;
    if (rows < 2 * c->batch) rows = 2 * c->batch;
    *s = (subject){.c = c, .table = case_table(c, rows)};
    s->rows = sg_table_source(s->table);
    s->x = case_inputs(c, s->table);
    s->y = room(rows, c->outputs * sizeof *s->y);
    s->trainer = case_trainer(c, &s->rows, precision, 1, NULL);
    for (int i = 0; i < 10; i++) must(sg_trainer_step(s->trainer, &p));
    must(sg_trainer_model(s->trainer, &s->model));
    s->gradient = room(sg_model_parameters(s->model), sizeof *s->gradient);
    must(sg_predictor_new(s->model, precision, 1, &s->predictor));
}

void subject_release(subject *s)
{
    sg_predictor_free(s->predictor);
    sg_model_free(s->model);
    sg_trainer_free(s->trainer);
    sg_table_free(s->table);
    free(s->gradient);
    free(s->x);
    free(s->y);
}

static size_t step(subject *s)
{
    sg_progress p;
    for (size_t i = 0; i < STEPS; i++) must(sg_trainer_step(s->trainer, &p));
    return STEPS * s->c->batch;
}

static size_t gradient(subject *s)
{
    for (size_t i = 0; i < STEPS; i++) must(sg_trainer_gradient(s->trainer, s->gradient));
    return STEPS * s->c->batch;
}

/* The next n rows, round and round. */
static const double *take(subject *s, size_t n)
{
    if (s->next + n > sg_table_rows(s->table)) s->next = 0;
    s->next += n;
    return s->x + (s->next - n) * s->c->inputs;
}

static size_t predict(subject *s)
{
    must(sg_predictor_run(s->predictor, take(s, CHUNK), CHUNK, s->y));
    return CHUNK;
}

static size_t row(subject *s)
{
    for (size_t i = 0; i < SINGLES; i++) must(sg_predictor_run(s->predictor, take(s, 1), 1, s->y));
    return SINGLES;
}

static size_t row_by_model(subject *s)
{
    for (size_t i = 0; i < SINGLES; i++) must(sg_model_predict(s->model, take(s, 1), 1, s->y));
    return SINGLES;
}

/* Multiply-adds that the formulas need; padding and exp count nothing. */
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

static const work works[] = {
    {"step", step, fma_gradient}, {"gradient", gradient, fma_gradient}, {"predict", predict, fma_predict},
    {"row", row, NULL},           {"row-model", row_by_model, NULL},
};

const work *work_at(size_t i) { return i < sizeof works / sizeof *works ? &works[i] : NULL; }

const work *work_find(const char *name)
{
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (strcmp(works[i].name, name) == 0) return &works[i];
    return NULL;
}
