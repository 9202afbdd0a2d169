/* ensemble_to_model.c: converts an ensemble to one model, with a block for each rule base and for each tree, and with
 * the curves and pairs of one member.
 *
 * Members may differ in two ways: the conditions of some see quantile-transformed inputs, and some have effects, which
 * are additional features at the end. The model therefore has the features of its widest member. If a member uses
 * quantiles, its features become the view a, and the conditions of the other members see the view z. */
#include "auto/ensemble/ensemble.h"
#include "auto/trees/soft_leaf.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- preprocessing --- */

static const sg_model *member_base_model(const sg_ensemble_member *k)
{
    return k->model ? k->model : k->tree_ensemble->base_model;
}

/* Copies a pipeline and adds features at the end, which the copy leaves unchanged. */
static bool widen_pipeline(const sg_pipeline *v, size_t width, sg_pipeline *out)
{
    *out = (sg_pipeline){.in = width, .out = width};
    for (size_t i = 0; i < v->steps; i++) {
        const sg_transform *from = &v->step[i];
        sg_transform *to = sg_pipeline_append(out, from->kind, width);
        if (!to) {
            sg_pipeline_release(out);
            return false;
        }
        for (int k = 0; k < 2; k++) {
            size_t there = from->kind->count(from, k), each = from->kind->values_per_feature;
            memcpy(to->parameter[k], from->parameter[k], there * sizeof(double));
            for (size_t j = there; j < to->kind->count(to, k); j++) to->parameter[k][j] = each > 1 ? j % each > 0 : k;
        }
    }
    return true;
}

static sg_status new_model_without_blocks(const sg_ensemble *e, sg_model **out)
{
    const sg_model *widest = NULL, *quantile = NULL;
    sg_model *m;
    for (size_t i = 0; i < e->members; i++) {
        const sg_model *b = member_base_model(&e->member[i]);
        if (!widest || b->features > widest->features || (widest->additive && !b->additive)) widest = b;
        if (!quantile && !b->shared_pipeline) quantile = b;
    }
    if (!widest) return sg_fail(SG_EINVAL, "the ensemble has no members");
    sg_status st = sg_model_copy_without_blocks(widest, &m);
    if (st != SG_OK) return st;
    memset(m->y0, 0, m->outputs * sizeof *m->y0);
    if (quantile && m->shared_pipeline) {
        sg_pipeline_release(&m->z);
        m->z = m->a;
        m->shared_pipeline = false;
        if (!widen_pipeline(&quantile->a, m->features, &m->a)) {
            sg_model_free(m);
            return sg_fail_out_of_memory("an ensemble");
        }
    }
    *out = m;
    return SG_OK;
}

/* --- rule bases --- */

static sg_status add_blocks(const sg_model *from, sg_model *m)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < from->blocks; i++) {
        const sg_block *b = &from->block[i];
        st = sg_model_add_block(m, b->kind, b->mfs, b->rules, b->rank);
    }
    return st;
}

/* Copies rows to the first columns of wider rows. */
static void copy_rows(const double *from, size_t rows, size_t width, double *to, size_t wider)
{
    for (size_t i = 0; i < rows; i++) memcpy(to + i * wider, from + i * width, width * sizeof *to);
}

static void copy_member_block(const sg_block *from, bool sees_z, double weight, sg_block *to)
{
    to->weight = weight * from->weight;
    to->firing_scale = from->firing_scale;
    to->sees_z = sees_z;
    memcpy(to->input_of, from->input_of, from->mfs * sizeof *to->input_of);
    memcpy(to->mf, from->mf, from->kind->arity * from->mfs * sizeof *to->mf);
    for (size_t r = 0; r < from->rules; r++)
        memcpy(to->mf_of + r * to->inputs, from->mf_of + r * from->inputs, from->inputs * sizeof *to->mf_of);
    copy_rows(from->low_rank, from->rules * from->rank, from->inputs, to->low_rank, to->inputs);
    copy_rows(from->conseq, from->rules, (from->terms + 1) * from->outputs, to->conseq, (to->terms + 1) * to->outputs);
}

/* Returns the constant of a member's output in the units of m's scaled targets. Curves have a mean of their own. */
static double member_constant(const sg_model *from, const sg_model *m, size_t o)
{
    if (from->mean[o] == m->mean[o] && from->scale[o] == m->scale[o]) return from->y0[o];
    return (sg_model_constant(from, o) - m->mean[o]) / m->scale[o];
}

