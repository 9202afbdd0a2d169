/* path_attribution.c: integrates along the path from the training means to a row.
 *
 * With the time t from 0 to 1, the log firing levels s_r are linear in t, and so are the consequents c_r. For the
 * output y(t) = sum_r f_r(t) c_r(t), with f = softmax(s),
 *     dy/dt = sum_r f_r (c_r - y) ds_r/dt + sum_r f_r dc_r/dt.
 * ds_r/dt and dc_r/dt do not depend on t and are sums over features. Thus the integrals of f_r (c_r - y) and of f_r
 * suffice for all features. They are computed by Gauss-Legendre quadrature. An interval is halved until the integrals
 * reproduce the known change of y over it. */
#include "explain/row/path_attribution.h"

#include "base/memory.h"
#include "base/number/portable_math.h"
#include "prep/transform_pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 6, MAX_DEPTH = 48, MAX_INTERVALS = 2048 };
static const double tolerance = 1e-9; /* error of an interval, relative to the size of the outputs */

/* --- set-up --- */

static bool init_block(sg_block_path *p, const sg_block *b)
{
    const size_t cells = b->rules * b->outputs, proj = b->rules * b->rank;
    const sg_double_array arrays[] = {
        {&p->log_mu[0], b->mfs},     {&p->log_mu[1], b->mfs},  {&p->projection[0], proj}, {&p->projection[1], proj},
        {&p->level[0], b->rules},    {&p->level[1], b->rules}, {&p->output[0], cells},    {&p->output[1], cells},
        {&p->mean_firing, b->rules}, {&p->pull, cells},        {&p->firing, b->rules},    {&p->piece, cells + b->rules},
        {&p->end, 4 * b->outputs}};
    return (p->buffer = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays)) != NULL;
}

sg_status sg_path_init(sg_path *p, const sg_model *m, const sg_contributions *z)
{
    size_t terms = sg_model_terms(m), widest = terms > m->a.out ? terms : m->a.out;
    *p = (sg_path){.model = m, .z = z, .block = sg_calloc(m->blocks, sizeof *p->block)};
    const sg_double_array arrays[] = {{&p->a[0], m->a.out},      {&p->a[1], m->a.out}, {&p->z_seen[0], terms},
                                      {&p->z_seen[1], terms},    {&p->column, widest}, {&p->weight, terms},
                                      {&p->feature, m->features}};
    p->buffer = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays);
    bool ok = p->block && p->buffer;
    for (size_t b = 0; ok && b < m->blocks; b++) ok = init_block(&p->block[b], &m->block[b]);
    sg_status st = ok ? SG_OK : sg_fail_out_of_memory("an explanation");
    if (st == SG_OK && !m->shared_pipeline) st = sg_contributions_init(&p->own, &m->a, m->feature_mean);
    if (st != SG_OK) sg_path_release(p);
    return st;
}

void sg_path_release(sg_path *p)
{
    for (size_t b = 0; p->block && b < p->model->blocks; b++) free(p->block[b].buffer);
    sg_contributions_release(&p->own);
    free(p->block);
    free(p->buffer);
    *p = (sg_path){0};
}

/* --- ends --- */

static double log_level(const sg_block *b, size_t r, const double *log_mu, const double *projection)
{
    double sum = 0;
    for (size_t i = 0; i < b->inputs; i++)
        if (b->mf_of[r * b->inputs + i] >= 0) sum += log_mu[b->mf_of[r * b->inputs + i]];
    for (size_t k = 0; k < b->rank; k++) sum -= 0.5 * projection[r * b->rank + k] * projection[r * b->rank + k];
    return b->firing_scale * sum;
}

static void set_block_end(sg_block_path *p, int end, const sg_block *b, const sg_block_workspace *w, const double *z)
{
    memcpy(p->log_mu[end], w->log_mu, b->mfs * sizeof *w->log_mu);
    memcpy(p->projection[end], w->projection, b->rules * b->rank * sizeof *w->projection);
    for (size_t r = 0; r < b->rules; r++) {
        const double *c = b->conseq + r * (b->terms + 1) * b->outputs;
        p->level[end][r] = log_level(b, r, w->log_mu, w->projection);
        for (size_t o = 0; o < b->outputs; o++) {
            double sum = c[o];
            for (size_t t = 0; t < b->terms; t++) sum += c[(t + 1) * b->outputs + o] * z[t];
            p->output[end][r * b->outputs + o] = sum;
        }
    }
}

void sg_path_set_end(sg_path *p, int end, const double *x, const double *a, const double *z_seen, const double *z,
                     const sg_block_workspace *work)
{
    const sg_model *m = p->model;
    memcpy(p->a[end], a, m->a.out * sizeof *a);
    memcpy(p->z_seen[end], z_seen, sg_model_terms(m) * sizeof *z_seen);
    if (end && !m->shared_pipeline) sg_contributions_set_row(&p->own, x);
    for (size_t b = 0; b < m->blocks; b++) set_block_end(&p->block[b], end, &m->block[b], &work[b], z);
}

