/* support.c: see support.h. */
#include "model/support.h"

#include "base/memory.h"
#include "prep/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sg_status sg_support_init(sg_support *c, const sg_model *m)
{
    size_t a = sg_pipeline_scratch_size(&m->a), z = sg_pipeline_scratch_size(&m->z);
    size_t n = 3 * m->features + m->a.out + m->z.out + (a > z ? a : z);
    *c = (sg_support){
        .model = m, .work = sg_calloc(m->blocks, sizeof *c->work), .memory = sg_calloc(n, sizeof *c->memory)};
    bool room = c->work && c->memory;
    for (size_t b = 0; room && b < m->blocks; b++) room = sg_block_workspace_init(&c->work[b], &m->block[b]);
    if (!room) {
        sg_support_release(c);
        return sg_fail(SG_ENOMEM, "out of memory for the firing of rules");
    }
    c->row = c->memory;
    c->x = c->row + m->features;
    c->missing = c->x + m->features;
    c->a = c->missing + m->features;
    c->z = c->a + m->a.out;
    c->scratch = c->z + m->z.out;
    for (size_t b = 0; b < m->blocks; b++) c->sees_z |= m->block[b].sees_z;
    return SG_OK;
}

void sg_support_release(sg_support *c)
{
    for (size_t b = 0; c->work && b < c->model->blocks; b++) sg_block_workspace_release(&c->work[b]);
    free(c->work);
    free(c->memory);
    *c = (sg_support){0};
}

size_t sg_support_cost(const sg_model *m)
{
    size_t cost = 1;
    for (size_t b = 0; b < m->blocks; b++) cost += m->block[b].rules * (m->block[b].inputs + 1) + 4 * m->block[b].mfs;
    return cost;
}

/* --- how strongly a row fires --- */

/* What conditions see of the row in c->x, whose gaps were filled. */
static void apply_pipeline(sg_support *c, const sg_pipeline *v, bool any_missing, double *to)
{
    sg_pipeline_apply(v, c->x, to, c->scratch);
    if (any_missing && sg_pipeline_is_elementwise(v)) sg_missing_restore(c->model->features, c->missing, to);
}

/* Of the row in c->x, which is changed. */
static double row_log_firing(sg_support *c)
{
    const sg_model *m = c->model;
    double sum = 0, weight = 0;
    bool any_missing = sg_missing_impute(m->features, 1, 1, m->feature_mean, c->x, c->missing);
    apply_pipeline(c, &m->a, any_missing, c->a);
    if (c->sees_z) apply_pipeline(c, &m->z, any_missing, c->z);
    for (size_t b = 0; b < m->blocks; b++) {
        double top = sg_max_log_firing(&m->block[b], m->block[b].sees_z ? c->z : c->a, &c->work[b]),
               w = fabs(m->block[b].weight);
        sum += w * (top < -SG_MODEL_MAX_ABS ? -SG_MODEL_MAX_ABS : top);
        weight += w;
    }
    return weight > 0 ? fmax(sum / weight, -SG_MODEL_MAX_ABS) : 0;
}

double sg_support_log_firing(sg_support *c, const double *feature)
{
    memcpy(c->x, feature, c->model->features * sizeof *feature);
    return row_log_firing(c);
}

/* --- input by input --- */

static size_t first_feature(const sg_model *m, size_t input)
{
    return m->encoder ? m->encoder->input[input].first_feature : input;
}

static size_t feature_count(const sg_model *m, size_t input)
{
    return m->encoder ? sg_encoded_input_features(&m->encoder->input[input]) : 1;
}

/* A number beyond its range; a level that is none of those listed, and no pooled one takes. */
static bool is_outside_range(const sg_model *m, size_t input, const double *feature)
{
    size_t first = first_feature(m, input);
    double sum = 0;
    if (!sg_model_levels(m, input)) return feature[first] < m->low[first] || feature[first] > m->high[first];
    for (size_t i = 0; i < feature_count(m, input); i++) sum += feature[first + i];
    return sum == 0;
}

/* As it would fire were the input missing, and so what is derived from it. */
static double log_firing_without(sg_support *c, size_t input, const double *feature)
{
    const sg_model *m = c->model;
    memcpy(c->x, feature, m->features * sizeof *feature);
    for (size_t i = 0; i < feature_count(m, input); i++) c->x[first_feature(m, input) + i] = NAN;
    for (size_t e = 0; m->encoder && e < m->encoder->effects; e++)
        if (m->encoder->effect[e].input == input) c->x[sg_encoder_base_features(m->encoder) + e] = NAN;
    return row_log_firing(c);
}

/* The one that the row fires most without. */
static size_t find_outside_input(sg_support *c, const double *feature)
{
    double most = -INFINITY;
    size_t worst = 0;
    for (size_t i = 0; i < sg_model_inputs(c->model); i++) {
        double firing = log_firing_without(c, i, feature);
        if (firing <= most) continue;
        most = firing;
        worst = i;
    }
    return worst;
}

void sg_support_mark_outside(sg_support *c, const double *feature, double *outside)
{
    const sg_model *m = c->model;
    bool any = false;
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        outside[i] = is_outside_range(m, i, feature);
        any = any || outside[i] > 0;
    }
    if (any || m->calibration.support_rows == 0 || sg_support_log_firing(c, feature) >= m->calibration.min_log_firing)
        return;
    outside[find_outside_input(c, feature)] = 1;
}
