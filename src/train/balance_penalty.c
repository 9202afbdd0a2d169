/* balance_penalty.c: see balance_penalty.h.
 *
 * Both passes that it takes are gradients of a plain sum of outputs y, so kernels, threads and ranks need not know of
 * it. With f_r the normalised firing levels, y = sum_r f_r b_r for consequents that are biases b alone:
 *
 *     d(sum of y) / d b_r      = sum of f_r, the rule's mean firing level times the rows;
 *     d(sum of y) / d theta_i  = sum over rows and rules of b_r d f_r / d theta_i,
 *
 * which is the penalty's gradient where b_r is 2 lambda / rows * (mean firing level of r - 1 / rules). */
#include "train/balance_penalty.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t rule_width(const sg_block *b) { return (b->terms + 1) * b->outputs; }

sg_status sg_balance_penalty_init(sg_balance_penalty *b, const sg_model *m, double lambda)
{
    const sg_block *of = &m->block[0];
    *b = (sg_balance_penalty){.lambda = of->rules > 1 ? lambda : 0, .n = (size_t)(of->conseq - m->theta)};
    if (b->lambda == 0) return SG_OK;
    b->grad = sg_calloc(b->n, sizeof *b->grad);
    b->saved_conseq = sg_calloc(of->rules, rule_width(of) * sizeof *b->saved_conseq);
    if (b->grad && b->saved_conseq) return SG_OK;
    sg_balance_penalty_release(b);
    return sg_fail(SG_ENOMEM, "out of memory for firing levels of %zu rules", of->rules);
}

void sg_balance_penalty_release(sg_balance_penalty *b)
{
    free(b->grad);
    free(b->saved_conseq);
    *b = (sg_balance_penalty){0};
}

/* From sums of firing levels, the gradient by biases, to biases for the second pass; the loss on the way. */
static void set_biases(sg_balance_penalty *b, const sg_block *of, const double *sum, double rows)
{
    double squares = 0;
    for (size_t r = 0; r < of->rules; r++) {
        double off = sum[r * rule_width(of)] / rows - 1 / (double)of->rules;
        of->conseq[r * rule_width(of)] = 2 * b->lambda / rows * off;
        squares += off * off;
    }
    b->loss = b->lambda * squares;
}

/* The first output's biases stand for what is asked; the others stay 0, and have no slope. */
static sg_status run_two_passes(sg_balance_penalty *b, sg_gradient *g, const sg_block *of, uint32_t iteration)
{
    sg_status st = sg_gradient_run(g, iteration);
    double rows = st == SG_OK ? sg_gradient_weight(g) : 0;
    b->loss = 0;
    memset(b->grad, 0, b->n * sizeof *b->grad);
    if (st != SG_OK || rows == 0) return st;
    set_biases(b, of, sg_gradient_theta(g) + b->n, rows);
    st = sg_gradient_run(g, iteration);
    if (st == SG_OK) memcpy(b->grad, sg_gradient_theta(g), b->n * sizeof *b->grad);
    return st;
}

sg_status sg_balance_penalty_run(sg_balance_penalty *b, sg_gradient *g, sg_model *m, uint32_t iteration)
{
    const sg_block *of = &m->block[0];
    size_t size = of->rules * rule_width(of) * sizeof *of->conseq;
    if (b->lambda == 0) return SG_OK;
    memcpy(b->saved_conseq, of->conseq, size);
    memset(of->conseq, 0, size);
    g->sum_outputs = true;
    sg_status st = run_two_passes(b, g, of, iteration);
    g->sum_outputs = false;
    memcpy(of->conseq, b->saved_conseq, size);
    return st;
}

double sg_balance_penalty_add(const sg_balance_penalty *b, double *grad)
{
    if (b->lambda == 0) return 0;
    for (size_t i = 0; i < b->n; i++) grad[i] += b->grad[i];
    return b->loss;
}
