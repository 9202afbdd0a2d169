/* balance_penalty.c: computes the balance penalty from two gradients of the plain sum of the outputs y, so that
 * kernels, threads and ranks need no code for it. If f_r are normalised firing levels and consequents are only biases
 * b_r, then y = sum_r f_r b_r, and
 *
 *     d(sum of y) / d b_r      = sum of f_r, the mean firing level of the rule times the number of rows;
 *     d(sum of y) / d theta_i  = sum over rows and rules of b_r d f_r / d theta_i,
 *
 * The second sum is the gradient of the penalty if b_r = 2 lambda / rows * (mean firing level of r - 1 / rules). */
#include "train/balance_penalty.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t rule_width(const sg_block *b) { return (b->terms + 1) * b->outputs; }

sg_status sg_balance_penalty_init(sg_balance_penalty *b, const sg_model *m, double lambda)
{
    const sg_block *block = &m->block[0];
    *b = (sg_balance_penalty){.lambda = block->rules > 1 ? lambda : 0, .n = (size_t)(block->conseq - m->theta)};
    if (b->lambda == 0) return SG_OK;
    b->grad = sg_calloc(b->n, sizeof *b->grad);
    b->saved_conseq = sg_calloc(block->rules, rule_width(block) * sizeof *b->saved_conseq);
    if (b->grad && b->saved_conseq) return SG_OK;
    sg_balance_penalty_release(b);
    return sg_fail(SG_ENOMEM, "out of memory while preparing the firing levels of %zu rules", block->rules);
}

void sg_balance_penalty_release(sg_balance_penalty *b)
{
    free(b->grad);
    free(b->saved_conseq);
    *b = (sg_balance_penalty){0};
}

/* Sets the biases for the second pass, and b->loss. sum: the gradient with respect to the biases. */
static void set_biases(sg_balance_penalty *b, const sg_block *block, const double *sum, double rows)
{
    double squares = 0;
    for (size_t r = 0; r < block->rules; r++) {
        double off = sum[r * rule_width(block)] / rows - 1 / (double)block->rules;
        block->conseq[r * rule_width(block)] = 2 * b->lambda / rows * off;
        squares += off * off;
    }
    b->loss = b->lambda * squares;
}

/* Uses the biases of the first output. All other consequents are 0 and have no gradient. */
static sg_status run_two_passes(sg_balance_penalty *b, sg_gradient *g, const sg_block *block, uint32_t iteration)
{
    sg_status st = sg_gradient_run(g, iteration);
    double rows = st == SG_OK ? sg_gradient_weight(g) : 0;
    b->loss = 0;
    memset(b->grad, 0, b->n * sizeof *b->grad);
    if (st != SG_OK || rows == 0) return st;
    set_biases(b, block, sg_gradient_theta(g) + b->n, rows);
    st = sg_gradient_run(g, iteration);
    if (st == SG_OK) memcpy(b->grad, sg_gradient_theta(g), b->n * sizeof *b->grad);
    return st;
}

sg_status sg_balance_penalty_run(sg_balance_penalty *b, sg_gradient *g, sg_model *m, uint32_t iteration)
{
    const sg_block *block = &m->block[0];
    size_t size = block->rules * rule_width(block) * sizeof *block->conseq;
    memcpy(b->saved_conseq, block->conseq, size);
    memset(block->conseq, 0, size);
    g->sum_outputs = true;
    sg_status st = run_two_passes(b, g, block, iteration);
    g->sum_outputs = false;
    memcpy(block->conseq, b->saved_conseq, size);
    return st;
}

double sg_balance_penalty_add(const sg_balance_penalty *b, double *grad)
{
    for (size_t i = 0; i < b->n; i++) grad[i] += b->grad[i];
    return b->loss;
}
