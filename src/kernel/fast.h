/* fast.h: a fast kernel, put together. Included once by a file for each instruction set and precision,
 * after its vector header; that file then fills a row of the table with FAST_KERNEL. */
#ifndef SG_KERNEL_FAST_H
#define SG_KERNEL_FAST_H

#include "base/memory.h"
#include "kernel/fast_grid.h"
#include "kernel/fast_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Below this, what DropRule left of a row's firing says nothing: all rules are used. */
static const real least_kept = (real)1e-30;

static bool is_gauss(const sg_block *b)
{
    return b->kind == &sg_mf_gauss || b->kind == &sg_mf_gauss_a;
}

static bool fast_covers(const sg_block *b, sg_things dropped)
{
    return b->rank == 0 && dropped <= SG_RULES && (is_gauss(b) || sg_shape_is_grid(b));
}

/* --- room --- */

static void fast_close(void *self)
{
    room *r = self;
    if (!r) return;
    sg_shape_release(&r->s);
    free(r->memory);
    free(r);
}

static void *fast_open(const sg_block *b, size_t rows, bool training, sg_things dropped)
{
    (void)dropped;
    room *r = sg_alloc(1, sizeof *r);
    if (!r) return NULL;
    r->b = b;
    r->rows = whole(rows);
    r->training = training;
    r->gauss = is_gauss(b);
    if (sg_shape_init(&r->s, b, LANES)) {
        size_t bytes = lay_out(r, NULL);
        r->memory = aligned_alloc(64, bytes);
        if (r->memory) {
            memset(r->memory, 0, bytes);
            lay_out(r, r->memory);
            return r;
        }
    }
    fast_close(r);
    return NULL;
}

/* --- parameters in, gradients out --- */

/* k of MF i: ((x - c) k)^2 = -h log2 of the membership. */
static double steepness(const sg_block *b, size_t i)
{
    double width = b->mf[b->mfs + i], scale = sqrt(0.5 * log2_of_e * b->h);
    return b->kind == &sg_mf_gauss ? scale / width : scale * width;
}

static void load_conditions(room *r)
{
    const sg_block *b = r->b;
    const sg_shape *s = &r->s;
    for (size_t i = 0; s->grid && r->gauss && i < b->mfs; i++) {
        r->c[i] = to_real(b->mf[i]);
        r->k[i] = to_real(steepness(b, i));
    }
    if (s->grid) return;
    for (size_t i = s->rules; i < s->padded; i++) r->start[i] = FAR_OFF;
    for (size_t p = 0; p < s->rules; p++)
        for (size_t m = 0; m < b->inputs; m++) {
            int32_t mf = b->mf_of[p * b->inputs + m];
            r->c[m * s->padded + p] = mf < 0 ? 0 : to_real(b->mf[mf]);
            r->k[m * s->padded + p] = mf < 0 ? 0 : to_real(steepness(b, (size_t)mf));
        }
}

static void fast_load(void *self)
{
    room *r = self;
    const sg_shape *s = &r->s;
    size_t terms = r->b->terms + 1, outputs = r->b->outputs, a_rule = terms * outputs;
    load_conditions(r);
    const double *from = r->b->conseq;
    for (size_t h = 0; h < s->heads; h++)
        for (size_t j = 0; j < s->tail; j++, from += a_rule) {
            real *to = r->coef + h * s->vecs * LANES + j;
            for (size_t o = 0; o < outputs; o++)
                for (size_t k = o; k < a_rule; k += outputs, to += s->padded) *to = to_real(from[k]);
        }
}

/* The sums of pull * (x - c) and pull * (x - c)^2 become derivatives by c and the width. */
static void unload_moments(const sg_block *b, size_t i, double first, double second, double *grad)
{
    double w = b->mf[b->mfs + i];
    if (b->kind == &sg_mf_gauss) {
        grad[i] += b->h * first / (w * w);
        grad[b->mfs + i] += b->h * second / (w * w) / w;
    } else {
        grad[i] += b->h * w * w * first;
        grad[b->mfs + i] -= b->h * w * second;
    }
}

