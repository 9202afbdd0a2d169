/* importance.c: permutation importance and mean contributions of inputs; firing statistics and ablation of rules. */
#include "base/memory.h"
#include "base/random/random.h"
#include "explain/global/row_sample.h"
#include "explain/row/explainer_state.h"
#include "rows/training_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- root mean square without overflow --- */

typedef struct scaled_rms {
    double largest; /* largest magnitude so far              */
    double squares; /* sum of squares, relative to largest^2 */
} scaled_rms;

static void rms_add(scaled_rms *n, double x)
{
    double size = fabs(sg_clamp_finite(x));
    if (size > n->largest) {
        n->squares *= n->largest / size * (n->largest / size);
        n->largest = size;
    }
    if (size > 0) n->squares += size / n->largest * (size / n->largest);
}

static double rms_value(const scaled_rms *n, size_t count) { return n->largest * sqrt(n->squares / (double)count); }

/* --- permutation importance of inputs --- */

typedef struct permutation_job {
    const sg_row_sample *rows;
    const double *y; /* (rows, outputs): predictions for the original rows */
    sg_input_importance *out;
} permutation_job;

typedef struct permuted_input {
    const permutation_job *job;
    size_t input;
    scaled_rms *change; /* (outputs) */
} permuted_input;

static void permute_input(void *arg, size_t row, double *x)
{
    const permuted_input *s = arg;
    const sg_row_sample *rows = s->job->rows;
    size_t other = sg_random_permute(1, SG_RANDOM_SPLIT, rows->rows, row);
    sg_features_copy_input(rows->model, s->input, rows->x + other * rows->model->features, x);
}

static void add_prediction_change(void *arg, size_t row, const double *y)
{
    const permuted_input *s = arg;
    size_t outputs = s->job->rows->model->outputs;
    for (size_t o = 0; o < outputs; o++) rms_add(&s->change[o], y[o] - s->job->y[row * outputs + o]);
}

static sg_status permute_one_input(void *arg, size_t i, size_t worker)
{
    const permutation_job *d = arg;
    const sg_model *m = d->rows->model;
    permuted_input s = {d, i, sg_calloc(m->outputs, sizeof *s.change)};
    (void)worker;
    if (!s.change) return sg_fail_out_of_memory("input importance");
    sg_status st = sg_row_sample_predict(d->rows, &(sg_row_perturbation){permute_input, add_prediction_change, &s});
    for (size_t o = 0; o < m->outputs; o++)
        d->out[o * sg_model_inputs(m) + i].permutation = rms_value(&s.change[o], d->rows->rows);
    free(s.change);
    return st;
}

/* --- contributions of inputs and importance of rules, from explanations --- */

typedef struct importance_sums {
    sg_explainer *e;
    sg_rule_importance *rules;
    scaled_rms *contribution; /* (outputs, inputs)                                              */
    scaled_rms *ablation;     /* (outputs, rules)                                               */
    double *input_sum;        /* (inputs): terms of one row, with effects added to their inputs */
    double *y;                /* (rows, outputs)                                                */
} importance_sums;

static void add_terms(const importance_sums *s, size_t o)
{
    const sg_explainer *e = s->e;
    size_t inputs = sg_model_inputs(e->model);
    memset(s->input_sum, 0, inputs * sizeof *s->input_sum);
    for (size_t k = 1; k < e->terms[SG_BY_INPUT]; k++) {
        const sg_term *term = &e->term[SG_BY_INPUT][k];
        double value = e->out[o].by_input[k];
        if (term->kind == SG_TERM_INPUT || term->kind == SG_TERM_CURVE) s->input_sum[term->input] += value;
        if (term->kind != SG_TERM_PAIR) continue;
        const sg_additive *a = e->model->additive;
        for (int side = 0; side < 2; side++) s->input_sum[a->curve[a->pair[term->part].curve[side]].input] += value / 2;
    }
    for (size_t i = 0; i < inputs; i++) rms_add(&s->contribution[o * inputs + i], s->input_sum[i]);
}

/* Returns the block's output `all` minus its output without rule r, which is the weighted mean of the other rules. If r
 * dominates, subtracting it from the sums would leave mostly rounding errors, so the other rules are added up again. */
