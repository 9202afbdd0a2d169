/* fast_grid.h: the antecedents of a full grid. Rows stand side by side in the lanes.
 *
 * Memberships are taken relative to the largest of their input, so that the largest product over
 * all rules is 1, as in the reference, and of two MFs one is 1 and needs no exp. */
#ifndef SG_KERNEL_FAST_GRID_H
#define SG_KERNEL_FAST_GRID_H

#include "kernel/fast_exp2.h"
#include "kernel/fast_outputs.h"

#include <string.h>

static const double log2_of_e = 0x1.71547652b82fep0;

/* ((x - c) * k)^2 */
static inline vec distance(vec x, real c, real k)
{
    vec t = v_mul(v_sub(x, v_all(c)), v_all(k));
    return v_min(v_mul(t, t), v_all(FAR_OFF));
}

static void two_memberships(const room *r, const sg_condition *in, size_t n)
{
    const real *x = r->a + in->input * SG_PITCH, *c = r->c + in->first, *k = r->k + in->first;
    real *u = r->u + in->first * SG_PITCH;
    for (size_t i = 0; i < n; i += LANES) {
        vec at = v_load(x + i);
        vec d = v_sub(distance(at, c[0], k[0]), distance(at, c[1], k[1]));
        vec e = v_exp2(v_min(d, v_sub(v_all(0), d)));
        v_store(u + i, v_where_above(d, v_all(0), e, v_all(1)));
        v_store(u + SG_PITCH + i, v_where_above(d, v_all(0), v_all(1), e));
    }
}

/* u holds distances and becomes 2^(smallest - distance). */
static void relative(real *u, size_t count, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec least = v_load(u + i);
        for (size_t j = 1; j < count; j++) least = v_min(v_load(u + j * SG_PITCH + i), least);
        for (size_t j = 0; j < count; j++) {
            real *at = u + j * SG_PITCH + i;
            v_store(at, v_exp2(v_sub(least, v_load(at))));
        }
    }
}

static void memberships_of(const room *r, const sg_condition *in, size_t n)
{
    const real *x = r->a + in->input * SG_PITCH;
    real *u = r->u + in->first * SG_PITCH;
    for (size_t j = 0; j < in->count; j++)
        for (size_t i = 0; i < n; i += LANES)
            v_store(u + j * SG_PITCH + i,
                    distance(v_load(x + i), r->c[in->first + j], r->k[in->first + j]));
    relative(u, in->count, n);
}

/* Of a kind that is not Gaussian: its own log membership, a row at a time. */
static void other_memberships(const room *r, const sg_condition *in, const sg_chunk *c, size_t n)
{
    const double *x = c->a + in->input * SG_PITCH;
    double p[SG_MF_PARAMETERS], scale = -r->b->h * log2_of_e;
    real *u = r->u + in->first * SG_PITCH;
    for (size_t j = 0; j < in->count; j++) {
        sg_mf_get(r->b, in->first + j, p);
        for (size_t i = 0; i < n; i++) {
            double far = scale * r->b->kind->log_value(x[i], p);
            u[j * SG_PITCH + i] = (real)(far < (double)FAR_OFF ? far : (double)FAR_OFF);
        }
    }
    relative(u, in->count, n);
}

static void memberships(const room *r, const sg_chunk *c, size_t n)
{
    for (size_t j = 0; j < r->s.conditions; j++) {
        const sg_condition *in = &r->s.condition[j];
        if (!r->gauss) other_memberships(r, in, c, n);
        else if (in->count == 2) two_memberships(r, in, n);
        else memberships_of(r, in, n);
    }
}

/* All products of the memberships of conditions [from, to): out (count, P), first input slowest. */
static void products(const room *r, size_t from, size_t to, size_t n, real *out)
{
    size_t size = from < to ? r->s.condition[--to].count : 0;
    memcpy(out, r->u + r->s.condition[to].first * SG_PITCH, size * SG_PITCH * sizeof *out);
    for (size_t i = 0; size == 0 && i < n; i += LANES) v_store(out + i, v_all(1));
    for (size_t j = to; j-- > from; size *= r->s.condition[j].count)
        for (size_t k = r->s.condition[j].count; k-- > 0;) { /* downwards: out is read in place */
            const real *u = r->u + (r->s.condition[j].first + k) * SG_PITCH;
            real *part = out + k * size * SG_PITCH;
            for (size_t i = 0; i < n; i += LANES) {
                vec factor = v_load(u + i);
                for (size_t p = 0; p < size; p++)
                    v_store(part + p * SG_PITCH + i, v_mul(factor, v_load(out + p * SG_PITCH + i)));
            }
        }
}

/* The sum of `count` rows of numbers (count, P), LANES of them from i on. */
static inline vec add_up(const real *x, size_t count, size_t i)
{
    vec s = v_load(x + i);
    for (size_t k = 1; k < count; k++) s = v_add(s, v_load(x + k * SG_PITCH + i));
    return s;
}

/* Firing levels as heads times tails, and the sum of them all. */
static void heads_and_tails(const room *r, const sg_chunk *c, size_t n)
{
    const sg_shape *s = &r->s;
    size_t wide = s->vecs * LANES;
    memberships(r, c, n);
    products(r, 0, s->split, n, r->head);
    products(r, s->split, s->conditions, n, r->work);
    for (size_t j = 0; j < s->tail; j++)
        for (size_t i = 0; i < n; i++) r->tail[i * wide + j] = r->work[j * SG_PITCH + i];
    for (size_t i = 0; i < n; i += LANES)
        v_store(r->sum + i, v_mul(add_up(r->work, s->tail, i), add_up(r->head, s->heads, i)));
}

