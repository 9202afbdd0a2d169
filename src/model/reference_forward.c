/* reference_forward.c: Eqs. (2)-(6) of the paper for one row and block, in the log domain.
 *
 * The paper multiplies memberships, whose product underflows if a row is far from all centres. Here log memberships are
 * added, and firing levels are relative to the largest of the row, which avoids the 0/0 of Eq. (4). */
#include "base/memory.h"
#include "base/number/portable_math.h"
#include "model/reference_forward_backward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* If DropRule leaves less than this of a row's firing, all rules are used. */
static const double min_kept_firing = 1e-30;
/* This is finite so that differences between levels are finite. */
static const double min_log_firing = -1e300;

static double maximum(double a, double b) { return a > b ? a : b; }

bool sg_block_workspace_init(sg_block_workspace *w, const sg_block *b)
{
    const size_t outputs = b->rules * b->outputs, proj = b->rules * b->rank;
    *w = (sg_block_workspace){.memory =
                                  sg_calloc(b->rules + outputs + proj + 2 * (b->mfs + 1) + b->outputs, sizeof(double)),
                              .active = sg_calloc(b->rules, sizeof(size_t))};
    if (!w->memory || !w->active) {
        sg_block_workspace_release(w);
        return false;
    }
    w->firing = w->memory;
    w->rule_y = w->firing + b->rules;
    w->projection = w->rule_y + outputs;
    w->log_mu = w->projection + proj + 1;
    w->mf_grad = w->log_mu + b->mfs + 1;
    w->y = w->mf_grad + b->mfs;
    return true;
}

void sg_block_workspace_release(sg_block_workspace *w)
{
    free(w->memory);
    free(w->active);
    *w = (sg_block_workspace){0};
}

/* Computes Eq. (2), eq:mu: the log membership of the row in each MF. Dropped MFs and MFs of missing inputs get
 * membership 1. */
static void log_memberships(const sg_block *b, const double *a, const sg_dropout_mask *mask, double *log_mu)
{
    double p[SG_MF_MAX_PARAMETERS];
    for (size_t i = 0; i < b->mfs; i++) {
        double x = a[b->input_of[i]];
        bool left_out = isnan(x) || (mask && mask->mf && !mask->mf[i]);
        if (!left_out) sg_mf_get(b, i, p);
        log_mu[i] = left_out ? 0 : b->kind->log_value(x, p);
    }
}

/* Computes the low-rank terms of each rule, -1/2 sum_k (u_k . (a - c))^2, over the inputs that have a condition and are
 * not missing. */
static void add_low_rank_terms(const sg_block *b, const double *a, double *proj, double *sum)
{
    const double *u = b->low_rank, *centre = b->mf + (size_t)b->kind->centre * b->mfs;
    for (size_t r = 0; r < b->rules; r++) {
        const int32_t *mf_of = b->mf_of + r * b->inputs;
        sum[r] = 0;
        for (size_t k = 0; k < b->rank; k++, u += b->inputs) {
            double t = 0;
            for (size_t m = 0; m < b->inputs; m++)
                if (mf_of[m] >= 0 && !isnan(a[m])) t += u[m] * (a[m] - centre[mf_of[m]]);
            proj[r * b->rank + k] = t;
            sum[r] -= 0.5 * t * t;
        }
    }
}

/* Computes Eq. (3), eq:fr: the log firing levels of the rules. Returns the largest one. A missing condition has MF
 * index -1. Dropped memberships count as 1. */
static double log_firing(const sg_block *b, const double *a, const unsigned char *keep, sg_block_workspace *w)
{
    const int32_t *mf_of = b->mf_of;
    const size_t inputs = b->inputs;
    const double *log_mu = w->log_mu;
    double *f = w->firing, top = min_log_firing;
    if (b->rank) add_low_rank_terms(b, a, w->projection, f);
    else memset(f, 0, b->rules * sizeof *f);
    for (size_t r = 0; r < b->rules; r++, mf_of += inputs) {
        double sum = f[r];
        if (keep)
            for (size_t m = 0; m < inputs; m++) sum += log_mu[*keep++ ? mf_of[m] : -1];
        else
            for (size_t m = 0; m < inputs; m++) sum += log_mu[mf_of[m]];
        f[r] = maximum(b->firing_scale * sum, min_log_firing);
        top = maximum(f[r], top);
    }
    return top;
}

