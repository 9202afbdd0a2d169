/* ensemble_model.c: a committee as one model, with a block for each of its rule bases and for each of its trees.
 *
 * Members see rows alike but for two things: conditions of some see ranks, and some have effects, which are features
 * behind those that all have. So the model has the features of the member that has most of them; where there are ranks
 * it sees them as its view a, and conditions that do without see its view z. */
#include "auto/boost/soft_leaf.h"
#include "auto/ensemble/ensemble.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- what all members see --- */

static const sg_model *member_base_model(const sg_ensemble_member *k)
{
    return k->model ? k->model : k->tree_ensemble->base_model;
}

/* The view, and behind its features others that nobody looks at there. */
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

static sg_status make_shell_model(const sg_ensemble *c, sg_model **out)
{
    const sg_model *widest = NULL, *ranked = NULL;
    sg_model *m;
    for (size_t i = 0; i < c->members; i++) {
        const sg_model *b = member_base_model(&c->member[i]);
        if (!widest || b->features > widest->features) widest = b;
        if (!ranked && !b->shared_pipeline) ranked = b;
    }
    if (!widest) return sg_fail(SG_EINVAL, "a committee without members says nothing");
    sg_status st = sg_model_copy_without_blocks(widest, &m);
    if (st != SG_OK) return st;
    memset(m->y0, 0, m->outputs * sizeof *m->y0);
    if (ranked && m->shared_pipeline) {
        sg_pipeline_release(&m->z);
        m->z = m->a;
        m->shared_pipeline = false;
        if (!widen_pipeline(&ranked->a, m->features, &m->a)) {
            sg_model_free(m);
            return sg_fail(SG_ENOMEM, "out of memory for a committee");
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

/* Columns of `from`, a row after the other, to the first ones of wider rows. */
static void copy_rows(const double *from, size_t rows, size_t width, double *to, size_t wider)
{
    for (size_t i = 0; i < rows; i++) memcpy(to + i * wider, from + i * width, width * sizeof *to);
}

static void fill_block(const sg_block *from, bool sees_z, double weight, sg_block *to)
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

static void fill_blocks(const sg_model *from, double weight, sg_model *m, size_t *at)
{
    for (size_t o = 0; o < m->outputs; o++) m->y0[o] += weight * from->y0[o];
    for (size_t i = 0; i < from->blocks; i++)
        fill_block(&from->block[i], from->block[i].sees_z || (from->shared_pipeline && !m->shared_pipeline), weight,
                   &m->block[(*at)++]);
}

/* --- trees --- */

/* The different sides of a tree's boxes: an MF each. Where one is, is found by its numbers. */
typedef struct bound_table {
    size_t count, room, slots;  /* slots: a power of two, at least twice the room */
    const sg_leaf_bound **side; /* (room)                 */
    size_t *slot;               /* (slots): 1 + its place */
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

/* The slot that it has, or may have. */
static size_t *find_slot(const bound_table *s, const sg_leaf_bound *side)
{
    size_t at = hash_double(hash_double(side->feature + 1, side->low), side->high);
    for (at ^= at >> 32;; at++) {
        size_t *slot = &s->slot[at & (s->slots - 1)];
        if (*slot == 0 || bounds_equal(s->side[*slot - 1], side)) return slot;
    }
}

static size_t bound_index(const bound_table *s, const sg_leaf_bound *side) { return *find_slot(s, side) - 1; }

static bool reserve_bounds(bound_table *s, size_t room)
{
    if (room <= s->room) return true;
    free(s->side);
    free(s->slot);
    *s = (bound_table){.room = room, .slots = 2};
    while (s->slots < 2 * room) s->slots *= 2;
    s->side = sg_calloc(room, sizeof *s->side);
    s->slot = sg_calloc(s->slots, sizeof *s->slot);
    return s->side && s->slot;
}

static sg_status collect_bounds(const sg_tree *stage, bound_table *s)
{
    size_t n = 0;
    for (size_t k = 0; k < stage->leaves; k++) n += stage->leaf[k].bounds;
    s->count = 0;
    if (n == 0) return SG_OK;
    if (!reserve_bounds(s, n)) return sg_fail(SG_ENOMEM, "out of memory for a committee");
    memset(s->slot, 0, s->slots * sizeof *s->slot);
    for (size_t k = 0; k < stage->leaves; k++)
        for (size_t j = 0; j < stage->leaf[k].bounds; j++) {
            const sg_leaf_bound *side = &stage->leaf[k].bound[j];
            size_t *slot = find_slot(s, side);
            if (*slot) continue;
            s->side[s->count++] = side;
            *slot = s->count;
        }
    return SG_OK;
}

static void fill_tree(const sg_tree *stage, const bound_table *s, sg_block *to)
{
    for (size_t i = 0; i < s->count; i++) {
        const sg_leaf_bound *d = s->side[i];
        double p[SG_MF_MAX_PARAMETERS] = {d->low, d->inv_width_below, d->high, d->inv_width_above};
        to->input_of[i] = (uint32_t)d->feature;
        sg_mf_put(to, i, p);
    }
    for (size_t r = 0; r < stage->leaves; r++) {
        const sg_soft_leaf *b = &stage->leaf[r];
        double *conseq = to->conseq + r * (to->terms + 1) * to->outputs;
        memcpy(conseq, b->coef, to->outputs * sizeof *conseq);
        for (size_t j = 0; j < b->bounds; j++) {
            size_t feature = b->bound[j].feature;
            to->mf_of[r * to->inputs + feature] = (int32_t)bound_index(s, &b->bound[j]);
            if (j >= b->slopes) continue;
            memcpy(conseq + (feature + 1) * to->outputs, b->coef + (j + 1) * to->outputs, to->outputs * sizeof *conseq);
        }
    }
}

static sg_status add_trees(const sg_ensemble_member *k, bound_table *s, sg_model *m)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < k->trees; i++) {
        st = collect_bounds(&k->tree_ensemble->tree[i], s);
        if (st == SG_OK && k->tree_ensemble->tree[i].leaves)
            st = sg_model_add_block(m, &sg_mf_gauss2, s->count, k->tree_ensemble->tree[i].leaves, 0);
    }
    return st;
}

static sg_status fill_trees(const sg_ensemble_member *k, bound_table *s, sg_model *m, size_t *at)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < k->trees; i++) {
        if (k->tree_ensemble->tree[i].leaves == 0) continue;
        sg_block *to = &m->block[(*at)++];
        to->weight = k->weight * k->tree_ensemble->learning_rate;
        to->sees_z = !m->shared_pipeline;
        st = collect_bounds(&k->tree_ensemble->tree[i], s);
        if (st == SG_OK) fill_tree(&k->tree_ensemble->tree[i], s, to);
    }
    return st;
}

/* --- all of it --- */

static sg_status add_all_members(const sg_ensemble *c, bound_table *s, sg_model *m)
{
    size_t at = 0;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < c->members; i++) {
        const sg_ensemble_member *k = &c->member[i];
        st = add_blocks(member_base_model(k), m);
        if (st == SG_OK && k->tree_ensemble) st = add_trees(k, s, m);
    }
    if (st == SG_OK) st = sg_model_alloc_theta(m);
    for (size_t i = 0; st == SG_OK && i < c->members; i++) {
        const sg_ensemble_member *k = &c->member[i];
        fill_blocks(member_base_model(k), k->weight, m, &at);
        if (k->tree_ensemble) st = fill_trees(k, s, m, &at);
    }
    return st;
}

sg_status sg_ensemble_to_model(const sg_ensemble *c, sg_model **out)
{
    sg_model *m = NULL;
    bound_table s = {0};
    sg_status st = make_shell_model(c, &m);
    if (st == SG_OK) st = add_all_members(c, &s, m);
    free(s.side);
    free(s.slot);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}
