/* reference_kernel.c: the reference implementation of src/model as a kernel for one row at a time, in double. */
#include "base/memory.h"
#include "kernel/kernel.h"
#include "model/reference_forward_backward.h"

#include <math.h>
#include <string.h>

typedef struct reference_workspace {
    const sg_block *b;
    size_t rows;
    sg_drop_target dropped;
    sg_block_workspace *work; /* (rows): results of forward for backward                       */
    unsigned char *bytes;     /* (rows, sg_keep_mask_size)                                     */
    sg_dropout_mask *mask;    /* (rows)                                                        */
    double *a, *z;            /* (inputs), (terms) of one row                                  */
    double *out_grad;         /* (outputs)                                                     */
    double *grad;             /* laid out like the block's part of theta; NULL unless training */
} reference_workspace;

static bool is_supported(void) { return true; }

static bool supports_block(const sg_block *b, bool training, sg_drop_target dropped)
{
    (void)b;
    (void)training;
    (void)dropped;
    return true;
}

static void close_workspace(void *self)
{
    reference_workspace *r = self;
    if (!r) return;
    for (size_t i = 0; r->work && i < r->rows; i++) sg_block_workspace_release(&r->work[i]);
    sg_free_all(r->work, r->bytes, r->mask, r->a, r->z, r->out_grad, r->grad, r);
}

static void *open_workspace(const sg_block *b, size_t rows, bool training, sg_drop_target dropped)
{
    reference_workspace *r = sg_calloc(1, sizeof *r);
    if (!r) return NULL;
    *r = (reference_workspace){.b = b, .dropped = dropped, .rows = training ? rows : 1};
    r->work = sg_calloc(r->rows, sizeof *r->work);
    r->bytes = sg_calloc(r->rows, sg_keep_mask_size(dropped, b));
    r->mask = sg_calloc(r->rows, sizeof *r->mask);
    r->a = sg_calloc(b->inputs, sizeof *r->a);
    r->z = sg_calloc(b->terms, sizeof *r->z);
    r->out_grad = sg_calloc(b->outputs, sizeof *r->out_grad);
    r->grad = training ? sg_calloc(sg_block_parameters(b), sizeof *r->grad) : r->out_grad;
    bool ok = r->work && r->bytes && r->mask && r->a && r->z && r->out_grad && r->grad;
    if (!training) r->grad = NULL;
    for (size_t i = 0; ok && i < r->rows; i++) ok = sg_block_workspace_init(&r->work[i], b);
    if (ok) return r;
    close_workspace(r);
    return NULL;
}

/* The parameters are read in place. */
static void load_theta(void *self) { (void)self; }

static void load_row(reference_workspace *r, const sg_chunk *c, size_t i)
{
    for (size_t k = 0; k < r->b->inputs; k++) {
        bool missing = c->missing && c->missing[k * SG_PITCH + i] > 0;
        r->a[k] = missing ? (double)NAN : c->a[k * SG_PITCH + i];
    }
    for (size_t k = 0; k < r->b->terms; k++) r->z[k] = c->z[k * SG_PITCH + i];
}

static void forward(void *self, const sg_chunk *c, sg_dropout_bits keep, double *y)
{
    reference_workspace *r = self;
    size_t mask_bytes = sg_keep_mask_size(r->dropped, r->b);
    for (size_t i = 0; i < c->n; i++) {
        size_t at = i % r->rows;
        r->mask[at] = (sg_dropout_mask){0};
        if (keep.bits)
            r->mask[at] = sg_keep_mask_unpack(r->dropped, r->b, keep.bits + i * keep.words, r->bytes + at * mask_bytes);
        load_row(r, c, i);
        sg_forward(r->b, r->a, r->z, &r->mask[at], &r->work[at]);
        for (size_t o = 0; o < r->b->outputs; o++) y[o * SG_PITCH + i] = r->work[at].y[o];
    }
}

static void backward(void *self, const sg_chunk *c, const double *out_grad)
{
    reference_workspace *r = self;
    for (size_t i = 0; i < c->n; i++) {
        load_row(r, c, i);
        for (size_t o = 0; o < r->b->outputs; o++) r->out_grad[o] = out_grad[o * SG_PITCH + i];
        sg_backward(r->b, r->a, r->z, &r->mask[i], &r->work[i], r->out_grad, r->grad);
    }
}

static void add_gradient(void *self, double *grad)
{
    reference_workspace *r = self;
    size_t n = sg_block_parameters(r->b);
    for (size_t i = 0; i < n; i++) grad[i] += r->grad[i];
    memset(r->grad, 0, n * sizeof *grad);
}

const sg_kernel sg_kernel_reference = {"reference",
                                       "f64",
                                       4,
                                       &sg_vector_ops_portable,
                                       is_supported,
                                       supports_block,
                                       open_workspace,
                                       close_workspace,
                                       load_theta,
                                       forward,
                                       backward,
                                       add_gradient};