/* --- backward --- */

/* From the sums over rules x (combinations of conditions [from, to), P), which are used up: what
 * pulls at each MF, in the place of its membership. */
static void pulls(const room *r, size_t from, size_t to, size_t n, real *x)
{
    size_t size = 1;
    for (size_t j = from; j < to; j++) size *= r->s.condition[j].count;
    for (size_t j = to; j-- > from;) {
        size_t count = r->s.condition[j].count;
        real *u = r->u + r->s.condition[j].first * SG_PITCH;
        size /= count;
        for (size_t i = 0; i < n; i += LANES) {
            for (size_t k = 0; k < count; k++) {
                vec s = v_load(x + k * SG_PITCH + i);
                for (size_t p = 1; p < size; p++)
                    s = v_add(s, v_load(x + (p * count + k) * SG_PITCH + i));
                v_store(u + k * SG_PITCH + i, s);
            }
            for (size_t p = 0; p < size; p++) {
                vec s = v_load(x + p * count * SG_PITCH + i);
                for (size_t k = 1; k < count; k++)
                    s = v_add(s, v_load(x + (p * count + k) * SG_PITCH + i));
                v_store(x + p * SG_PITCH + i, s);
            }
        }
    }
}

static void add_moments(room *r, const sg_condition *in, size_t n)
{
    const real *x = r->a + in->input * SG_PITCH;
    for (size_t j = in->first; j < in->first + in->count; j++) {
        vec c = v_all(r->c[j]), first = v_load(r->first + j * LANES);
        vec second = v_load(r->second + j * LANES);
        for (size_t i = 0; i < n; i += LANES) {
            vec t = v_sub(v_load(x + i), c), w = v_mul(v_load(r->u + j * SG_PITCH + i), t);
            first = v_add(first, w);
            second = v_fma(w, t, second);
        }
        v_store(r->first + j * LANES, first);
        v_store(r->second + j * LANES, second);
    }
}

static void add_partials(room *r, const sg_condition *in, const sg_chunk *c)
{
    const double *x = c->a + in->input * SG_PITCH;
    const sg_block *b = r->b;
    double p[SG_MF_PARAMETERS], d[SG_MF_PARAMETERS];
    for (size_t j = in->first; j < in->first + in->count; j++) {
        sg_mf_get(b, j, p);
        for (size_t i = 0; i < c->n; i++) {
            b->kind->partials(x[i], p, d);
            for (size_t k = 0; k < b->kind->arity; k++)
                r->partial[k * b->mfs + j] += b->h * (double)r->u[j * SG_PITCH + i] * d[k];
        }
    }
}

/* LANES rows from `row` on: what pulls at the heads goes to r->head, at the tails to r->tail. */
static void pull_rows(room *r, size_t row)
{
    const sg_shape *s = &r->s;
    size_t wide = s->vecs * LANES;
    memset(r->tail + row * wide, 0, LANES * wide * sizeof *r->tail);
    for (size_t h = 0; h < s->heads; h++) {
        vec sums[LANES];
        for (size_t i = 0; i < LANES; i++) {
            real *tail = r->tail + (row + i) * wide;
            sums[i] = v_all(0);
            for (size_t v = 0; v < s->vecs; v++) {
                vec p = pull_of_rules(r, row + i, h * wide + v * LANES);
                sums[i] = v_add(sums[i], p);
                v_store(tail + v * LANES, v_add(v_load(tail + v * LANES), p));
            }
        }
        v_store(r->head + h * SG_PITCH + row, v_sum_rows(sums));
    }
}

/* The same for one output and tails of one vector. */
static void pull_rows_of_one(room *r, size_t row)
{
    size_t pitch = r->s.pitch;
    const real *y = r->rule_y + row * pitch, *f = r->firing + row * pitch;
    vec tail[LANES], sums[LANES];
    for (int i = 0; i < LANES; i++) tail[i] = v_all(0);
    for (size_t h = 0; h < r->s.heads; h++) {
        for (size_t i = 0; i < LANES; i++) {
            size_t at = i * pitch + h * LANES;
            sums[i] = v_mul(v_load(f + at), v_fma(v_load(y + at), v_all(r->factor[row + i]),
                                                  v_all(r->offset[row + i])));
            tail[i] = v_add(tail[i], sums[i]);
        }
        v_store(r->head + h * SG_PITCH + row, v_sum_rows(sums));
    }
    for (size_t i = 0; i < LANES; i++) v_store(r->tail + (row + i) * LANES, tail[i]);
}

static void grid_backward(room *r, const sg_chunk *c, size_t n)
{
    const sg_shape *s = &r->s;
    bool one = r->b->outputs == 1 && s->vecs == 1;
    for (size_t row = 0; row < n; row += LANES) one ? pull_rows_of_one(r, row) : pull_rows(r, row);
    for (size_t j = 0; j < s->tail; j++)
        for (size_t i = 0; i < n; i++) r->work[j * SG_PITCH + i] = r->tail[i * s->vecs * LANES + j];
    pulls(r, 0, s->split, n, r->head);
    pulls(r, s->split, s->conditions, n, r->work);
    for (size_t j = 0; j < s->conditions; j++) {
        if (r->gauss) add_moments(r, &s->condition[j], n);
        else add_partials(r, &s->condition[j], c);
    }
}

#endif
