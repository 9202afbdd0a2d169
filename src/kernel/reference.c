/* reference.c: the readable definition of src/model as a kernel, one row at a time, in double. */
#include "base/memory.h"
#include "kernel/kernel.h"
#include "model/inference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct room {
    const sg_block *b;
    size_t rows;
    sg_things dropped;
    sg_work *work;        /* (rows): backward needs what forward left of each            */
    unsigned char *bytes; /* (rows, sg_mask_room)                                       */
    sg_mask *mask;        /* (rows)                                                      */
    double *a, *z;        /* (inputs), (terms) of one row                                */
    double *slope;        /* (outputs)                                                   */
    double *grad;         /* as the block's part of theta; NULL where nothing is trained */
} room;

static bool runs(void) { return true; }

static bool covers(const sg_block *b, bool training, sg_things dropped)
{
    (void)b;
    (void)training;
    (void)dropped;
    return true;
}

static void close_room(void *self)
{
    room *r = self;
    if (!r) return;
    for (size_t i = 0; r->work && i < r->rows; i++) sg_work_release(&r->work[i]);
    free(r->work);
    free(r->bytes);
    free(r->mask);
    free(r->a);
    free(r->z);
    free(r->slope);
    free(r->grad);
    free(r);
}

static void *open_room(const sg_block *b, size_t rows, bool training, sg_things dropped)
{
    room *r = sg_alloc(1, sizeof *r);
    if (!r) return NULL;
    *r = (room){.b = b, .dropped = dropped, .rows = training ? rows : 1};
    r->work = sg_alloc(r->rows, sizeof *r->work);
    r->bytes = sg_alloc(r->rows, sg_mask_room(dropped, b));
    r->mask = sg_alloc(r->rows, sizeof *r->mask);
    r->a = sg_alloc(b->inputs, sizeof *r->a);
    r->z = sg_alloc(b->terms, sizeof *r->z);
    r->slope = sg_alloc(b->outputs, sizeof *r->slope);
    r->grad = training ? sg_alloc(sg_block_parameters(b), sizeof *r->grad) : r->slope;
    bool ok = r->work && r->bytes && r->mask && r->a && r->z && r->slope && r->grad;
    if (!training) r->grad = NULL;
    for (size_t i = 0; ok && i < r->rows; i++) ok = sg_work_of_block(&r->work[i], b);
    if (ok) return r;
    close_room(r);
    return NULL;
}

/* The parameters are read where they are. */
static void load(void *self) { (void)self; }

static void take_row(room *r, const sg_chunk *c, size_t i)
{
    for (size_t k = 0; k < r->b->inputs; k++) {
        bool missing = c->missing && c->missing[k * SG_PITCH + i] > 0;
        r->a[k] = missing ? (double)NAN : c->a[k * SG_PITCH + i];
    }
    for (size_t k = 0; k < r->b->terms; k++) r->z[k] = c->z[k * SG_PITCH + i];
}

static void forward(void *self, const sg_chunk *c, sg_keep keep, double *y)
{
    room *r = self;
    size_t room_of_row = sg_mask_room(r->dropped, r->b);
    for (size_t i = 0; i < c->n; i++) {
        size_t at = i % r->rows;
        r->mask[at] = (sg_mask){0};
        if (keep.bits)
            r->mask[at] = sg_mask_of(r->dropped, r->b, keep.bits + i * keep.words, r->bytes + at * room_of_row);
        take_row(r, c, i);
        sg_forward(r->b, r->a, r->z, &r->mask[at], &r->work[at]);
        for (size_t o = 0; o < r->b->outputs; o++) y[o * SG_PITCH + i] = r->work[at].y[o];
    }
}

static void backward(void *self, const sg_chunk *c, const double *slope)
{
    room *r = self;
    for (size_t i = 0; i < c->n; i++) {
        take_row(r, c, i);
        for (size_t o = 0; o < r->b->outputs; o++) r->slope[o] = slope[o * SG_PITCH + i];
        sg_backward(r->b, r->a, r->z, &r->mask[i], &r->work[i], r->slope, r->grad);
    }
}

static void unload(void *self, double *grad)
{
    room *r = self;
    size_t n = sg_block_parameters(r->b);
    for (size_t i = 0; i < n; i++) grad[i] += r->grad[i];
    memset(r->grad, 0, n * sizeof *grad);
}

const sg_kernel sg_kernel_reference = {"reference", "f64", 4,       &sg_tools_portable, runs,  covers, open_room,
                                       close_room,  load,  forward, backward,           unload};
