/* committee_model.c: a committee as one model, with a block for each of its rule bases and for each of its trees.
 *
 * Members see rows alike but for two things: conditions of some see ranks, and some have effects, which are features
 * behind those that all have. So the model has the features of the member that has most of them; where there are ranks
 * it sees them as its view a, and conditions that do without see its view z. */
#include "auto/boost_boxes.h"
#include "auto/committee.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- what all members see --- */

static const sg_model *basis(const sg_member *k) { return k->model ? k->model : k->boost->base; }

/* The view, and behind its features others that nobody looks at there. */
static bool widen(const sg_view *v, size_t width, sg_view *out)
{
    *out = (sg_view){.in = width, .out = width};
    for (size_t i = 0; i < v->steps; i++) {
        const sg_step *from = &v->step[i];
        sg_step *to = sg_view_append(out, from->kind, width);
        if (!to) {
            sg_view_release(out);
            return false;
        }
        for (int k = 0; k < 2; k++) {
            size_t there = from->kind->count(from, k), each = from->kind->each;
            memcpy(to->number[k], from->number[k], there * sizeof(double));
            for (size_t j = there; j < to->kind->count(to, k); j++) to->number[k][j] = each > 1 ? j % each > 0 : k;
        }
    }
    return true;
}

static sg_status make_frame(const sg_committee *c, sg_model **out)
{
    const sg_model *widest = NULL, *ranked = NULL;
    sg_model *m;
    for (size_t i = 0; i < c->members; i++) {
        const sg_model *b = basis(&c->member[i]);
        if (!widest || b->inputs > widest->inputs) widest = b;
        if (!ranked && !b->one_view) ranked = b;
    }
    if (!widest) return sg_fail(SG_EINVAL, "a committee without members says nothing");
    sg_status st = sg_model_copy_shell(widest, &m);
    if (st != SG_OK) return st;
    memset(m->y0, 0, m->outputs * sizeof *m->y0);
    if (ranked && m->one_view) {
        sg_view_release(&m->z);
        m->z = m->a;
        m->one_view = false;
        if (!widen(&ranked->a, m->inputs, &m->a)) {
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
    to->h = from->h;
    to->sees_z = sees_z;
    memcpy(to->input_of, from->input_of, from->mfs * sizeof *to->input_of);
    memcpy(to->mf, from->mf, from->kind->arity * from->mfs * sizeof *to->mf);
    for (size_t r = 0; r < from->rules; r++)
        memcpy(to->mf_of + r * to->inputs, from->mf_of + r * from->inputs, from->inputs * sizeof *to->mf_of);
    copy_rows(from->tilt, from->rules * from->rank, from->inputs, to->tilt, to->inputs);
    copy_rows(from->conseq, from->rules, (from->terms + 1) * from->outputs, to->conseq, (to->terms + 1) * to->outputs);
}

static void fill_blocks(const sg_model *from, double weight, sg_model *m, size_t *at)
{
    for (size_t o = 0; o < m->outputs; o++) m->y0[o] += weight * from->y0[o];
    for (size_t i = 0; i < from->blocks; i++)
        fill_block(&from->block[i], from->block[i].sees_z || (from->one_view && !m->one_view), weight,
                   &m->block[(*at)++]);
}

/* --- trees --- */

/* The different sides of a tree's boxes: an MF each. Where one is, is found by its numbers. */
typedef struct sides {
    size_t count, room, slots; /* slots: a power of two, at least twice the room */
    const sg_side **side;      /* (room)                 */
    size_t *slot;              /* (slots): 1 + its place */
} sides;

static bool same(const sg_side *a, const sg_side *b)
{
    return a->feature == b->feature && a->low == b->low && a->high == b->high && a->below == b->below &&
           a->above == b->above;
}

static size_t mixed(size_t hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (size_t)((hash ^ bits) * 0x9e3779b97f4a7c15U) ^ (size_t)(bits >> 29);
}

/* The slot that it has, or may have. */
static size_t *slot_of(const sides *s, const sg_side *side)
{
    size_t at = mixed(mixed(side->feature + 1, side->low), side->high);
    for (at ^= at >> 32;; at++) {
        size_t *slot = &s->slot[at & (s->slots - 1)];
        if (*slot == 0 || same(s->side[*slot - 1], side)) return slot;
    }
}

static size_t place_of(const sides *s, const sg_side *side) { return *slot_of(s, side) - 1; }

static bool make_sides(sides *s, size_t room)
{
    if (room <= s->room) return true;
    free(s->side);
    free(s->slot);
    *s = (sides){.room = room, .slots = 2};
    while (s->slots < 2 * room) s->slots *= 2;
    s->side = sg_alloc(room, sizeof *s->side);
    s->slot = sg_alloc(s->slots, sizeof *s->slot);
    return s->side && s->slot;
}

static sg_status find_sides(const sg_stage *stage, sides *s)
{
    size_t n = 0;
    for (size_t k = 0; k < stage->boxes; k++) n += stage->box[k].sides;
    s->count = 0;
    if (n == 0) return SG_OK;
    if (!make_sides(s, n)) return sg_fail(SG_ENOMEM, "out of memory for a committee");
    memset(s->slot, 0, s->slots * sizeof *s->slot);
    for (size_t k = 0; k < stage->boxes; k++)
        for (size_t j = 0; j < stage->box[k].sides; j++) {
            const sg_side *side = &stage->box[k].side[j];
            size_t *slot = slot_of(s, side);
            if (*slot) continue;
            s->side[s->count++] = side;
            *slot = s->count;
        }
    return SG_OK;
}

static void fill_tree(const sg_stage *stage, const sides *s, sg_block *to)
{
    for (size_t i = 0; i < s->count; i++) {
        const sg_side *d = s->side[i];
        double p[SG_MF_PARAMETERS] = {d->low, d->below, d->high, d->above};
        to->input_of[i] = (uint32_t)d->feature;
        sg_mf_put(to, i, p);
    }
    for (size_t r = 0; r < stage->boxes; r++) {
        const sg_box *b = &stage->box[r];
        double *conseq = to->conseq + r * (to->terms + 1) * to->outputs;
        memcpy(conseq, b->line, to->outputs * sizeof *conseq);
        for (size_t j = 0; j < b->sides; j++) {
            size_t feature = b->side[j].feature;
            to->mf_of[r * to->inputs + feature] = (int32_t)place_of(s, &b->side[j]);
            if (j >= b->slopes) continue;
            memcpy(conseq + (feature + 1) * to->outputs, b->line + (j + 1) * to->outputs, to->outputs * sizeof *conseq);
        }
    }
}

static sg_status add_trees(const sg_member *k, sides *s, sg_model *m)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < k->trees; i++) {
        st = find_sides(&k->boost->stage[i], s);
        if (st == SG_OK && k->boost->stage[i].boxes)
            st = sg_model_add_block(m, &sg_mf_gauss2, s->count, k->boost->stage[i].boxes, 0);
    }
    return st;
}

