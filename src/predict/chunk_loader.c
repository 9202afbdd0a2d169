/* chunk_loader.c: see chunk_loader.h. */
#include "predict/chunk_loader.h"

#include "base/memory.h"
#include "prep/missing.h"

#include <stdlib.h>

sg_status sg_chunk_loader_init(sg_chunk_loader *f, const sg_model *m, const sg_vector_ops *ops, size_t extra)
{
    size_t sa = sg_pipeline_scratch_size(&m->a), sz = sg_pipeline_scratch_size(&m->z), scratch = sa > sz ? sa : sz;
    size_t seen = m->a.out + (m->shared_pipeline ? 0 : m->z.out), width = (seen + extra + 3) / 4 * 4;
    size_t columns = 2 * m->features + width + scratch, bytes;
    /* Not zeroed, which would take longer than to predict a row. */
    double *memory = sg_checked_mul(columns, SG_PITCH * sizeof *memory, &bytes) ? malloc(bytes) : NULL;
    if (!memory) return sg_fail(SG_ENOMEM, "out of memory for rows");
    *f = (sg_chunk_loader){
        .model = m, .ops = ops, .width = width, .x = memory, .masks_missing = sg_pipeline_is_elementwise(&m->a)};
    f->a = f->x + m->features * SG_PITCH;
    f->z = m->shared_pipeline ? f->a : f->a + m->a.out * SG_PITCH;
    f->extra = f->a + seen * SG_PITCH;
    f->missing = f->a + width * SG_PITCH;
    f->scratch = f->missing + m->features * SG_PITCH;
    f->chunk = (sg_chunk){.a = f->a, .z = f->z};
    return SG_OK;
}

void sg_chunk_loader_release(sg_chunk_loader *f)
{
    free(f->x);
    *f = (sg_chunk_loader){0};
}

/* Copies of the last row, too. */
static bool impute_missing(const sg_chunk_loader *f, size_t columns, size_t n, const double *mean, double *x)
{
    return sg_missing_impute(columns, (n + 7) / 8 * 8, SG_PITCH, mean, x, f->missing);
}

void sg_chunk_loader_load(sg_chunk_loader *f, const double *rows, size_t stride, const size_t *column, size_t n)
{
    const sg_model *m = f->model;
    bool has_missing = f->ops->load_columns(m, rows, stride, column, n, f->x) &&
                       impute_missing(f, m->features, n, m->feature_mean, f->x);
    f->ops->transform(m, n, f->x, f->a, f->z, f->scratch);
    f->chunk.n = n;
    f->chunk.missing = has_missing && f->masks_missing ? f->missing : NULL;
}

void sg_chunk_loader_load_cached(sg_chunk_loader *f, const double *rows, const size_t *index, size_t n,
                                 const double *fill)
{
    f->ops->transpose(rows, f->width, index, n, f->a);
    f->chunk.n = n;
    f->chunk.missing = fill && impute_missing(f, f->model->a.out, n, fill, f->a) ? f->missing : NULL;
}