static void unload_conditions(room *r, double *grad)
{
    const sg_block *b = r->b;
    const sg_shape *s = &r->s;
    size_t count = s->grid ? b->mfs * LANES : b->inputs * s->padded;
    for (size_t i = 0; s->grid && r->gauss && i < b->mfs; i++)
        unload_moments(b, i, (double)v_sum(v_load(r->first + i * LANES)),
                       (double)v_sum(v_load(r->second + i * LANES)), grad);
    for (size_t i = 0; !r->gauss && i < b->kind->arity * b->mfs; i++) {
        grad[i] += r->partial[i];
        r->partial[i] = 0;
    }
    for (size_t p = 0; !s->grid && p < s->rules; p++)
        for (size_t m = 0; m < b->inputs; m++) {
            int32_t mf = b->mf_of[p * b->inputs + m];
            size_t at = m * s->padded + p;
            if (mf >= 0)
                unload_moments(b, (size_t)mf, (double)r->first[at], (double)r->second[at], grad);
        }
    memset(r->first, 0, count * sizeof(real));
    memset(r->second, 0, count * sizeof(real));
}

static void fast_unload(void *self, double *grad)
{
    room *r = self;
    const sg_shape *s = &r->s;
    size_t terms = r->b->terms + 1, outputs = r->b->outputs, a_rule = terms * outputs;
    unload_conditions(r, grad);
    double *to = grad + (r->b->conseq - r->b->mf);
    for (size_t h = 0; h < s->heads; h++)
        for (size_t j = 0; j < s->tail; j++, to += a_rule) {
            const real *from = r->slope + h * s->vecs * LANES + j;
            for (size_t o = 0; o < outputs; o++)
                for (size_t k = o; k < a_rule; k += outputs, from += s->padded) to[k] += (double)*from;
        }
    memset(r->slope, 0, a_rule * s->padded * sizeof(real));
}

/* --- a chunk --- */

/* 32 bits from bit `at` on. */
static inline uint32_t bits_from(const uint32_t *bits, size_t at)
{
    uint64_t two = bits[at / 32] | (uint64_t)bits[at / 32 + 1] << 32;
    return (uint32_t)(two >> at % 32);
}

/* The row's bits; beyond the last row those of the last. NULL: all rules are kept. */
static inline const uint32_t *kept_of(const sg_chunk *c, sg_keep keep, size_t row)
{
    return keep.bits ? keep.bits + (row < c->n ? row : c->n - 1) * keep.words : NULL;
}

/* The levels f of LANES rules from number `rule` on, 0 where dropped. */
static inline vec kept(vec f, const uint32_t *bits, size_t rule)
{
    return bits ? v_keep(f, v_bits(bits_from(bits, rule)), 0) : f;
}

/* Heads times tails of the kept rules; returns their sum. */
static inline real grid_row(room *r, size_t row, const uint32_t *bits)
{
    const sg_shape *s = &r->s;
    size_t wide = s->vecs * LANES;
    vec sum = v_all(0);
    for (size_t v = 0; v < s->vecs; v++) {
        vec tail = v_load(r->tail + row * wide + v * LANES);
        for (size_t h = 0; h < s->heads; h++) {
            vec f = v_mul(v_all(r->head[h * SG_PITCH + row]), tail);
            f = kept(f, bits, h * s->tail + v * LANES);
            v_store(r->firing + row * s->pitch + h * wide + v * LANES, f);
            sum = v_add(sum, f);
        }
    }
    return v_sum(sum);
}

enum { VECS_A_WORD = 32 / LANES };

/* The same where a tail is one whole vector: 32 rules at a time, `heads` of them. */
static inline vec grid_word(const real *head, vec tail, uint32_t word, const size_t heads, real *firing,
                            vec sum)
{
    vbits bits = v_bits(word);
    for (size_t h = 0; h < heads; h++) {
        vec f = v_keep(v_mul(v_all(head[h * SG_PITCH]), tail), bits, h);
        v_store(firing + h * LANES, f);
        sum = v_add(sum, f);
    }
    return sum;
}

