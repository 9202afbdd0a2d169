/* model_engine.c: runs the kernels of all blocks of a model on chunks of rows. */
#include "kernel/model_engine.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MANY_BLOCKS = 64 };

/* Returns the number of rows per chunk, a multiple of the vector length. Training stores one or two values per rule and
 * row, which should fit into the cache of a core for all blocks together. */
static size_t chunk_rows(const sg_model *m, const sg_kernel *k, bool training)
{
    size_t rules = sg_model_block_rules(m);
    if (!training) return m->blocks > MANY_BLOCKS ? 4 * k->lanes : SG_CHUNK;
    return (rules <= 128 ? 16 : rules <= 1024 ? 8 : rules <= 4096 ? 4 : 2) * k->lanes;
}

sg_status sg_engine_init(sg_engine *e, const sg_model *m, const char *precision, bool training, sg_drop_target dropped)
{
    const sg_kernel *chosen;
    sg_status st = sg_kernel_select(precision, &chosen);
    if (st != SG_OK) return st;
    *e = (sg_engine){.model = m,
                     .rows = chunk_rows(m, chosen, training),
                     .ops = chosen->ops,
                     .is_f32 = strcmp(chosen->precision, "f32") == 0};
    e->block = sg_calloc(m->blocks, sizeof *e->block);
    e->y = sg_alloc_cache_aligned(m->outputs * 2 * SG_PITCH *
                                  sizeof *e->y); /* not zeroed, because that would take as long as predicting a row */
    bool ok = e->block && e->y;
    if (ok) e->block_y = e->y + m->outputs * SG_PITCH;
    for (size_t b = 0; ok && b < m->blocks; b++) {
        bool covered = chosen->supports_block(&m->block[b], training, dropped);
        e->block[b].kernel = covered ? chosen : &sg_kernel_reference;
        e->block[b].workspace = e->block[b].kernel->open(&m->block[b], e->rows, training, dropped);
        ok = e->block[b].workspace != NULL;
    }
    if (ok) return SG_OK;
    sg_engine_release(e);
    return sg_fail(SG_ENOMEM, "out of memory while preparing %zu rules", sg_model_rules(m));
}

void sg_engine_release(sg_engine *e)
{
    for (size_t b = 0; e->block && b < e->model->blocks; b++)
        if (e->block[b].kernel) e->block[b].kernel->close(e->block[b].workspace);
    free(e->block);
    free(e->y);
    *e = (sg_engine){0};
}

void sg_engine_load_theta(sg_engine *e)
{
    for (size_t b = 0; b < e->model->blocks; b++) e->block[b].kernel->load_theta(e->block[b].workspace);
}

/* Computes y = y0 + sum of weight * block output. The first block has already written to y; with weight 1 and y0 = 0,
 * only the sign of a zero could change, so y is left as it is. */
static void add_block_output(const sg_engine *e, size_t b, size_t n)
{
    const double weight = e->model->block[b].weight;
    for (size_t o = 0; o < e->model->outputs; o++) {
        double *y = e->y + o * SG_PITCH, y0 = e->model->y0[o];
        const double *part = (b ? e->block_y : e->y) + o * SG_PITCH;
        if (b)
            for (size_t i = 0; i < n; i++) y[i] += weight * part[i];
        else if (weight != 1 || y0 != 0)
            for (size_t i = 0; i < n; i++) y[i] = y0 + weight * part[i];
    }
}

/* Returns the chunk as block b sees it. */
static sg_chunk block_chunk(const sg_engine *e, size_t b, const sg_chunk *c)
{
    sg_chunk own = *c;
    if (e->model->block[b].sees_z) own.a = c->z;
    return own;
}

void sg_engine_forward(sg_engine *e, const sg_chunk *c, const sg_dropout_bits *keep)
{
    for (size_t o = 0; e->model->blocks == 0 && o < e->model->outputs; o++)
        for (size_t i = 0; i < c->n; i++) e->y[o * SG_PITCH + i] = e->model->y0[o];
    for (size_t b = 0; b < e->model->blocks; b++) {
        double *part = b ? e->block_y : e->y;
        sg_chunk own = block_chunk(e, b, c);
        e->block[b].kernel->forward(e->block[b].workspace, &own, keep ? keep[b] : (sg_dropout_bits){0}, part);
        add_block_output(e, b, c->n);
    }
}

/* Returns the output gradient of block b, scaled by its weight. */
static const double *block_out_grad(const sg_engine *e, size_t b, size_t n, const double *out_grad)
{
    const double weight = e->model->block[b].weight;
    if (weight == 1) return out_grad;
    for (size_t o = 0; o < e->model->outputs; o++)
        for (size_t i = o * SG_PITCH; i < o * SG_PITCH + n; i++) e->block_y[i] = weight * out_grad[i];
    return e->block_y;
}

void sg_engine_backward(sg_engine *e, const sg_chunk *c, const double *out_grad)
{
    size_t n = (c->n + 7) / 8 * 8;
    for (size_t b = 0; b < e->model->blocks; b++) {
        sg_chunk own = block_chunk(e, b, c);
        e->block[b].kernel->backward(e->block[b].workspace, &own, block_out_grad(e, b, n, out_grad));
    }
}

void sg_engine_add_gradient(sg_engine *e, double *grad)
{
    for (size_t b = 0; b < e->model->blocks; b++) {
        const sg_block *block = &e->model->block[b];
        e->block[b].kernel->add_gradient(e->block[b].workspace, grad + (block->mf - e->model->theta));
    }
}
