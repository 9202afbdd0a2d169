/* prune.c: see prune.h. */
#include "explain/simplify/prune.h"

#include "base/memory.h"
#include "base/number/portable_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t sg_block_conditions(const sg_block *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->rules * b->inputs; i++) n += b->mf_of[i] >= 0;
    return n;
}

static sg_status out_of_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for simpler rules"); }

/* --- a new block --- */

/* What becomes of a block. */
typedef struct prune_plan {
    const bool *keep; /* (rules)         */
    int32_t *mf_of;   /* (rules, inputs) */
    double *mf;       /* (arity, mfs)    */
    double *before;   /* the same, before training; NULL where nobody knows */
} prune_plan;

/* Numbers of the MFs that somebody asks for, -1 for the others; returns how many. */
static size_t renumber_mfs(const sg_block *b, const prune_plan *p, int32_t *number)
{
    int32_t n = 0;
    for (size_t i = 0; i < b->mfs; i++) number[i] = -1;
    for (size_t r = 0; r < b->rules; r++)
        for (size_t i = 0; p->keep[r] && i < b->inputs; i++)
            if (p->mf_of[r * b->inputs + i] >= 0) number[p->mf_of[r * b->inputs + i]] = 0;
    for (size_t i = 0; i < b->mfs; i++)
        if (number[i] == 0) number[i] = n++;
    return (size_t)n;
}

static void fill_block(const sg_block *b, const prune_plan *p, const int32_t *number, sg_block *to)
{
    size_t tilt = b->rank * b->inputs, width = (b->terms + 1) * b->outputs, n = 0;
    to->weight = b->weight;
    to->firing_scale = b->firing_scale;
    for (size_t i = 0; i < b->mfs; i++) {
        if (number[i] < 0) continue;
        to->input_of[number[i]] = b->input_of[i];
        for (size_t k = 0; k < b->kind->arity; k++) {
            to->mf[k * to->mfs + (size_t)number[i]] = p->mf[k * b->mfs + i];
            if (to->initial_mf && p->before)
                to->initial_mf[k * to->mfs + (size_t)number[i]] = p->before[k * b->mfs + i];
        }
    }
    for (size_t r = 0; r < b->rules; r++) {
        if (!p->keep[r]) continue;
        for (size_t i = 0; i < b->inputs; i++) {
            int32_t mf = p->mf_of[r * b->inputs + i];
            to->mf_of[n * b->inputs + i] = mf < 0 ? -1 : number[mf];
        }
        memcpy(to->low_rank + n * tilt, b->low_rank + r * tilt, tilt * sizeof *b->low_rank);
        memcpy(to->conseq + n * width, b->conseq + r * width, width * sizeof *b->conseq);
        n++;
    }
}

static sg_status build_pruned(const sg_model *m, const prune_plan *p, sg_model **out)
{
    const sg_block *b = &m->block[0];
    sg_model *c = NULL;
    int32_t *number = sg_calloc(b->mfs, sizeof *number);
    size_t rules = 0;
    for (size_t r = 0; r < b->rules; r++) rules += p->keep[r];
    sg_status st = number ? sg_model_copy_without_blocks(m, &c) : out_of_memory();
    if (st == SG_OK) st = sg_model_add_block(c, b->kind, renumber_mfs(b, p, number), rules, b->rank);
    if (st == SG_OK) st = sg_model_alloc_theta(c);
    if (st == SG_OK && p->before && !sg_block_save_initial_mfs(&c->block[0])) st = out_of_memory();
    if (st == SG_OK) fill_block(b, p, number, &c->block[0]);
    free(number);
    if (st == SG_OK) *out = c;
    else sg_model_free(c);
    return st;
}

static bool copy_plan(const sg_block *b, prune_plan *p)
{
    p->mf_of = sg_calloc(b->rules, b->inputs * sizeof *p->mf_of);
    p->mf = sg_calloc(b->mfs, b->kind->arity * sizeof *p->mf);
    if (b->initial_mf) p->before = sg_calloc(b->mfs, b->kind->arity * sizeof *p->before);
    if (!p->mf_of || !p->mf || (b->initial_mf && !p->before)) return false;
    if (b->initial_mf) memcpy(p->before, b->initial_mf, b->mfs * b->kind->arity * sizeof *p->before);
    memcpy(p->mf_of, b->mf_of, b->rules * b->inputs * sizeof *p->mf_of);
    memcpy(p->mf, b->mf, b->mfs * b->kind->arity * sizeof *p->mf);
    return true;
}

static void release_plan(prune_plan *p)
{
    free(p->mf_of);
    free(p->mf);
    free(p->before);
}