static void copy_member_blocks(const sg_model *from, double weight, sg_model *m, size_t *at)
{
    for (size_t o = 0; o < m->outputs; o++) m->y0[o] += weight * member_constant(from, m, o);
    for (size_t i = 0; i < from->blocks; i++)
        copy_member_block(&from->block[i], from->block[i].sees_z || (from->shared_pipeline && !m->shared_pipeline),
                          weight, &m->block[(*at)++]);
}

/* --- trees --- */

/* A hash table of the distinct bounds of a tree, which become MFs. */
typedef struct bound_table {
    size_t count, capacity, slots; /* slots is a power of two and at least twice the capacity */
    const sg_leaf_bound **bound;   /* (capacity)                                              */
    size_t *slot;                  /* (slots): 1 + index into `bound`, or 0 if empty          */
} bound_table;

static bool bounds_equal(const sg_leaf_bound *a, const sg_leaf_bound *b)
{
    return a->feature == b->feature && a->low == b->low && a->high == b->high &&
           a->inv_width_below == b->inv_width_below && a->inv_width_above == b->inv_width_above;
}

static size_t hash_double(size_t hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (size_t)((hash ^ bits) * 0x9e3779b97f4a7c15U) ^ (size_t)(bits >> 29);
}

/* Returns the slot that holds a bound, or the empty slot where it belongs. */
static size_t *find_slot(const bound_table *table, const sg_leaf_bound *bound)
{
    size_t at = hash_double(hash_double(bound->feature + 1, bound->low), bound->high);
    for (at ^= at >> 32;; at++) {
        size_t *slot = &table->slot[at & (table->slots - 1)];
        if (*slot == 0 || bounds_equal(table->bound[*slot - 1], bound)) return slot;
    }
}

static size_t bound_index(const bound_table *table, const sg_leaf_bound *bound) { return *find_slot(table, bound) - 1; }

static bool reserve_bounds(bound_table *table, size_t capacity)
{
    if (capacity <= table->capacity) return true;
    free(table->bound);
    free(table->slot);
    *table = (bound_table){.capacity = capacity, .slots = 2};
    while (table->slots < 2 * capacity) table->slots *= 2;
    table->bound = sg_calloc(capacity, sizeof *table->bound);
    table->slot = sg_calloc(table->slots, sizeof *table->slot);
    return table->bound && table->slot;
}

static sg_status collect_bounds(const sg_tree *tree, bound_table *table)
{
    size_t n = 0;
    for (size_t k = 0; k < tree->leaves; k++) n += tree->leaf[k].bounds;
    table->count = 0;
    if (n == 0) return SG_OK;
    if (!reserve_bounds(table, n)) return sg_fail_out_of_memory("an ensemble");
    memset(table->slot, 0, table->slots * sizeof *table->slot);
    for (size_t k = 0; k < tree->leaves; k++)
        for (size_t j = 0; j < tree->leaf[k].bounds; j++) {
            const sg_leaf_bound *bound = &tree->leaf[k].bound[j];
            size_t *slot = find_slot(table, bound);
            if (*slot) continue;
            table->bound[table->count++] = bound;
            *slot = table->count;
        }
    return SG_OK;
}

static void tree_to_block(const sg_tree *tree, const bound_table *table, sg_block *to)
{
    for (size_t i = 0; i < table->count; i++) {
        const sg_leaf_bound *d = table->bound[i];
        double p[SG_MF_MAX_PARAMETERS] = {d->low, d->inv_width_below, d->high, d->inv_width_above};
        to->input_of[i] = (uint32_t)d->feature;
        sg_mf_put(to, i, p);
    }
    for (size_t r = 0; r < tree->leaves; r++) {
        const sg_soft_leaf *leaf = &tree->leaf[r];
        double *conseq = to->conseq + r * (to->terms + 1) * to->outputs;
        memcpy(conseq, leaf->coef, to->outputs * sizeof *conseq);
        for (size_t j = 0; j < leaf->bounds; j++) {
            size_t feature = leaf->bound[j].feature;
            to->mf_of[r * to->inputs + feature] = (int32_t)bound_index(table, &leaf->bound[j]);
            if (j >= leaf->slopes) continue;
            memcpy(conseq + (feature + 1) * to->outputs, leaf->coef + (j + 1) * to->outputs,
                   to->outputs * sizeof *conseq);
        }
    }
}

