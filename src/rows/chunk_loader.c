/* chunk_loader.c: imputes and transforms rows, and stores them by column for the kernels or by row for statistics. */
#include "rows/chunk_loader.h"

#include "base/memory.h"
#include "prep/transform_pipeline.h"
#include "rows/parallel_reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SG_LOADER_ROWS <= (int)SG_CHUNK, "rows are loaded as one chunk");

static sg_status fail_out_of_memory(void) { return sg_fail(SG_ENOMEM, "out of memory while reading rows"); }

sg_status sg_chunk_loader_init(sg_chunk_loader *l, const sg_model *m, const sg_vector_ops *ops, size_t extra)
{
    size_t sa = sg_pipeline_scratch_size(&m->a), sz = sg_pipeline_scratch_size(&m->z), scratch = sa > sz ? sa : sz;
    size_t seen = m->a.out + (m->shared_pipeline ? 0 : m->z.out), width = (seen + extra + 3) / 4 * 4;
    size_t columns = 2 * m->features + width + scratch, bytes;
    /* The memory is not zeroed, because that would take longer than the prediction of one row. */
    double *memory = sg_checked_mul(columns, SG_PITCH * sizeof *memory, &bytes) ? malloc(bytes) : NULL;
    *l = (sg_chunk_loader){0};
    if (!memory) return fail_out_of_memory();
    *l = (sg_chunk_loader){
        .model = m, .ops = ops, .width = width, .x = memory, .masks_missing = sg_pipeline_is_elementwise(&m->a)};
    l->a = l->x + m->features * SG_PITCH;
    l->z = m->shared_pipeline ? l->a : l->a + m->a.out * SG_PITCH;
    l->extra = l->a + seen * SG_PITCH;
    l->missing = l->a + width * SG_PITCH;
    l->scratch = l->missing + m->features * SG_PITCH;
    l->chunk = (sg_chunk){.a = l->a, .z = l->z};
    return SG_OK;
}

sg_status sg_chunk_loader_open(sg_chunk_loader *l, const sg_model *m, const sg_vector_ops *ops, const sg_source *source,
                               const sg_column_roles *columns, double weight_scale, bool reads)
{
    bool weighted = columns->weight != SG_NO_COLUMN;
    sg_status st = sg_chunk_loader_init(l, m, ops, m->outputs + weighted);
    if (st != SG_OK) return st;
    l->source = source;
    l->columns = columns;
    l->weight_scale = weight_scale;
    l->max_read = SG_CHUNK;
    if (reads) l->raw = sg_calloc(source->columns, SG_CHUNK * sizeof *l->raw);
    if (!weighted) l->ones = sg_calloc(SG_PITCH, sizeof *l->ones);
    for (size_t i = 0; l->ones && i < SG_PITCH; i++) l->ones[i] = 1;
    l->t = l->extra;
    l->w = weighted ? l->extra + m->outputs * SG_PITCH : l->ones;
    if ((l->raw || !reads) && l->w) return SG_OK;
    sg_chunk_loader_release(l);
    return fail_out_of_memory();
}

sg_status sg_chunk_loader_open_rows(sg_chunk_loader *l, const sg_source *source, const sg_column_roles *columns,
                                    const sg_model *m, double weight_scale)
{
    const sg_kernel *kernel;
    *l = (sg_chunk_loader){0};
    sg_status st = sg_kernel_select("f64", &kernel);
    if (st == SG_OK) st = sg_chunk_loader_init(l, m, kernel->ops, 0);
    if (st != SG_OK) return st;
    l->source = source;
    l->columns = columns;
    l->weight_scale = weight_scale;
    l->max_read = sg_parallel_reduce_cache_rows(source->columns);
    l->raw = sg_calloc(source->columns, l->max_read * sizeof(double));
    l->rows.imputed = sg_calloc(m->a.out, SG_LOADER_ROWS * sizeof(double));
    l->rows.with_nan = sg_calloc(m->a.out, SG_LOADER_ROWS * sizeof(double));
    l->rows.z = m->shared_pipeline ? l->rows.imputed : sg_calloc(m->z.out, SG_LOADER_ROWS * sizeof(double));
    l->rows.t = sg_calloc(columns->targets, SG_LOADER_ROWS * sizeof(double));
    l->rows.w = sg_calloc(SG_LOADER_ROWS, sizeof(double));
    if (l->raw && l->rows.imputed && l->rows.with_nan && l->rows.z && l->rows.t && l->rows.w) return SG_OK;
    sg_chunk_loader_release(l);
    return fail_out_of_memory();
}

void sg_chunk_loader_release(sg_chunk_loader *l)
{
    sg_free_all(l->x, l->raw, l->ones);
    if (l->rows.z != l->rows.imputed) free(l->rows.z);
    sg_free_all(l->rows.imputed, l->rows.with_nan, l->rows.t, l->rows.w);
    *l = (sg_chunk_loader){0};
}

