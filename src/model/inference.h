/* inference.h: the plain, readable definition of what a model computes and of its gradient.
 *
 * One row at a time, following the equations of the paper (numbered as in its LaTeX source).
 * Fast kernels are held to these functions. */
#ifndef SG_MODEL_INFERENCE_H
#define SG_MODEL_INFERENCE_H

#include "model/drop_mask.h"

/* Room for one row of one block, and what forward leaves for backward. */
typedef struct sg_block_workspace {
    double *memory;     /* what the others are parts of                                */
    double *log_mu;     /* (mfs), and at -1 the log membership in "any x", 0           */
    double *firing;     /* (rules): normalised firing levels                           */
    double *rule_y;     /* (rules, outputs): the outputs of the rules that fire        */
    double *y;          /* (outputs): the block's output                               */
    double *mf_grad;    /* (mfs): sum over the rules that share an MF, see backward.c  */
    double *projection; /* (rules, rank): u_k . (x - c)                                */
    size_t *active;     /* (rules): numbers of the rules that fire, ascending          */
    size_t active_count;
} sg_block_workspace;

/* False without memory. */
bool sg_block_workspace_init(sg_block_workspace *w, const sg_block *b);
void sg_block_workspace_release(sg_block_workspace *w);

/* Eqs. (2)-(5): w->firing. mask may be NULL. Where a is NaN an input is missing: conditions on it are left out
 * (membership 1), as DropMembership does it. */
void sg_firing(const sg_block *b, const double *a, const sg_keep_mask *mask, sg_block_workspace *w);
/* Eqs. (2)-(3) alone: the largest of the log firing levels, at most 0. */
double sg_max_log_firing(const sg_block *b, const double *a, sg_block_workspace *w);
/* And Eq. (6): w->y, and w's other fields. */
void sg_forward(const sg_block *b, const double *a, const double *z, const sg_keep_mask *mask, sg_block_workspace *w);
/* Eqs. (8)-(10) for the row that sg_forward just saw: adds to grad, which is laid out as the
 * block's part of theta. slope[o] is dL/dy_o of the block's output. */
void sg_backward(const sg_block *b, const double *a, const double *z, const sg_keep_mask *mask, sg_block_workspace *w,
                 const double *slope, double *grad);

#endif
