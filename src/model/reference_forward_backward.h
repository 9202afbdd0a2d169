/* reference_forward_backward.h: readable reference implementation of a block's output and gradient.
 *
 * The functions process one row at a time and follow the equations of the paper, which are numbered as in its LaTeX
 * source. The fast kernels are tested against them. */
#pragma once

#include "model/dropout_mask.h"

/* Buffers for one row of one block, in which sg_forward leaves what sg_backward needs. */
typedef struct sg_block_workspace {
    double *memory;     /* one allocation for all arrays                                               */
    double *log_mu;     /* (mfs); at index -1, there is a 0: the log membership of a missing condition */
    double *firing;     /* (rules): normalised firing levels                                           */
    double *rule_y;     /* (rules, outputs): outputs of the active rules                               */
    double *y;          /* (outputs): the block's output                                               */
    double *mf_grad;    /* (mfs): dL/d(log membership), summed over the rules that share the MF        */
    double *projection; /* (rules, rank): u_k . (x - c)                                                */
    size_t *active;     /* (rules): indices of the active rules, ascending                             */
    size_t active_count;
} sg_block_workspace;

/* Returns false if memory is exhausted. */
bool sg_block_workspace_init(sg_block_workspace *w, const sg_block *b);
void sg_block_workspace_release(sg_block_workspace *w);

/* Computes w->firing by Eqs. (2)-(5). mask may be NULL. A NaN in a is a missing input, whose conditions are skipped
 * (given membership 1), as in DropMembership. */
void sg_firing(const sg_block *b, const double *a, const sg_dropout_mask *mask, sg_block_workspace *w);
/* Returns the largest log firing level by Eqs. (2)-(3). It is at most 0. */
double sg_max_log_firing(const sg_block *b, const double *a, sg_block_workspace *w);
/* Computes w->y and all other fields except mf_grad by Eqs. (2)-(6). */
void sg_forward(const sg_block *b, const double *a, const double *z, const sg_dropout_mask *mask,
                sg_block_workspace *w);
/* Computes the gradient for the row of the last sg_forward by Eqs. (8)-(10) and adds it to grad, which is laid out like
 * the block's part of theta. out_grad[o] is dL/dy_o for output o of the block. */
void sg_backward(const sg_block *b, const double *a, const double *z, const sg_dropout_mask *mask,
                 sg_block_workspace *w, const double *out_grad, double *grad);
