/* reference_eval.c: evaluates a whole model one row at a time with the reference implementation. */
#include "model/reference_eval.h"

#include "base/memory.h"
#include "prep/transform_pipeline.h"

#include <stdlib.h>
#include <string.h>

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

sg_status sg_reference_eval_init(sg_reference_eval *l, const sg_model *m)
{
    *l = (sg_reference_eval){.model = m};
    l->imputed = sg_calloc(m->features, sizeof *l->imputed);
    l->missing = sg_calloc(m->features, sizeof *l->missing);
    l->a = sg_calloc(m->a.out, sizeof *l->a);
    l->a_with_nan = sg_calloc(m->a.out, sizeof *l->a_with_nan);
    l->z_with_nan = sg_calloc(sg_model_terms(m), sizeof *l->z_with_nan);
    l->z = m->shared_pipeline ? l->a : sg_calloc(m->z.out, sizeof *l->z);
    l->scratch =
        sg_calloc(larger(sg_pipeline_scratch_size(&m->a), sg_pipeline_scratch_size(&m->z)), sizeof *l->scratch);
    l->additive = sg_calloc(m->outputs, sizeof *l->additive);
    l->work = sg_calloc(m->blocks, sizeof *l->work);
    bool ok = l->imputed && l->missing && l->a && l->a_with_nan && l->z_with_nan && l->z && l->scratch && l->additive &&
              l->work;
    for (size_t b = 0; ok && b < m->blocks; b++) ok = sg_block_workspace_init(&l->work[b], &m->block[b]);
    if (ok) return SG_OK;
    sg_reference_eval_release(l);
    return sg_fail_out_of_memory("the evaluation of a model");
}

void sg_reference_eval_release(sg_reference_eval *l)
{
    for (size_t b = 0; l->work && b < l->model->blocks; b++) sg_block_workspace_release(&l->work[b]);
    free(l->work);
    if (l->z != l->a) free(l->z);
    sg_free_all(l->imputed, l->missing, l->a, l->a_with_nan, l->z_with_nan, l->scratch, l->additive);
    *l = (sg_reference_eval){0};
}

void sg_reference_eval_set_row(sg_reference_eval *l, const double *x)
{
    const sg_model *m = l->model;
    memcpy(l->imputed, x, m->features * sizeof *x);
    sg_missing_impute(m->features, 1, 1, m->feature_mean, l->imputed, l->missing);
    sg_pipeline_apply(&m->a, l->imputed, l->a, l->scratch);
    if (!m->shared_pipeline) sg_pipeline_apply(&m->z, l->imputed, l->z, l->scratch);
    memcpy(l->a_with_nan, l->a, m->a.out * sizeof *l->a);
    if (sg_pipeline_is_elementwise(&m->a)) sg_missing_restore(m->a.out, l->missing, l->a_with_nan);
    memcpy(l->z_with_nan, l->z, sg_model_terms(m) * sizeof *l->z);
    if (!m->shared_pipeline && sg_pipeline_is_elementwise(&m->z))
        sg_missing_restore(m->z.out, l->missing, l->z_with_nan);
}

const double *sg_reference_eval_antecedents(const sg_reference_eval *l, size_t block)
{
    return l->model->block[block].sees_z ? l->z_with_nan : l->a_with_nan;
}

const double *sg_reference_eval_firing(sg_reference_eval *l, size_t block)
{
    sg_firing(&l->model->block[block], sg_reference_eval_antecedents(l, block), NULL, &l->work[block]);
    return l->work[block].firing;
}

sg_feature_columns sg_reference_eval_features(const sg_reference_eval *l)
{
    return (sg_feature_columns){.n = 1, .pitch = 1, .x = l->imputed, .missing = l->missing};
}

/* Sums the additive part before adding it to the rest, as is done for chunks of rows. */
static void add_additive_part(sg_reference_eval *l, double *y)
{
    sg_feature_columns row = sg_reference_eval_features(l);
    memset(l->additive, 0, l->model->outputs * sizeof *l->additive);
    sg_additive_add(l->model->additive, &row, l->additive);
    for (size_t o = 0; o < l->model->outputs; o++) y[o] += l->additive[o];
}

void sg_reference_eval_predict(sg_reference_eval *l, double *y)
{
    const sg_model *m = l->model;
    memcpy(y, m->y0, m->outputs * sizeof *y);
    for (size_t b = 0; b < m->blocks; b++) {
        sg_forward(&m->block[b], sg_reference_eval_antecedents(l, b), l->z, NULL, &l->work[b]);
        for (size_t o = 0; o < m->outputs; o++) y[o] += m->block[b].weight * l->work[b].y[o];
    }
    for (size_t o = 0; o < m->outputs; o++) y[o] = m->mean[o] + m->scale[o] * y[o];
    if (m->additive) add_additive_part(l, y);
    for (size_t o = 0; o < m->outputs; o++) {
        if (y[o] < m->clip_low[o]) y[o] = m->clip_low[o];
        if (y[o] > m->clip_high[o]) y[o] = m->clip_high[o];
    }
}