static inline real grid_row_of_words(room *r, size_t row, const uint32_t *bits)
{
    const real *head = r->head + row;
    real *firing = r->firing + row * r->s.pitch;
    vec tail = v_load(r->tail + row * LANES), sum = v_all(0);
    size_t h = 0;
    for (; h + VECS_A_WORD <= r->s.heads; h += VECS_A_WORD)
        sum = grid_word(head + h * SG_PITCH, tail, bits[h / VECS_A_WORD], VECS_A_WORD,
                        firing + h * LANES, sum);
    if (h < r->s.heads)
        sum = grid_word(head + h * SG_PITCH, tail, bits[h / VECS_A_WORD], r->s.heads - h,
                        firing + h * LANES, sum);
    return v_sum(sum);
}

static void grid_firing(room *r, const sg_chunk *c, sg_keep keep, size_t n)
{
    bool words = r->s.tail == LANES;
    for (size_t row = 0; row < n; row++) {
        const uint32_t *bits = kept_of(c, keep, row);
        r->sum[row] = !bits   ? grid_row(r, row, NULL)
                      : words ? grid_row_of_words(r, row, bits)
                              : grid_row(r, row, bits);
        if (bits && r->sum[row] < least_kept) r->sum[row] = grid_row(r, row, NULL);
    }
}

/* Sets the dropped rules' levels to 0, unless that leaves nothing. */
static void drop_rules(room *r, const sg_chunk *c, sg_keep keep, size_t n)
{
    for (size_t row = 0; keep.bits && row < n; row++) {
        const uint32_t *bits = kept_of(c, keep, row);
        real *f = r->firing + row * r->s.pitch;
        vec sum = v_all(0);
        for (size_t at = 0; at < r->s.padded; at += LANES) sum = v_add(sum, kept(v_load(f + at), bits, at));
        if (v_sum(sum) < least_kept) continue;
        r->sum[row] = v_sum(sum);
        for (size_t at = 0; at < r->s.padded; at += LANES) v_store(f + at, kept(v_load(f + at), bits, at));
    }
}

static void fast_forward(void *self, const sg_chunk *c, sg_keep keep, double *y)
{
    room *r = self;
    const sg_block *b = r->b;
    size_t n = whole(c->n);
    r->a = as_real(c->a, b->inputs, n, r->a_room);
    r->z = c->a == c->z ? r->a : as_real(c->z, b->terms, n, r->z_room);
    if (r->s.grid) {
        heads_and_tails(r, c, n);
        if (r->training) grid_firing(r, c, keep, n);
    } else {
        rules_firing(r, n);
        drop_rules(r, c, keep, n);
    }
    for (size_t o = 0; o < b->outputs; o++) {
        if (r->s.grid && !r->training) outputs_of_grid(r, o, n);
        else outputs_of_firing(r, o, n);
        for (size_t i = 0; i < n; i++) y[o * SG_PITCH + i] = (double)r->y[o * SG_PITCH + i];
    }
}

static void fast_backward(void *self, const sg_chunk *c, const double *slope)
{
    room *r = self;
    size_t n = whole(c->n), outputs = r->b->outputs;
    for (size_t i = 0; i < n; i++) {
        r->offset[i] = 0;
        for (size_t o = 0; o < outputs; o++) {
            real factor = (real)slope[o * SG_PITCH + i] / r->sum[i];
            r->factor[o * SG_PITCH + i] = factor;
            r->offset[i] -= factor * r->y[o * SG_PITCH + i];
        }
    }
    for (size_t o = 0; o < outputs; o++) add_slopes(r, o, n);
    if (r->s.grid) grid_backward(r, c, n);
    else rules_backward(r, n);
}

#define FAST_KERNEL(name, tools, runs)                                                             \
    {name,       PRECISION, &tools,       runs,          fast_covers, fast_open,                   \
     fast_close, fast_load, fast_forward, fast_backward, fast_unload}

#endif
