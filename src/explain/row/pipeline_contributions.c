/* pipeline_contributions.c: follows a row and the training means through the pipeline. Steps that act on single columns
 * scale the contributions to a column; a PCA step combines them. */
#include "explain/row/pipeline_contributions.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool step_mixes_features(const sg_transform *s) { return s->kind->values_per_feature == 0; }

static double clamp_finite_range(double x) { return fmin(fmax(x, -SG_TRANSFORM_MAX_ABS), SG_TRANSFORM_MAX_ABS); }

const double *sg_contributions_at_mean(const sg_contributions *p)
{
    return p->mean + (p->pipeline->steps + 1) * p->max_width;
}

static void transform_means(const sg_contributions *p, const double *mean)
{
    const sg_pipeline *v = p->pipeline;
    double *at = p->mean;
    memcpy(at, mean, v->in * sizeof *at);
    for (size_t i = 0; i < v->steps; i++, at += p->max_width)
        v->step[i].kind->apply(&v->step[i], 1, 1, at, at + p->max_width);
    for (size_t k = 0; k < v->out; k++) at[p->max_width + k] = clamp_finite_range(at[k]);
}

sg_status sg_contributions_init(sg_contributions *p, const sg_pipeline *v, const double *mean)
{
    *p = (sg_contributions){.pipeline = v, .max_width = sg_pipeline_scratch_size(v) / 2};
    for (size_t i = 0; i < v->steps; i++) p->mixes = p->mixes || step_mixes_features(&v->step[i]);
    const size_t cells = p->mixes ? p->max_width * v->in : 0;
    const sg_double_array arrays[] = {{&p->mean, (v->steps + 2) * p->max_width},
                                      {&p->row, 2 * p->max_width},
                                      {&p->matrix, cells},
                                      {&p->next_matrix, cells}};
    p->buffer = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays);
    if (!p->buffer) return sg_fail_out_of_memory("an explanation");
    transform_means(p, mean);
    return SG_OK;
}

void sg_contributions_release(sg_contributions *p)
{
    free(p->buffer);
    *p = (sg_contributions){0};
}

static void swap_pointers(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

/* Computes the contributions to each component: a component combines the contributions to its inputs with the weights
 * with which it combines the inputs. */
static void mix_contributions(sg_contributions *p, const sg_transform *s, const double *mean)
{
    const size_t features = p->pipeline->in;
    const double *c = s->parameter[0];
    for (size_t o = 0; o < s->out; o++, c += s->in) {
        double *to = p->next_matrix + o * features;
        memset(to, 0, features * sizeof *to);
        for (size_t i = 0; i < s->in; i++) {
            if (!p->mixed) to[i] = c[i] * (clamp_finite_range(p->current[i]) - clamp_finite_range(mean[i]));
            for (size_t k = 0; p->mixed && k < features; k++) to[k] += c[i] * p->matrix[i * features + k];
        }
    }
    swap_pointers(&p->next_matrix, &p->matrix);
    p->mixed = true;
}

/* Scales the contributions to each column by the factor by which a step changed the distance of the column from its
 * mean. */
static void scale_contributions(sg_contributions *p, size_t columns, const double *mean)
{
    const size_t features = p->pipeline->in;
    const double *next_mean = mean + p->max_width;
    for (size_t i = 0; p->mixed && i < columns; i++) {
        double before = p->current[i] - mean[i], factor = before == 0 ? 0 : (p->next[i] - next_mean[i]) / before;
        for (size_t k = 0; k < features; k++) p->matrix[i * features + k] *= factor;
    }
}

void sg_contributions_set_row(sg_contributions *p, const double *x)
{
    const sg_pipeline *v = p->pipeline;
    const double *mean = p->mean;
    p->current = p->row;
    p->next = p->row + p->max_width;
    p->mixed = false;
    memcpy(p->current, x, v->in * sizeof *x);
    for (size_t i = 0; i < v->steps; i++, mean += p->max_width) {
        const sg_transform *s = &v->step[i];
        s->kind->apply(s, 1, 1, p->current, p->next);
        if (step_mixes_features(s)) mix_contributions(p, s, mean);
        else scale_contributions(p, s->out, mean);
        swap_pointers(&p->current, &p->next);
    }
    for (size_t k = 0; k < v->out; k++) p->next[k] = clamp_finite_range(p->current[k]);
    scale_contributions(p, v->out, mean);
    swap_pointers(&p->current, &p->next);
}

void sg_contributions_sum(const sg_contributions *p, const double *weight, double *out)
{
    const sg_pipeline *v = p->pipeline;
    const double *mean = sg_contributions_at_mean(p);
    memset(out, 0, v->in * sizeof *out);
    for (size_t t = 0; t < v->out; t++) {
        if (!p->mixed) out[t] = weight[t] * (p->current[t] - mean[t]);
        for (size_t k = 0; p->mixed && k < v->in; k++) out[k] += weight[t] * p->matrix[t * v->in + k];
    }
}
