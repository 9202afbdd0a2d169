/* transformed_rows.c: see transformed_rows.h. */
#include "predict/transformed_rows.h"

#include "base/memory.h"
#include "predict/parallel_reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SG_TRANSFORMED_ROWS <= (int)SG_CHUNK, "a chunk is fed at once");

sg_status sg_transformed_rows_init(sg_transformed_rows *r, const sg_source *source, const sg_column_roles *columns,
                                   const sg_model *model, double weight_scale)
{
    const sg_kernel *kernel;
    *r = (sg_transformed_rows){.source = source,
                               .columns = columns,
                               .model = model,
                               .weight_scale = weight_scale,
                               .max_read = sg_parallel_reduce_cache_rows(source->columns)};
    sg_status st = sg_kernel_select("f64", &kernel);
    if (st == SG_OK) st = sg_chunk_loader_init(&r->loader, model, kernel->ops, 0);
    if (st != SG_OK) return st;
    r->raw = sg_calloc(source->columns, r->max_read * sizeof(double));
    r->imputed = sg_calloc(model->a.out, SG_TRANSFORMED_ROWS * sizeof(double));
    r->with_nan = sg_calloc(model->a.out, SG_TRANSFORMED_ROWS * sizeof(double));
    r->z = model->shared_pipeline ? r->imputed : sg_calloc(model->z.out, SG_TRANSFORMED_ROWS * sizeof(double));
    r->t = sg_calloc(columns->targets, SG_TRANSFORMED_ROWS * sizeof(double));
    r->w = sg_calloc(SG_TRANSFORMED_ROWS, sizeof(double));
    if (r->raw && r->imputed && r->with_nan && r->z && r->t && r->w) return SG_OK;
    sg_transformed_rows_release(r);
    return sg_fail(SG_ENOMEM, "out of memory for rows");
}

void sg_transformed_rows_release(sg_transformed_rows *r)
{
    sg_chunk_loader_release(&r->loader);
    free(r->raw);
    if (r->z != r->imputed) free(r->z);
    free(r->imputed);
    free(r->with_nan);
    free(r->t);
    free(r->w);
    *r = (sg_transformed_rows){0};
}

/* Columns of a chunk become rows. */
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

static void transform_chunk(sg_transformed_rows *r, const double *raw, size_t n)
{
    const sg_column_roles *c = r->columns;
    const sg_model *m = r->model;
    const size_t stride = r->source->columns;
    sg_chunk_loader_load(&r->loader, raw, stride, c->input, n);
    transpose(r->loader.a, m->a.out, n, r->imputed);
    if (!m->shared_pipeline) transpose(r->loader.z, m->z.out, n, r->z);
    if (r->loader.chunk.missing) {
        memcpy(r->with_nan, r->imputed, n * m->a.out * sizeof *r->with_nan);
        restore_nan(r->loader.chunk.missing, m->a.out, n, r->with_nan);
    }
    r->a = r->loader.chunk.missing ? r->with_nan : r->imputed;
    for (size_t i = 0; i < n; i++, raw += stride) {
        for (size_t o = 0; o < c->targets; o++)
            r->t[i * c->targets + o] = (raw[c->target[o]] - m->mean[o]) / m->scale[o];
        r->w[i] = c->weight == SG_NO_COLUMN ? 1 : raw[c->weight] * r->weight_scale;
    }
    r->n = n;
}

sg_status sg_transformed_rows_load(sg_transformed_rows *r, size_t first, size_t n)
{
    sg_status st = r->source->read(r->source->self, first, n, r->raw);
    if (st == SG_OK) transform_chunk(r, r->raw, n);
    return st;
}

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

sg_status sg_transformed_rows_for_each(sg_transformed_rows *r, size_t first, size_t n, sg_transformed_rows_fn *visit,
                                       void *arg)
{
    for (size_t done = 0, some; done < n; done += some) {
        some = min_size(n - done, r->max_read);
        sg_status st = r->source->read(r->source->self, first + done, some, r->raw);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < some; i += SG_TRANSFORMED_ROWS) {
            transform_chunk(r, r->raw + i * r->source->columns, min_size(some - i, SG_TRANSFORMED_ROWS));
            visit(arg, r);
        }
    }
    return SG_OK;
}
