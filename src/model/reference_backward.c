/* reference_backward.c: gradients of one row and block, Eqs. (8)-(10) of the paper.
 *
 * With L the loss and f the firing levels, log f_r = h * (sum_m log mu_rm + low-rank terms) gives
 *     dL/d(log f_r) = f_r / (sum f) * sum_o dL/dy_o (y_ro - y_o),
 * which is the fraction in Eqs. (8) and (9) times f_k. Its sum over the rules that share an MF (the set Phi of the
 * paper) is the derivative with respect to that MF's log membership; multiplied by d(log mu)/d(parameter) it is the
 * gradient. */
#include "model/reference_forward_backward.h"

#include <math.h>
#include <string.h>

/* Adds Eq. (10), eq:dEdB, without regularisation: dL/db_rm = dL/dy * f_r / (sum f) * z_m. */
static inline void add_consequent_grad(const sg_block *b, const double *restrict z, const sg_block_workspace *w,
                                       const double *out_grad, size_t outputs, double *restrict grad)
{
    for (size_t i = 0; i < w->active_count; i++) {
        double *restrict g = grad + w->active[i] * (b->terms + 1) * outputs;
        for (size_t o = 0; o < outputs; o++) {
            double s = w->firing[w->active[i]] * out_grad[o];
            g[o] += s;
            for (size_t m = 0; m < b->terms; m++) g[(m + 1) * outputs + o] += s * z[m];
        }
    }
}

/* Returns dL/d(sum of log memberships of rule r). */
static inline double log_firing_grad(const sg_block *b, size_t r, const sg_block_workspace *w, const double *out_grad)
{
    double s = 0;
    for (size_t o = 0; o < b->outputs; o++) s += out_grad[o] * (w->rule_y[r * b->outputs + o] - w->y[o]);
    return b->firing_scale * w->firing[r] * s;
}

/* Sums log_firing_grad over the active rules of each MF. mf_grad[-1] is scratch for missing conditions. */
static void accumulate_mf_grad(const sg_block *b, const unsigned char *keep, const double *out_grad,
                               sg_block_workspace *w)
{
    const size_t inputs = b->inputs;
    double *mf_grad = w->mf_grad;
    memset(mf_grad, 0, b->mfs * sizeof *mf_grad);
    for (size_t i = 0; i < w->active_count; i++) {
        size_t r = w->active[i];
        double s = log_firing_grad(b, r, w, out_grad);
        const int32_t *mf_of = b->mf_of + r * inputs;
        if (keep)
            for (size_t m = 0; m < inputs; m++) mf_grad[keep[r * inputs + m] ? mf_of[m] : -1] += s;
        else
            for (size_t m = 0; m < inputs; m++) mf_grad[mf_of[m]] += s;
    }
}

/* Adds s times the derivatives of -1/2 t^2 with t = u_k . (a - c): -t (a - c) for u_k, and t u_k for c. */
static void add_low_rank_grad(const sg_block *b, size_t r, const double *a, const double *proj, double s,
                              double *grad_low_rank, double *grad_mf)
{
    const int32_t *mf_of = b->mf_of + r * b->inputs;
    const size_t row = (size_t)b->kind->centre * b->mfs;
    for (size_t k = 0; k < b->rank; k++) {
        size_t at = (r * b->rank + k) * b->inputs;
        double t = s * proj[r * b->rank + k];
        for (size_t m = 0; m < b->inputs; m++) {
            if (mf_of[m] < 0 || isnan(a[m])) continue;
            grad_low_rank[at + m] -= t * (a[m] - b->mf[row + (size_t)mf_of[m]]);
            grad_mf[row + (size_t)mf_of[m]] += t * b->low_rank[at + m];
        }
    }
}

/* Adds Eqs. (8) and (9), eq:dEodC and eq:dEodSigma, for any MF kind. Dropped and missing memberships add nothing. */
static void add_antecedent_grad(const sg_block *b, const double *a, const sg_dropout_mask *mask, const double *mf_grad,
                                double *grad)
{
    double p[SG_MF_MAX_PARAMETERS], d[SG_MF_MAX_PARAMETERS];
    for (size_t i = 0; i < b->mfs; i++) {
        double x = a[b->input_of[i]];
        if (mf_grad[i] == 0 || isnan(x) || (mask && mask->mf && !mask->mf[i])) continue;
        sg_mf_get(b, i, p);
        b->kind->gradient(x, p, d);
        for (size_t k = 0; k < b->kind->arity; k++) grad[k * b->mfs + i] += mf_grad[i] * d[k];
    }
}

void sg_backward(const sg_block *b, const double *a, const double *z, const sg_dropout_mask *mask,
                 sg_block_workspace *w, const double *out_grad, double *grad)
{
    double *grad_low_rank = grad + (b->low_rank - b->mf), *grad_conseq = grad + (b->conseq - b->mf);
    if (b->outputs == 1) add_consequent_grad(b, z, w, out_grad, 1, grad_conseq); /* a constant 1 simplifies loops */
    else add_consequent_grad(b, z, w, out_grad, b->outputs, grad_conseq);
    accumulate_mf_grad(b, mask ? mask->membership : NULL, out_grad, w);
    for (size_t i = 0; b->rank && i < w->active_count; i++)
        add_low_rank_grad(b, w->active[i], a, w->projection, log_firing_grad(b, w->active[i], w, out_grad),
                          grad_low_rank, grad);
    add_antecedent_grad(b, a, mask, w->mf_grad, grad);
}
