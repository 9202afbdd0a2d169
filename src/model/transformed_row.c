/* transformed_row.c: the transformed row that the rules see, for the public API. */
#include "base/memory.h"
#include "model/model.h"
#include "prep/transform_pipeline.h"

#include <stdlib.h>
#include <string.h>

size_t sg_model_transform_width(const sg_model *m) { return m->a.out; }

/* Encodes row r of the inputs as features. */
static void encode_row(const sg_model *m, const double *x, size_t r, double *to)
{
    if (m->encoder) sg_encoder_apply(m->encoder, x + r * m->encoder->inputs, to);
    else memcpy(to, x + r * m->features, m->features * sizeof *x);
}

sg_status sg_model_transform(const sg_model *m, const double *x, size_t rows, double *a)
{
    double *workspace = sg_calloc(2 * m->features + sg_pipeline_scratch_size(&m->a), sizeof *workspace);
    if (!workspace) return sg_fail_out_of_memory("a transform");
    double *filled = workspace, *missing = filled + m->features, *scratch = missing + m->features;
    for (size_t r = 0; r < rows; r++, a += m->a.out) {
        encode_row(m, x, r, filled);
        bool any_missing = sg_missing_impute(m->features, 1, 1, m->feature_mean, filled, missing);
        sg_pipeline_apply(&m->a, filled, a, scratch);
        if (any_missing && sg_pipeline_is_elementwise(&m->a)) sg_missing_restore(m->features, missing, a);
    }
    free(workspace);
    return SG_OK;
}
