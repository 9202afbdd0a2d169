/* row_cache.c: see row_cache.h. */
#include "train/batch/row_cache.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_weights(const sg_row_cache *k) { return k->columns->weight != SG_NO_COLUMN; }

/* --- a thread's chunk --- */

sg_status sg_row_batch_init(sg_row_batch *t, const sg_row_cache *k, const sg_vector_ops *ops)
{
    size_t outputs = k->model->outputs;
    *t = (sg_row_batch){0};
    sg_status st = sg_chunk_loader_init(&t->loader, k->model, ops, outputs + has_weights(k));
    if (st != SG_OK) return st;
    if (!k->row || k->source->comm) t->raw = sg_calloc(k->source->columns, SG_CHUNK * sizeof *t->raw);
    if (!has_weights(k)) t->ones = sg_calloc(SG_PITCH, sizeof *t->ones);
    for (size_t i = 0; t->ones && i < SG_PITCH; i++) t->ones[i] = 1;
    t->t = t->loader.extra;
    t->w = has_weights(k) ? t->loader.extra + outputs * SG_PITCH : t->ones;
    if ((t->raw || (k->row && !k->source->comm)) && t->w) return SG_OK;
    sg_row_batch_release(t);
    return sg_fail(SG_ENOMEM, "out of memory for rows");
}

void sg_row_batch_release(sg_row_batch *t)
{
    sg_chunk_loader_release(&t->loader);
    free(t->raw);
    free(t->ones);
    *t = (sg_row_batch){0};
}

/* Column o of the targets: the values, the mean and the scale of one output. */
static void load_targets(const sg_row_batch *t, const sg_row_cache *k, size_t o, size_t n)
{
    const double *raw = t->raw + k->columns->target[o];
    double *to = t->loader.extra + o * SG_PITCH, mean = k->model->mean[o], inverse = 1 / k->model->scale[o];
    for (size_t i = 0; i < n; i++) to[i] = (raw[i * k->source->columns] - mean) * inverse;
}

static void load_weights(const sg_row_batch *t, const sg_row_cache *k, size_t n)
{
    const double *raw = t->raw + k->columns->weight;
    double *to = t->loader.extra + k->model->outputs * SG_PITCH;
    for (size_t i = 0; i < n; i++) to[i] = raw[i * k->source->columns] * k->weight_scale;
}

static sg_status read_raw(const sg_row_batch *t, const sg_row_cache *k, const size_t *rows, size_t first, size_t n)
{
    const sg_source *s = k->source;
    if (s->comm) return sg_row_exchange_read(&k->exchange, first, n, t->raw);
    return rows ? sg_source_gather(s, rows + first, n, t->raw) : s->read(s->self, first, n, t->raw);
}

static sg_status read_and_transform(sg_row_batch *t, const sg_row_cache *k, const size_t *rows, size_t first, size_t n)
{
    const sg_source *s = k->source;
    sg_status st = read_raw(t, k, rows, first, n);
    if (st != SG_OK) return st;
    sg_chunk_loader_load(&t->loader, t->raw, s->columns, k->columns->input, n);
    for (size_t o = 0; o < k->model->outputs; o++) load_targets(t, k, o, n);
    if (has_weights(k)) load_weights(t, k, n);
    return SG_OK;
}

/* The same of rows that are kept; those of a team are numbered from its first member's on. */
static void load_cached(sg_row_batch *t, const sg_row_cache *k, const size_t *rows, size_t first, size_t n)
{
    size_t here[SG_CHUNK];
    for (size_t i = 0; rows && k->first && i < n; i++) here[i] = rows[first + i] - k->first;
    const size_t *index = !rows ? NULL : k->first ? here : rows + first;
    sg_chunk_loader_load_cached(&t->loader, rows ? k->row : k->row + (first - k->first) * t->loader.width, index, n,
                                k->missing_fill);
}

sg_status sg_row_batch_load(sg_row_batch *t, const sg_row_cache *k, const size_t *rows, size_t first, size_t n)
{
    bool kept = k->row && (!k->source->comm || first + n <= k->exchange.remote_first);
    if (!kept) return read_and_transform(t, k, rows, first, n);
    load_cached(t, k, rows, first, n);
    return SG_OK;
}

/* --- all rows --- */

/* Row i of what was taken; a is NaN where an input is missing. */
static void store_row(const sg_row_cache *k, const sg_row_batch *t, size_t i, double *row)
{
    const double *a = t->loader.a + i, *missing = t->loader.chunk.missing;
    for (size_t c = 0; c < t->loader.width; c++) row[c] = c < k->width ? a[c * SG_PITCH] : 0;
    for (size_t c = 0; missing && c < k->model->a.out; c++)
        if (missing[c * SG_PITCH + i] > 0) row[c] = NAN;
}

/* What a is for the inputs' means. */
static sg_status make_missing_fill(sg_row_cache *k)
{
    const sg_pipeline *a = &k->model->a;
    double *scratch = sg_calloc(sg_pipeline_scratch_size(a), sizeof *scratch);
    k->missing_fill = sg_calloc(a->out, sizeof *k->missing_fill);
    if (scratch && k->missing_fill) sg_pipeline_apply(a, k->model->feature_mean, k->missing_fill, scratch);
    sg_status st = scratch && k->missing_fill ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    free(scratch);
    return st;
}

/* Rows are read here as if they were a batch of all rows, of which none is borrowed. */
static sg_status fill_cache(sg_row_cache *k, sg_row_batch *t, size_t last, double *row)
{
    k->exchange.remote_first = last;
    for (size_t first = k->first; first < last; first += SG_CHUNK) {
        size_t n = last - first < SG_CHUNK ? last - first : SG_CHUNK;
        sg_status st = sg_row_batch_load(t, k, NULL, first, n);
        if (st == SG_OK && t->loader.chunk.missing && !k->missing_fill) st = make_missing_fill(k);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < n; i++, row += t->loader.width) store_row(k, t, i, row);
    }
    return SG_OK;
}

sg_status sg_row_cache_init(sg_row_cache *k, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                            double weight_scale, const sg_vector_ops *ops, size_t max_bytes)
{
    sg_row_batch t = {0};
    size_t last;
    *k = (sg_row_cache){.model = m, .source = source, .columns = columns, .weight_scale = weight_scale};
    k->width = m->a.out + (m->shared_pipeline ? 0 : m->z.out) + m->outputs + has_weights(k);
    sg_source_local_range(source, &k->first, &last);
    sg_status st = source->comm ? sg_row_exchange_init(&k->exchange, source) : SG_OK;
    if (st == SG_OK) st = sg_row_batch_init(&t, k, ops);
    double *row = NULL;
    if (st == SG_OK && last - k->first <= max_bytes / sizeof *row / t.loader.width)
        row = sg_alloc_cache_aligned((last - k->first) * t.loader.width * sizeof *row);
    if (row) st = fill_cache(k, &t, last, row);
    k->row = row;
    sg_row_batch_release(&t);
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