/* --- quadrature --- */

/* Sets p->firing to the normalised firing levels at time t, and y to the outputs. */
static void eval_at(const sg_block_path *p, const sg_block *b, double t, double *y)
{
    double top = -INFINITY, sum = 0;
    for (size_t r = 0; r < b->rules; r++) {
        p->firing[r] = (1 - t) * p->level[0][r] + t * p->level[1][r];
        top = fmax(top, p->firing[r]);
    }
    for (size_t r = 0; r < b->rules; r++) sum += p->firing[r] = sg_exp(p->firing[r] - top);
    memset(y, 0, b->outputs * sizeof *y);
    for (size_t r = 0; r < b->rules; r++) {
        p->firing[r] /= sum;
        for (size_t o = 0; p->firing[r] != 0 && o < b->outputs; o++) {
            size_t i = r * b->outputs + o;
            y[o] += p->firing[r] * ((1 - t) * p->output[0][i] + t * p->output[1][i]);
        }
    }
}

/* Computes the integrals over an interval: p->piece has the outputs' pulls, then the firing level, for each rule. */
static void integrate_interval(const sg_block_path *p, const sg_block *b, double from, double to)
{
    static const double node[NODES] = {-0.932469514203152, -0.661209386466265, -0.238619186083197,
                                       0.238619186083197,  0.661209386466265,  0.932469514203152},
                        weight[NODES] = {0.171324492379170, 0.360761573048139, 0.467913934572691,
                                         0.467913934572691, 0.360761573048139, 0.171324492379170};
    const size_t outputs = b->outputs;
    double *y = p->end + 3 * outputs;
    memset(p->piece, 0, b->rules * (outputs + 1) * sizeof *p->piece);
    for (size_t n = 0; n < NODES; n++) {
        double t = (from + to) / 2 + node[n] * (to - from) / 2, w = weight[n] * (to - from) / 2;
        eval_at(p, b, t, y);
        for (size_t r = 0; r < b->rules; r++) {
            double *piece = p->piece + r * (outputs + 1), f = w * p->firing[r];
            if (f == 0) continue;
            piece[outputs] += f;
            for (size_t o = 0; o < outputs; o++) {
                size_t i = r * outputs + o;
                piece[o] += f * ((1 - t) * p->output[0][i] + t * p->output[1][i] - y[o]);
            }
        }
    }
}

/* Returns whether the integrals of an interval reproduce the change of all outputs over it, which is to - from. */
static bool is_accurate(const sg_block_path *p, const sg_block *b, const double *from, const double *to)
{
    for (size_t o = 0; o < b->outputs; o++) {
        double sum = 0, size = fabs(from[o]) + fabs(to[o]);
        for (size_t r = 0; r < b->rules; r++) {
            const double *piece = p->piece + r * (b->outputs + 1);
            double level = p->level[1][r] - p->level[0][r],
                   output = p->output[1][r * b->outputs + o] - p->output[0][r * b->outputs + o];
            if (piece[b->outputs] == 0) continue;
            sum += piece[o] * level + piece[b->outputs] * output;
            size += fabs(piece[b->outputs] * output);
        }
        if (!(fabs(to[o] - from[o] - sum) <= tolerance * size)) return false;
    }
    return true;
}

static void add_piece(const sg_block_path *p, const sg_block *b)
{
    for (size_t r = 0; r < b->rules; r++) {
        const double *piece = p->piece + r * (b->outputs + 1);
        p->mean_firing[r] += piece[b->outputs];
        for (size_t o = 0; o < b->outputs; o++) p->pull[r * b->outputs + o] += piece[o];
    }
}

/* Visits the intervals from left to right. An interval of depth d has length 2^-d, so its position is exact. */
static void integrate_block(const sg_block_path *p, const sg_block *b)
{
    const size_t outputs = b->outputs;
    double from = 0, *at_from = p->end, *at_to = p->end + outputs;
    int depth = 0, intervals = 0;
    memset(p->mean_firing, 0, b->rules * sizeof *p->mean_firing);
    memset(p->pull, 0, b->rules * outputs * sizeof *p->pull);
    eval_at(p, b, 0, at_from);
    while (from < 1) {
        double to = from + ldexp(1, -depth);
        eval_at(p, b, to, at_to);
        integrate_interval(p, b, from, to);
        if (++intervals < MAX_INTERVALS && depth < MAX_DEPTH && !is_accurate(p, b, at_from, at_to)) {
            depth++;
            continue;
        }
        add_piece(p, b);
        memcpy(at_from, at_to, outputs * sizeof *at_from);
        from = to;
        while (depth > 0 && fmod(from, ldexp(1, 1 - depth)) == 0) depth--;
    }
}

