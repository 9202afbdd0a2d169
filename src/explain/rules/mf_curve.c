/* mf_curve.c: evaluates membership functions over the values of an input in original units, for plots. */
#include "base/memory.h"
#include "base/number/portable_math.h"
#include "explain/rules/original_units.h"

#include <stdlib.h>
#include <string.h>

size_t sg_model_mfs(const sg_model *m, size_t block) { return block < m->blocks ? m->block[block].mfs : 0; }

/* Finds the feature and the input that an MF is over. Fails unless the input is numeric. */
static sg_status find_input(const sg_model *m, const sg_block *b, size_t mf, long *feature, size_t *input)
{
    sg_original_units u;
    sg_status st = sg_original_units_init(&u, m);
    if (st != SG_OK) return st;
    *feature = sg_original_units_input(&u, b->input_of[mf]);
    sg_original_units_release(&u);
    if (*feature < 0 || !sg_model_is_numeric_feature(m, (size_t)*feature))
        return sg_fail(SG_EINVAL, "membership function %zu is defined on %s, which is not a numeric input", mf + 1,
                       *feature < 0 ? "a principal component" : "a category level or an effect");
    *input = m->encoder ? (size_t)(sg_encoder_feature_input(m->encoder, (size_t)*feature) - m->encoder->input)
                        : (size_t)*feature;
    return SG_OK;
}

sg_status sg_model_membership(const sg_model *m, size_t block, size_t mf, const double *at, size_t n, size_t *input,
                              double *out)
{
    double p[SG_MF_MAX_PARAMETERS];
    long feature = 0;
    if (mf >= sg_model_mfs(m, block))
        return sg_fail(SG_EINVAL, "block %zu has %zu membership functions; membership function %zu does not exist",
                       block + 1, sg_model_mfs(m, block), mf + 1);
    const sg_block *b = &m->block[block];
    const sg_pipeline *v = sg_block_pipeline(m, b);
    sg_status st = find_input(m, b, mf, &feature, input);
    double *room = st == SG_OK ? sg_calloc(m->features + v->out + sg_pipeline_scratch_size(v), sizeof *room) : NULL;
    if (!room) return st == SG_OK ? sg_fail_out_of_memory("membership functions") : st;
    double *x = room, *seen = x + m->features, *scratch = seen + v->out;
    sg_mf_get(b, mf, p);
    memcpy(x, m->feature_mean, m->features * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        x[feature] = at[i];
        sg_pipeline_apply(v, x, seen, scratch);
        out[i] = sg_exp(b->kind->log_value(seen[b->input_of[mf]], p));
    }
    free(room);
    return SG_OK;
}