/* --- chunks --- */

/* Imputes all rows, including the copies of the last row that pad the chunk. Returns whether any input was missing. */
static bool impute_missing(const sg_chunk_loader *l, size_t columns, size_t n, const double *mean, double *x)
{
    return sg_missing_impute(columns, (n + 7) / 8 * 8, SG_PITCH, mean, x, l->missing);
}

void sg_chunk_loader_load(sg_chunk_loader *l, const double *rows, size_t stride, const size_t *column, size_t n)
{
    const sg_model *m = l->model;
    bool has_missing = l->ops->load_columns(m, rows, stride, column, n, l->x) &&
                       impute_missing(l, m->features, n, m->feature_mean, l->x);
    l->ops->transform(m, n, l->x, l->a, l->z, l->scratch);
    l->chunk.n = n;
    l->chunk.missing = has_missing && l->masks_missing ? l->missing : NULL;
    l->chunk.features = (sg_feature_columns){n, SG_PITCH, l->x, has_missing ? l->missing : NULL};
}

void sg_chunk_loader_load_cached(sg_chunk_loader *l, const double *rows, const size_t *index, size_t n,
                                 const double *fill)
{
    l->ops->transpose(rows, l->width, index, n, l->a);
    l->chunk.n = n;
    l->chunk.missing = fill && impute_missing(l, l->model->a.out, n, fill, l->a) ? l->missing : NULL;
}

void sg_chunk_loader_load_raw(sg_chunk_loader *l, size_t n)
{
    const sg_column_roles *c = l->columns;
    const size_t stride = l->source->columns, outputs = l->model->outputs;
    sg_chunk_loader_load(l, l->raw, stride, c->input, n);
    for (size_t o = 0; o < outputs; o++) {
        const double *raw = l->raw + c->target[o];
        double *to = l->extra + o * SG_PITCH, mean = l->model->mean[o], inverse = 1 / l->model->scale[o];
        for (size_t i = 0; i < n; i++) to[i] = (raw[i * stride] - mean) * inverse;
    }
    for (size_t i = 0; !l->ones && i < n; i++)
        l->extra[outputs * SG_PITCH + i] = l->raw[i * stride + c->weight] * l->weight_scale;
}

/* --- rows in row-major order --- */

static void transpose(const double *column, size_t width, size_t n, double *row)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++) *row++ = column[k * SG_PITCH + i];
}

static void restore_nan(const double *missing, size_t width, size_t n, double *row)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++, row++)
            if (missing[k * SG_PITCH + i] > 0) *row = NAN;
}

/* Divides targets by their scale, whereas chunks multiply by the inverse, which may round differently. */
static void load_rows(sg_chunk_loader *l, const double *raw, size_t n)
{
    const sg_column_roles *c = l->columns;
    const sg_model *m = l->model;
    const size_t stride = l->source->columns;
    sg_chunk_loader_load(l, raw, stride, c->input, n);
    transpose(l->a, m->a.out, n, l->rows.imputed);
    if (!m->shared_pipeline) transpose(l->z, m->z.out, n, l->rows.z);
    if (l->chunk.missing) {
        memcpy(l->rows.with_nan, l->rows.imputed, n * m->a.out * sizeof *l->rows.with_nan);
        restore_nan(l->chunk.missing, m->a.out, n, l->rows.with_nan);
    }
    l->rows.a = l->chunk.missing ? l->rows.with_nan : l->rows.imputed;
    l->rows.raw = raw;
    l->rows.n = n;
    for (size_t i = 0; i < n; i++, raw += stride) {
        for (size_t o = 0; o < c->targets; o++)
            l->rows.t[i * c->targets + o] = (raw[c->target[o]] - m->mean[o]) / m->scale[o];
        l->rows.w[i] = c->weight == SG_NO_COLUMN ? 1 : raw[c->weight] * l->weight_scale;
    }
}

sg_status sg_chunk_loader_read_rows(sg_chunk_loader *l, size_t first, size_t n)
{
    sg_status st = l->source->read(l->source->self, first, n, l->raw);
    if (st == SG_OK) load_rows(l, l->raw, n);
    return st;
}

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

sg_status sg_chunk_loader_for_each(sg_chunk_loader *l, size_t first, size_t n, sg_chunk_loader_fn *visit, void *arg)
{
    for (size_t done = 0, some; done < n; done += some) {
        some = min_size(n - done, l->max_read);
        sg_status st = l->source->read(l->source->self, first + done, some, l->raw);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < some; i += SG_LOADER_ROWS) {
            load_rows(l, l->raw + i * l->source->columns, min_size(some - i, SG_LOADER_ROWS));
            visit(arg, l);
        }
    }
    return SG_OK;
}