void sg_path_integrate(sg_path *p)
{
    for (size_t b = 0; b < p->model->blocks; b++) integrate_block(&p->block[b], &p->model->block[b]);
}

/* --- attribution --- */

/* Returns the mean change of the log membership per unit of the input between `from` and `to`. The total is
 * `change`. */
static double mean_derivative(const sg_block *b, size_t mf, double from, double to, double change)
{
    double p[SG_MF_MAX_PARAMETERS], d[SG_MF_MAX_PARAMETERS], sum = 0;
    if (fabs(to - from) > 1e-7 * (1 + fabs(from) + fabs(to))) return change / (to - from);
    sg_mf_get(b, mf, p);
    b->kind->gradient(to, p, d);
    for (size_t k = 0; k < b->kind->arity; k++) /* moving the input acts like moving all locations the other way */
        if (b->kind->parameter_role[k] == 'l') sum -= d[k];
    return sum;
}

/* One block and output, and what the block's conditions see. */
typedef struct attribution {
    const sg_block *b;
    const sg_block_path *path;
    const double *const *seen; /* at both ends                                                    */
    bool mixes;                /* conditions see components: column is a slope, else a contribution */
    size_t o;
    double factor;
    double *column; /* (inputs of the block): the result */
} attribution;

static void add_memberships(const attribution *d)
{
    const sg_block *b = d->b;
    for (size_t r = 0; r < b->rules; r++) {
        double pull = d->factor * d->path->pull[r * b->outputs + d->o];
        for (size_t i = 0; pull != 0 && i < b->inputs; i++) {
            int32_t mf = b->mf_of[r * b->inputs + i];
            if (mf < 0) continue;
            double change = d->path->log_mu[1][mf] - d->path->log_mu[0][mf];
            d->column[i] +=
                pull * (d->mixes ? mean_derivative(b, (size_t)mf, d->seen[0][i], d->seen[1][i], change) : change);
        }
    }
}

/* The change of -q^2 / 2 is minus the mean of q times the change of q, which is a sum over inputs. */
static void add_low_rank(const attribution *d)
{
    const sg_block *b = d->b;
    const double *centre = b->mf + (size_t)(b->kind->centre < 0 ? 0 : b->kind->centre) * b->mfs;
    for (size_t k = 0; k < b->rules * b->rank; k++) {
        size_t r = k / b->rank;
        double mean = (d->path->projection[0][k] + d->path->projection[1][k]) / 2,
               pull = -d->factor * d->path->pull[r * b->outputs + d->o] * mean;
        for (size_t i = 0; pull != 0 && i < b->inputs; i++) {
            int32_t mf = b->mf_of[r * b->inputs + i];
            if (mf < 0) continue;
            double to = isnan(d->seen[1][i]) ? centre[mf] : d->seen[1][i]; /* a missing input is left out */
            d->column[i] += pull * b->low_rank[k * b->inputs + i] * (d->mixes ? 1 : to - d->seen[0][i]);
        }
    }
}

static void add_conditions(sg_path *p, size_t block, size_t o, double *out)
{
    const sg_model *m = p->model;
    const sg_block *b = &m->block[block];
    const bool sees_z = b->sees_z || m->shared_pipeline;
    const attribution d = {.b = b,
                           .path = &p->block[block],
                           .seen = (const double *const *)(b->sees_z ? p->z_seen : p->a),
                           .mixes = !sg_pipeline_is_elementwise(sg_block_pipeline(m, b)),
                           .o = o,
                           .factor = m->scale[o] * b->weight * b->firing_scale,
                           .column = p->column};
    memset(p->column, 0, b->inputs * sizeof *p->column);
    add_memberships(&d);
    if (b->rank) add_low_rank(&d);
    if (d.mixes) sg_contributions_sum(sees_z ? p->z : &p->own, p->column, p->feature);
    for (size_t k = 0; k < m->features; k++) out[k] += d.mixes ? p->feature[k] : p->column[k];
}

void sg_path_attribute(sg_path *p, size_t o, double *out)
{
    const sg_model *m = p->model;
    memset(p->weight, 0, sg_model_terms(m) * sizeof *p->weight);
    for (size_t i = 0; i < m->blocks; i++) {
        const sg_block *b = &m->block[i];
        for (size_t r = 0; r < b->rules; r++) {
            double f = m->scale[o] * b->weight * p->block[i].mean_firing[r];
            const double *c = b->conseq + r * (b->terms + 1) * b->outputs + o;
            for (size_t t = 0; f != 0 && t < b->terms; t++) p->weight[t] += f * c[(t + 1) * b->outputs];
        }
    }
    sg_contributions_sum(p->z, p->weight, out);
    for (size_t b = 0; b < m->blocks; b++)
        if (m->block[b].rules > 1) add_conditions(p, b, o, out);
}