static sg_status add_trees(const sg_ensemble_member *k, bound_table *table, sg_model *m)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < k->trees; i++) {
        st = collect_bounds(&k->tree_ensemble->tree[i], table);
        if (st == SG_OK && k->tree_ensemble->tree[i].leaves)
            st = sg_model_add_block(m, &sg_mf_gauss2, table->count, k->tree_ensemble->tree[i].leaves, 0);
    }
    return st;
}

static sg_status trees_to_blocks(const sg_ensemble_member *k, bound_table *table, sg_model *m, size_t *at)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < k->trees; i++) {
        if (k->tree_ensemble->tree[i].leaves == 0) continue;
        sg_block *to = &m->block[(*at)++];
        to->weight = k->weight * k->tree_ensemble->learning_rate;
        to->sees_z = !m->shared_pipeline;
        st = collect_bounds(&k->tree_ensemble->tree[i], table);
        if (st == SG_OK) tree_to_block(&k->tree_ensemble->tree[i], table, to);
    }
    return st;
}

/* --- curves and pairs --- */

static const sg_ensemble_member *find_additive_member(const sg_ensemble *e)
{
    for (size_t i = 0; i < e->members; i++)
        if (e->member[i].model && e->member[i].model->additive) return &e->member[i];
    return NULL;
}

static bool add_curves(const sg_ensemble *e, sg_model *m)
{
    const sg_ensemble_member *k = find_additive_member(e);
    return !k || (m->additive = sg_additive_copy(k->model->additive));
}

static void scale_values(const double *from, size_t n, double weight, double *to)
{
    for (size_t i = 0; i < n; i++) to[i] = weight * from[i];
}

/* Copies the knots, and multiplies all values that are in units of the target by the weight. */
static void copy_curves(const sg_ensemble_member *k, sg_model *m)
{
    const sg_additive *from = k->model->additive;
    const size_t outputs = m->outputs;
    for (size_t i = 0; i < from->curves; i++) {
        const sg_curve *c = &from->curve[i], *to = &m->additive->curve[i];
        size_t values = (c->cells + 1) * outputs;
        if (!c->is_category) memcpy(to->knot, c->knot, c->cells * sizeof *c->knot);
        scale_values(c->value, values, k->weight, to->value);
        if (!c->band) continue;
        scale_values(c->band, values, k->weight, to->band);
        scale_values(c->deviation, outputs, k->weight, to->deviation);
    }
    for (size_t i = 0; i < from->pairs; i++) {
        const sg_pair *p = &from->pair[i], *to = &m->additive->pair[i];
        scale_values(p->value, sg_pair_cells(from, p) * outputs, k->weight, to->value);
        if (p->deviation) scale_values(p->deviation, outputs, k->weight, to->deviation);
    }
}

/* --- the model --- */

static sg_status add_all_members(const sg_ensemble *e, bound_table *table, sg_model *m)
{
    size_t at = 0;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < e->members; i++) {
        const sg_ensemble_member *k = &e->member[i];
        st = add_blocks(member_base_model(k), m);
        if (st == SG_OK && k->tree_ensemble) st = add_trees(k, table, m);
    }
    if (st == SG_OK && !add_curves(e, m)) st = sg_fail_out_of_memory("an ensemble");
    if (st == SG_OK) st = sg_model_alloc_theta(m);
    if (st == SG_OK && m->additive) copy_curves(find_additive_member(e), m);
    for (size_t i = 0; st == SG_OK && i < e->members; i++) {
        const sg_ensemble_member *k = &e->member[i];
        copy_member_blocks(member_base_model(k), k->weight, m, &at);
        if (k->tree_ensemble) st = trees_to_blocks(k, table, m, &at);
    }
    return st;
}

sg_status sg_ensemble_to_model(const sg_ensemble *e, sg_model **out)
{
    sg_model *m = NULL;
    bound_table table = {0};
    sg_status st = new_model_without_blocks(e, &m);
    if (st == SG_OK) st = add_all_members(e, &table, m);
    free(table.bound);
    free(table.slot);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}
