/* prune_and_merge.c: builds a copy of a block without the pruned rules, conditions and membership functions. */
#include "explain/simplify/prune_and_merge.h"

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

/* --- the pruned block --- */

/* The parts of a block after pruning. */
typedef struct prune_plan {
    const bool *keep;   /* (rules)                     */
    int32_t *mf_of;     /* (rules, inputs)             */
    double *mf;         /* (arity, mfs)                */
    double *initial_mf; /* (arity, mfs); NULL: unknown */
} prune_plan;

/* Numbers the MFs that the kept rules use; the others get -1. Returns the number of MFs in use. */
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

static void copy_pruned_block(const sg_block *b, const prune_plan *p, const int32_t *number, sg_block *to)
{
    size_t low_rank = b->rank * b->inputs, width = (b->terms + 1) * b->outputs, n = 0;
    to->weight = b->weight;
    to->firing_scale = b->firing_scale;
    for (size_t i = 0; i < b->mfs; i++) {
        if (number[i] < 0) continue;
        to->input_of[number[i]] = b->input_of[i];
        for (size_t k = 0; k < b->kind->arity; k++) {
            to->mf[k * to->mfs + (size_t)number[i]] = p->mf[k * b->mfs + i];
            if (to->initial_mf && p->initial_mf)
                to->initial_mf[k * to->mfs + (size_t)number[i]] = p->initial_mf[k * b->mfs + i];
        }
    }
    for (size_t r = 0; r < b->rules; r++) {
        if (!p->keep[r]) continue;
        for (size_t i = 0; i < b->inputs; i++) {
            int32_t mf = p->mf_of[r * b->inputs + i];
            to->mf_of[n * b->inputs + i] = mf < 0 ? -1 : number[mf];
        }
        memcpy(to->low_rank + n * low_rank, b->low_rank + r * low_rank, low_rank * sizeof *b->low_rank);
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
    sg_status st = number ? sg_model_copy_without_blocks(m, &c) : sg_fail_out_of_memory("simplified rules");
    if (st == SG_OK) st = sg_model_add_block(c, b->kind, renumber_mfs(b, p, number), rules, b->rank);
    if (st == SG_OK) st = sg_model_alloc_theta(c);
    if (st == SG_OK && p->initial_mf && !sg_block_save_initial_mfs(&c->block[0]))
        st = sg_fail_out_of_memory("simplified rules");
    if (st == SG_OK) copy_pruned_block(b, p, number, &c->block[0]);
    free(number);
    if (st == SG_OK) *out = c;
    else sg_model_free(c);
    return st;
}

static bool copy_plan(const sg_block *b, prune_plan *p)
{
    const size_t index_size = b->rules * b->inputs * sizeof *p->mf_of,
                 mf_size = b->mfs * b->kind->arity * sizeof *p->mf;
    p->mf_of = sg_calloc(index_size, 1);
    p->mf = sg_calloc(mf_size, 1);
    if (b->initial_mf) p->initial_mf = sg_calloc(mf_size, 1);
    if (!p->mf_of || !p->mf || (b->initial_mf && !p->initial_mf)) return false;
    memcpy(p->mf_of, b->mf_of, index_size);
    memcpy(p->mf, b->mf, mf_size);
    if (b->initial_mf) memcpy(p->initial_mf, b->initial_mf, mf_size);
    return true;
}

static void release_plan(prune_plan *p) { sg_free_all(p->mf_of, p->mf, p->initial_mf); }

sg_status sg_prune_conditions(const sg_model *m, const bool *keep_condition, const bool *keep, sg_model **out)
{
    const sg_block *b = &m->block[0];
    prune_plan p = {.keep = keep};
    size_t rules = 0;
    bool ok = copy_plan(b, &p);
    for (size_t r = 0; r < b->rules; r++) rules += keep[r];
    for (size_t i = 0; ok && i < b->rules * b->inputs; i++)
        if (rules == 1 || (keep_condition && !keep_condition[i])) p.mf_of[i] = -1;
    sg_status st = ok ? build_pruned(m, &p, out) : sg_fail_out_of_memory("simplified rules");
    release_plan(&p);
    return st;
}

sg_status sg_prune_rules(const sg_model *m, const bool *keep, sg_model **out)
{
    return sg_prune_conditions(m, NULL, keep, out);
}

/* --- membership functions --- */

enum { GRID_POINTS = 33 };

static double membership(const sg_block *b, const double *mf, size_t i, double x)
{
    double p[SG_MF_MAX_PARAMETERS];
    for (size_t k = 0; k < b->kind->arity; k++) p[k] = mf[k * b->mfs + i];
    return sg_exp(b->firing_scale * b->kind->log_value(x, p));
}

static double grid_point(const sg_input_range *range, size_t input, size_t i)
{
    return range->low[input] + (range->high[input] - range->low[input]) * (double)i / (GRID_POINTS - 1);
}

static double jaccard_overlap(const sg_block *b, const double *mf, const sg_input_range *range, size_t i, size_t k)
{
    double both = 0, either = 0;
    for (size_t at = 0; at < GRID_POINTS; at++) {
        double x = grid_point(range, b->input_of[i], at), u = membership(b, mf, i, x), v = membership(b, mf, k, x);
        both += fmin(u, v);
        either += fmax(u, v);
    }
    return either > 0 ? both / either : 1;
}

/* Returns the MF before i, still in use, that overlaps it most and by at least min_overlap, or i if there is none. */
static size_t find_most_similar(const sg_block *b, const prune_plan *p, const sg_input_range *range,
                                const size_t *count, double min_overlap, size_t i)
{
    size_t found = i;
    for (size_t k = 0; k < i; k++) {
        if (!count[k] || b->input_of[i] != b->input_of[k]) continue;
        double overlap = jaccard_overlap(b, p->mf, range, i, k);
        if (!(overlap >= min_overlap)) continue;
        min_overlap = overlap;
        found = k;
    }
    return found;
}

static void merge_parameters(const sg_block *b, double *mf, size_t i, size_t k, double part, double other)
{
    for (size_t j = 0; mf && j < b->kind->arity; j++)
        mf[j * b->mfs + i] = mf[j * b->mfs + i] * part + mf[j * b->mfs + k] * other;
}

/* Merges MF k into MF i, which becomes their mean, weighted by the number of rules that use each. */
static void merge_mfs(const sg_block *b, prune_plan *p, size_t *count, size_t i, size_t k)
{
    size_t all = count[i] + count[k];
    double part = (double)count[i] / (double)all, other = (double)count[k] / (double)all;
    merge_parameters(b, p->mf, i, k, part, other);
    merge_parameters(b, p->initial_mf, i, k, part, other);
    for (size_t j = 0; j < b->rules * b->inputs; j++)
        if (p->mf_of[j] == (int32_t)k) p->mf_of[j] = (int32_t)i;
    count[i] = all;
    count[k] = 0;
}

static bool is_always_true(const sg_block *b, const prune_plan *p, const sg_input_range *range, size_t i,
                           double min_membership)
{
    size_t input = b->input_of[i];
    return fmin(membership(b, p->mf, i, range->low[input]), membership(b, p->mf, i, range->high[input])) >=
           min_membership;
}

/* Merges each MF with the most similar one before it. Returns whether any were merged; if so, another pass may merge
 * more. */
static bool merge_similar(const sg_block *b, prune_plan *p, const sg_input_range *range, double min_overlap,
                          size_t *count)
{
    bool any = false;
    for (size_t i = 0; i < b->mfs; i++) {
        size_t similar = count[i] ? find_most_similar(b, p, range, count, min_overlap, i) : i;
        if (similar == i) continue;
        merge_mfs(b, p, count, similar, i);
        any = true;
    }
    return any;
}

static void prune_block(const sg_block *b, prune_plan *p, const sg_input_range *range, double min_overlap,
                        double min_membership, size_t *count)
{
    for (size_t i = 0; i < b->rules * b->inputs; i++) {
        int32_t mf = p->mf_of[i];
        if (mf >= 0 && is_always_true(b, p, range, (size_t)mf, min_membership)) p->mf_of[i] = -1;
        if (p->mf_of[i] >= 0) count[p->mf_of[i]]++;
    }
    while (merge_similar(b, p, range, min_overlap, count)) {}
}

sg_status sg_prune_mfs(const sg_model *m, const sg_input_range *range, double min_overlap, double min_membership,
                       sg_model **out)
{
    const sg_block *b = &m->block[0];
    prune_plan p = {0};
    size_t *count = sg_calloc(b->mfs, sizeof *count);
    bool *keep = sg_calloc(b->rules, sizeof *keep), ok = count && keep && copy_plan(b, &p);
    p.keep = keep;
    for (size_t r = 0; ok && r < b->rules; r++) keep[r] = true;
    if (ok && !b->rank) prune_block(b, &p, range, min_overlap, min_membership, count);
    sg_status st = ok ? build_pruned(m, &p, out) : sg_fail_out_of_memory("simplified rules");
    free(count);
    free(keep);
    release_plan(&p);
    return st;
}