/* Uses four partial sums for instruction-level parallelism. */
static double sum_firing(const double *f, size_t n)
{
    double part[4] = {0};
    size_t r = 0;
    for (; r + 4 <= n; r += 4)
        for (size_t k = 0; k < 4; k++) part[k] += f[r + k];
    for (; r < n; r++) part[0] += f[r];
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* Sets the firing levels of dropped rules to 0, unless almost nothing remains: then the paper divides by zero, but the
 * authors' program uses all rules, and so does this one. Returns the sum. */
static double drop_rules(double *f, size_t n, const unsigned char *keep)
{
    double sum = 0;
    for (size_t r = 0; r < n; r++) sum += keep[r] ? f[r] : 0;
    if (sum < min_kept_firing) return sum_firing(f, n);
    for (size_t r = 0; r < n; r++) f[r] = keep[r] ? f[r] : 0;
    return sum;
}

/* Computes Eq. (5), eq:f: normalised firing levels from log levels, of which `top` is the largest. */
static void normalise_firing(double *f, size_t n, double top, const unsigned char *keep)
{
    for (size_t r = 0; r < n; r++) f[r] = sg_exp(f[r] - top);
    double scale = 1 / (keep ? drop_rules(f, n, keep) : sum_firing(f, n));
    for (size_t r = 0; r < n; r++) f[r] *= scale;
}

/* Lists the rules with a non-zero firing level. The loop is branch-free because the outcome is unpredictable. */
static void find_active(sg_block_workspace *w, size_t rules)
{
    w->active_count = 0;
    for (size_t r = 0; r < rules; r++) {
        w->active[w->active_count] = r;
        w->active_count += w->firing[r] != 0;
    }
}

/* Computes Eq. (1), eq:Rr, for each output: y_r = b_r0 + sum_m b_rm z_m. */
static inline void rule_outputs(const sg_block *b, size_t r, const double *z, size_t outputs, double *y)
{
    const double *c = b->conseq + r * (b->terms + 1) * outputs;
    for (size_t o = 0; o < outputs; o++) {
        double sum = c[o];
        for (size_t m = 0; m < b->terms; m++) sum += c[(m + 1) * outputs + o] * z[m];
        y[o] = sum;
    }
}

/* Computes Eq. (6), eq:yTSK2, which equals Eq. (4): the firing-weighted mean of the rule outputs. */
static inline void mean_output(const sg_block *b, const double *z, size_t outputs, sg_block_workspace *w)
{
    for (size_t i = 0; i < w->active_count; i++)
        rule_outputs(b, w->active[i], z, outputs, w->rule_y + w->active[i] * outputs);
    for (size_t o = 0; o < outputs; o++) {
        double sum = 0;
        for (size_t i = 0; i < w->active_count; i++)
            sum += w->firing[w->active[i]] * w->rule_y[w->active[i] * outputs + o];
        w->y[o] = sum;
    }
}

void sg_firing(const sg_block *b, const double *a, const sg_dropout_mask *mask, sg_block_workspace *w)
{
    log_memberships(b, a, mask, w->log_mu);
    double top = log_firing(b, a, mask ? mask->membership : NULL, w);
    normalise_firing(w->firing, b->rules, top, mask ? mask->rule : NULL);
}

double sg_max_log_firing(const sg_block *b, const double *a, sg_block_workspace *w)
{
    log_memberships(b, a, NULL, w->log_mu);
    return log_firing(b, a, NULL, w);
}

void sg_forward(const sg_block *b, const double *a, const double *z, const sg_dropout_mask *mask, sg_block_workspace *w)
{
    sg_firing(b, a, mask, w);
    find_active(w, b->rules);
    if (b->outputs == 1) mean_output(b, z, 1, w); /* a constant 1 simplifies loops */
    else mean_output(b, z, b->outputs, w);
}