static double change_without_rule(const double *firing, const double *output, size_t n, size_t r, double all)
{
    double rest = 1 - firing[r], sum = all - firing[r] * output[r];
    if (firing[r] > 0.5) {
        rest = sum = 0;
        for (size_t i = 0; i < n; i++) rest += i == r ? 0 : firing[i];
        for (size_t i = 0; i < n; i++) sum += i == r ? 0 : firing[i] * output[i];
    }
    return rest > 0 ? all - sum / rest : 0;
}

static void add_rules(const importance_sums *s, size_t o)
{
    const sg_model *m = s->e->model;
    const double *firing = s->e->out[o].firing, *output = s->e->out[o].rule_output;
    size_t at = o * s->e->rules;
    for (size_t b = 0; b < m->blocks; b++) {
        size_t n = m->block[b].rules, top = 0;
        double all = 0;
        for (size_t r = 0; r < n; r++) all += firing[r] * output[r];
        for (size_t r = 0; r < n; r++) {
            s->rules[at + r].mean_firing += firing[r];
            rms_add(&s->ablation[at + r], change_without_rule(firing, output, n, r, all));
            top = firing[r] > firing[top] ? r : top;
        }
        s->rules[at + top].top_fraction += 1;
        at += n;
        firing += n;
        output += n;
    }
}

static void add_rows(const importance_sums *s, const sg_row_sample *rows)
{
    const sg_model *m = s->e->model;
    for (size_t i = 0; i < rows->rows; i++) {
        sg_explain_features(s->e, rows->x + i * m->features);
        memcpy(s->y + i * m->outputs, s->e->y, m->outputs * sizeof *s->y);
        for (size_t o = 0; o < m->outputs; o++) {
            add_terms(s, o);
            add_rules(s, o);
        }
    }
}

static void finish_means(const importance_sums *s, size_t rows, sg_input_importance *inputs)
{
    const sg_model *m = s->e->model;
    for (size_t i = 0; i < m->outputs * sg_model_inputs(m); i++)
        inputs[i].contribution = rms_value(&s->contribution[i], rows);
    for (size_t i = 0; i < m->outputs * s->e->rules; i++) {
        s->rules[i].mean_firing /= (double)rows;
        s->rules[i].top_fraction /= (double)rows;
        s->rules[i].ablation = rms_value(&s->ablation[i], rows);
    }
}

static sg_status measure_importance(importance_sums *s, const sg_row_sample *rows, size_t threads,
                                    sg_input_importance *inputs)
{
    const sg_model *m = rows->model;
    sg_thread_pool *pool = NULL;
    s->contribution = sg_calloc(m->outputs, sg_model_inputs(m) * sizeof *s->contribution);
    s->ablation = sg_calloc(m->outputs, s->e->rules * sizeof *s->ablation);
    s->input_sum = sg_calloc(sg_model_inputs(m), sizeof *s->input_sum);
    s->y = sg_calloc(rows->rows, m->outputs * sizeof *s->y);
    if (!s->contribution || !s->ablation || !s->input_sum || !s->y) return sg_fail_out_of_memory("input importance");
    memset(s->rules, 0, m->outputs * s->e->rules * sizeof *s->rules);
    add_rows(s, rows);
    finish_means(s, rows->rows, inputs);
    sg_status st = sg_memory_plan_pool(m, threads, &pool);
    if (st == SG_OK)
        st = sg_thread_pool_run_long(pool, sg_model_inputs(m), permute_one_input,
                                     &(permutation_job){rows, s->y, inputs});
    sg_thread_pool_free(pool);
    return st;
}

sg_status sg_model_importance(const sg_model *m, const sg_source *rows, size_t threads, sg_input_importance *inputs,
                              sg_rule_importance *rules, size_t *used)
{
    importance_sums s = {.rules = rules};
    sg_row_sample sample;
    sg_status st = sg_row_sample_init(&sample, m, rows);
    if (st != SG_OK) return st;
    st = sg_explainer_new(m, &s.e);
    if (st == SG_OK) st = measure_importance(&s, &sample, threads, inputs);
    if (st == SG_OK && used) *used = sample.rows;
    sg_free_all(s.contribution, s.ablation, s.input_sum, s.y);
    sg_explainer_free(s.e);
    sg_row_sample_release(&sample);
    return st;
}
