/* forward.c: Eqs. (2)-(6) of the paper, for one row of one block, in the log domain.
 *
 * The paper multiplies memberships, which underflows where a row is far from all centres. Here
 * log memberships are added and the levels taken relative to the row's largest over all rules:
 * the same Eq. (4), without its 0/0. */
#include "base/elementary.h"
#include "base/memory.h"
#include "model/inference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Below this, what DropRule left of a row's firing says nothing: all rules are used. */
static const double least_kept = 1e-30;
/* Finite however far off a row is, so that differences of levels are, too. */
static const double lowest = -1e300;

bool sg_work_of_block(sg_work *w, const sg_block *b)
{
    *w = (sg_work){.log_mu = sg_alloc(b->mfs, sizeof(double)),
                   .firing = sg_alloc(b->rules, sizeof(double)),
                   .rule_y = sg_alloc(b->rules, b->outputs * sizeof(double)),
                   .y = sg_alloc(b->outputs, sizeof(double)),
                   .pull = sg_alloc(b->mfs, sizeof(double)),
                   .along = sg_alloc(b->rules, b->rank * sizeof(double))};
    if (w->log_mu && w->firing && w->rule_y && w->y && w->pull && w->along) return true;
    sg_work_release(w);
    return false;
}

void sg_work_release(sg_work *w)
{
    free(w->log_mu);
    free(w->firing);
    free(w->rule_y);
    free(w->y);
    free(w->pull);
    free(w->along);
    *w = (sg_work){0};
}

/* Eq. (2), eq:mu: the log membership of the row in every MF. A dropped MF has membership 1. */
static void memberships(const sg_block *b, const double *a, const sg_mask *mask, double *log_mu)
{
    double p[SG_MF_PARAMETERS];
    for (size_t i = 0; i < b->mfs; i++) {
        bool dropped = mask && mask->mf && !mask->mf[i];
        if (!dropped) sg_mf_get(b, i, p);
        log_mu[i] = dropped ? 0 : b->kind->log_value(a[b->input_of[i]], p);
    }
}

/* The low-rank terms of rule r: -1/2 sum_k (u_k . (a - c))^2, over the inputs it asks for. */
static double low_rank(const sg_block *b, size_t r, const double *a, double *along)
{
    const int32_t *mf_of = b->mf_of + r * b->inputs;
    const double *centre = b->mf + (size_t)b->kind->centre * b->mfs;
    double sum = 0;
    for (size_t k = 0; k < b->rank; k++) {
        const double *u = b->tilt + (r * b->rank + k) * b->inputs;
        double t = 0;
        for (size_t m = 0; m < b->inputs; m++)
            if (mf_of[m] >= 0) t += u[m] * (a[m] - centre[mf_of[m]]);
        along[r * b->rank + k] = t;
        sum -= 0.5 * t * t;
    }
    return sum;
}

/* Eq. (3), eq:fr: the log firing level of rule r. A dropped membership counts as 1. */
static double log_firing(const sg_block *b, size_t r, const double *a, const sg_mask *mask,
                         sg_work *w)
{
    const int32_t *mf_of = b->mf_of + r * b->inputs;
    const unsigned char *keep =
        mask && mask->membership ? mask->membership + r * b->inputs : NULL;
    double sum = b->rank ? low_rank(b, r, a, w->along) : 0;
    for (size_t m = 0; m < b->inputs; m++)
        if (mf_of[m] >= 0 && (!keep || keep[m])) sum += w->log_mu[mf_of[m]];
    return fmax(b->h * sum, lowest);
}

static double sum_kept(const double *f, size_t n, const unsigned char *keep)
{
    double sum = 0;
    for (size_t r = 0; r < n; r++)
        if (!keep || keep[r]) sum += f[r];
    return sum;
}

/* Eq. (5), eq:f: normalised firing levels of the kept rules. Where nothing of a row is kept, the
 * paper divides by zero; the authors' program then uses all rules, and so do we. */
static void normalise(double *f, size_t n, const unsigned char *keep)
{
    double top = f[0];
    for (size_t r = 1; r < n; r++) top = fmax(top, f[r]);
    for (size_t r = 0; r < n; r++) f[r] = sg_exp(f[r] - top);
    double sum = sum_kept(f, n, keep);
    if (sum < least_kept) {
        keep = NULL;
        sum = sum_kept(f, n, NULL);
    }
    for (size_t r = 0; r < n; r++) f[r] = !keep || keep[r] ? f[r] / sum : 0;
}

/* Eq. (1), eq:Rr: y_r = b_r0 + sum_m b_rm z_m, for each output. */
static void rule_outputs(const sg_block *b, size_t r, const double *z, double *y)
{
    const double *c = b->conseq + r * (b->terms + 1) * b->outputs;
    for (size_t o = 0; o < b->outputs; o++) {
        double sum = c[o];
        for (size_t m = 0; m < b->terms; m++) sum += c[(m + 1) * b->outputs + o] * z[m];
        y[o] = sum;
    }
}

void sg_forward(const sg_block *b, const double *a, const double *z, const sg_mask *mask,
                sg_work *w)
{
    memberships(b, a, mask, w->log_mu);
    for (size_t r = 0; r < b->rules; r++) w->firing[r] = log_firing(b, r, a, mask, w);
    normalise(w->firing, b->rules, mask ? mask->rule : NULL);
    /* Eq. (6), eq:yTSK2, the same as Eq. (4): the firing-weighted mean of the rules' outputs. */
    memset(w->y, 0, b->outputs * sizeof *w->y);
    for (size_t r = 0; r < b->rules; r++) {
        if (w->firing[r] == 0) continue;
        double *y = w->rule_y + r * b->outputs;
        rule_outputs(b, r, z, y);
        for (size_t o = 0; o < b->outputs; o++) w->y[o] += w->firing[r] * y[o];
    }
}