static sg_status fill_trees(const sg_member *k, sides *s, sg_model *m, size_t *at)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < k->trees; i++) {
        if (k->boost->stage[i].boxes == 0) continue;
        sg_block *to = &m->block[(*at)++];
        to->weight = k->weight * k->boost->rate;
        to->sees_z = !m->one_view;
        st = find_sides(&k->boost->stage[i], s);
        if (st == SG_OK) fill_tree(&k->boost->stage[i], s, to);
    }
    return st;
}

/* --- all of it --- */

static sg_status assemble(const sg_committee *c, sides *s, sg_model *m)
{
    size_t at = 0;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < c->members; i++) {
        const sg_member *k = &c->member[i];
        st = add_blocks(basis(k), m);
        if (st == SG_OK && k->boost) st = add_trees(k, s, m);
    }
    if (st == SG_OK) st = sg_model_bind(m);
    for (size_t i = 0; st == SG_OK && i < c->members; i++) {
        const sg_member *k = &c->member[i];
        fill_blocks(basis(k), k->weight, m, &at);
        if (k->boost) st = fill_trees(k, s, m, &at);
    }
    return st;
}

sg_status sg_committee_model(const sg_committee *c, sg_model **out)
{
    sg_model *m = NULL;
    sides s = {0};
    sg_status st = make_frame(c, &m);
    if (st == SG_OK) st = assemble(c, &s, m);
    free(s.side);
    free(s.slot);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}
