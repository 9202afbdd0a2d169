/* row_cache.c: caches transformed training rows, or reads them again for every batch if they are too large. */
#include "train/batch/row_cache.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* --- one chunk --- */

sg_status sg_row_cache_open_loader(const sg_row_cache *k, const sg_vector_ops *ops, sg_chunk_loader *l)
{
    return sg_chunk_loader_open(l, k->model, ops, k->source, k->columns, k->weight_scale, !k->row || k->source->comm);
}

static sg_status read_and_transform(const sg_row_cache *k, const size_t *rows, size_t first, size_t n,
                                    sg_chunk_loader *l)
{
    const sg_source *s = k->source;
    sg_status st = s->comm ? sg_row_exchange_read(&k->exchange, first, n, l->raw)
                   : rows  ? sg_source_gather(s, rows + first, n, l->raw)
                           : s->read(s->self, first, n, l->raw);
    if (st == SG_OK) sg_chunk_loader_load_raw(l, n);
    return st;
}

/* Loads rows from the cache. Row numbers of a distributed source start at 0 on rank 0, so k->first is subtracted. */
static void load_cached(const sg_row_cache *k, const size_t *rows, size_t first, size_t n, sg_chunk_loader *l)
{
    size_t local[SG_CHUNK];
    for (size_t i = 0; rows && k->first && i < n; i++) local[i] = rows[first + i] - k->first;
    const size_t *index = !rows ? NULL : k->first ? local : rows + first;
    sg_chunk_loader_load_cached(l, rows ? k->row : k->row + (first - k->first) * l->width, index, n, k->missing_fill);
}

sg_status sg_row_cache_load(const sg_row_cache *k, const size_t *rows, size_t first, size_t n, sg_chunk_loader *l)
{
    bool cached = k->row && (!k->source->comm || first + n <= k->exchange.remote_first);
    if (!cached) return read_and_transform(k, rows, first, n, l);
    load_cached(k, rows, first, n, l);
    return SG_OK;
}

/* --- all rows --- */

/* Stores row i of the chunk, with NaN for missing inputs in view a. */
static void store_row(const sg_row_cache *k, const sg_chunk_loader *l, size_t i, double *row)
{
    const double *a = l->a + i, *missing = l->chunk.missing;
    for (size_t c = 0; c < l->width; c++) row[c] = c < k->width ? a[c * SG_PITCH] : 0;
    for (size_t c = 0; missing && c < k->model->a.out; c++)
        if (missing[c * SG_PITCH + i] > 0) row[c] = NAN;
}

static sg_status make_missing_fill(sg_row_cache *k)
{
    const sg_pipeline *a = &k->model->a;
    double *scratch = sg_calloc(sg_pipeline_scratch_size(a), sizeof *scratch);
    k->missing_fill = sg_calloc(a->out, sizeof *k->missing_fill);
    if (scratch && k->missing_fill) sg_pipeline_apply(a, k->model->feature_mean, k->missing_fill, scratch);
    sg_status st = scratch && k->missing_fill ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while reading rows");
    free(scratch);
    return st;
}

/* Fills the cache with the local rows, which it reads as if they were a batch of all rows, none of them remote. */
static sg_status fill_cache(sg_row_cache *k, sg_chunk_loader *l, size_t last, double *row)
{
    k->exchange.remote_first = last;
    for (size_t first = k->first; first < last; first += SG_CHUNK) {
        size_t n = last - first < SG_CHUNK ? last - first : SG_CHUNK;
        sg_status st = sg_row_cache_load(k, NULL, first, n, l);
        if (st == SG_OK && l->chunk.missing && !k->missing_fill) st = make_missing_fill(k);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < n; i++, row += l->width) store_row(k, l, i, row);
    }
    return SG_OK;
}

sg_status sg_row_cache_init(sg_row_cache *k, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                            double weight_scale, const sg_vector_ops *ops, size_t max_bytes)
{
    sg_chunk_loader l = {0};
    size_t last;
    *k = (sg_row_cache){.model = m, .source = source, .columns = columns, .weight_scale = weight_scale};
    k->width = m->a.out + (m->shared_pipeline ? 0 : m->z.out) + m->outputs + (columns->weight != SG_NO_COLUMN);
    sg_source_local_range(source, &k->first, &last);
    sg_status st = source->comm ? sg_row_exchange_init(&k->exchange, source) : SG_OK;
    if (st == SG_OK) st = sg_row_cache_open_loader(k, ops, &l);
    double *row = NULL;
    if (st == SG_OK && last - k->first <= max_bytes / sizeof *row / l.width)
        row = sg_alloc_cache_aligned((last - k->first) * l.width * sizeof *row);
    if (row) st = fill_cache(k, &l, last, row);
    k->row = row;
    sg_chunk_loader_release(&l);
    st = sg_comm_agree_status(source->comm, st);
    if (st != SG_OK) sg_row_cache_release(k);
    return st;
}

void sg_row_cache_release(sg_row_cache *k)
{
    free(k->row);
    free(k->missing_fill);
    sg_row_exchange_release(&k->exchange);
    *k = (sg_row_cache){0};
}