sg_status sg_prune_rules(const sg_model *m, const bool *keep, sg_model **out)
{
    const sg_block *b = &m->block[0];
    prune_plan p = {.keep = keep};
    size_t rules = 0;
    bool ok = copy_plan(b, &p);
    for (size_t r = 0; r < b->rules; r++) rules += keep[r];
    for (size_t i = 0; ok && rules == 1 && i < b->rules * b->inputs; i++) p.mf_of[i] = -1;
    sg_status st = ok ? build_pruned(m, &p, out) : out_of_memory();
    release_plan(&p);
    return st;
}

/* --- membership functions --- */

enum { GRID_POINTS = 33 };

static double membership(const sg_block *b, const double *mf, size_t i, double x)
{
    double p[SG_MF_MAX_PARAMETERS];
    for (size_t k = 0; k < b->kind->arity; k++) p[k] = mf[k * b->mfs + i];
    return sg_exp(b->firing_scale * b->kind->log_value(x, p));
}

static double grid_point(const sg_input_range *span, size_t input, size_t i)
{
    return span->low[input] + (span->high[input] - span->low[input]) * (double)i / (GRID_POINTS - 1);
}

static double jaccard_overlap(const sg_block *b, const double *mf, const sg_input_range *span, size_t i, size_t k)
{
    double both = 0, either = 0;
    for (size_t at = 0; at < GRID_POINTS; at++) {
        double x = grid_point(span, b->input_of[i], at), u = membership(b, mf, i, x), v = membership(b, mf, k, x);
        both += fmin(u, v);
        either += fmax(u, v);
    }
    return either > 0 ? both / either : 1;
}

/* Of those before MF i that somebody asks for the one that it is most like, or i itself. */
static size_t find_most_similar(const sg_block *b, const prune_plan *p, const sg_input_range *span, const size_t *count,
                                double alike, size_t i)
{
    size_t found = i;
    for (size_t k = 0; k < i; k++) {
        if (!count[k] || b->input_of[i] != b->input_of[k]) continue;
        double both = jaccard_overlap(b, p->mf, span, i, k);
        if (!(both >= alike)) continue;
        alike = both;
        found = k;
    }
    return found;
}

static void weighted_mean(double *x, size_t i, size_t k, double part, double other)
{
    x[i] = x[i] * part + x[k] * other;
}

/* Their mean, by how many rules ask for each; so with what they were before training. */
static void merge_mfs(const sg_block *b, prune_plan *p, size_t *count, size_t i, size_t k)
{
    size_t all = count[i] + count[k];
    for (size_t j = 0; j < b->kind->arity; j++) {
        weighted_mean(&p->mf[j * b->mfs], i, k, (double)count[i] / (double)all, (double)count[k] / (double)all);
        if (p->before)
            weighted_mean(&p->before[j * b->mfs], i, k, (double)count[i] / (double)all, (double)count[k] / (double)all);
    }
    for (size_t j = 0; j < b->rules * b->inputs; j++)
        if (p->mf_of[j] == (int32_t)k) p->mf_of[j] = (int32_t)i;
    count[i] = all;
    count[k] = 0;
}

static bool is_always_true(const sg_block *b, const prune_plan *p, const sg_input_range *span, size_t i, double least)
{
    size_t input = b->input_of[i];
    return fmin(membership(b, p->mf, i, span->low[input]), membership(b, p->mf, i, span->high[input])) >= least;
}

/* Each becomes one with that before it which it is most like. Whether there were any: what became one may be like
 * another then. */
static bool merge_similar(const sg_block *b, prune_plan *p, const sg_input_range *span, double alike, size_t *count)
{
    bool any = false;
    for (size_t i = 0; i < b->mfs; i++) {
        size_t like = count[i] ? find_most_similar(b, p, span, count, alike, i) : i;
        if (like == i) continue;
        merge_mfs(b, p, count, like, i);
        any = true;
    }
    return any;
}

static void prune_block(const sg_block *b, prune_plan *p, const sg_input_range *span, double alike, double least,
                        size_t *count)
{
    for (size_t i = 0; i < b->rules * b->inputs; i++) {
        int32_t mf = p->mf_of[i];
        if (mf >= 0 && is_always_true(b, p, span, (size_t)mf, least)) p->mf_of[i] = -1;
        if (p->mf_of[i] >= 0) count[p->mf_of[i]]++;
    }
    while (merge_similar(b, p, span, alike, count)) {}
}

sg_status sg_prune_mfs(const sg_model *m, const sg_input_range *span, double alike, double least, sg_model **out)
{
    const sg_block *b = &m->block[0];
    prune_plan p = {0};
    size_t *count = sg_calloc(b->mfs, sizeof *count);
    bool *keep = sg_calloc(b->rules, sizeof *keep), ok = count && keep && copy_plan(b, &p);
    p.keep = keep;
    for (size_t r = 0; ok && r < b->rules; r++) keep[r] = true;
    if (ok && !b->rank) prune_block(b, &p, span, alike, least, count);
    sg_status st = ok ? build_pruned(m, &p, out) : out_of_memory();
    free(count);
    free(keep);
    release_plan(&p);
    return st;
}
