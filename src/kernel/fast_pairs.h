/* fast_pairs.h: training of a full grid whose inputs have two MFs each, which is the paper's.
 *
 * One pass over the rules does all that needs them, four at a time (the last two inputs' combinations):
 * firing levels, outputs, and the sums over the rules that share an MF. What pulls at an MF is
 *
 *     factor * sum over its rules of f_r (y_r - y) = factor * (A - d F),  A = sum f_r y'_r,  F = sum f_r
 *
 * with y'_r = y_r - m and d = y - m, m the rules' mean output, so that y need not be known before: A and
 * F are summed on the way. Outputs are counted from their mean (whose coefficients are subtracted from
 * the rules' beforehand), so that the difference is no worse than that of y_r and y. Each MF has sums of
 * its own: one that hardly fires must not get the rounding errors of its neighbour. */
#ifndef SG_KERNEL_FAST_PAIRS_H
#define SG_KERNEL_FAST_PAIRS_H

#include "kernel/fast_grid.h"

/* --- parameters --- */

/* The mean over the rules of each coefficient: (terms + 1, outputs), as the block has them. */
TILE void mean_coefficients(const double *b, size_t rules, size_t width, double *mean)
{
    const double *end = b + rules * width;
    for (size_t k = 0; k < width; k++) mean[k] = 0;
    for (; b < end; b += 4 * width) /* in fours, since an addition waits for the one before it */
        for (size_t k = 0; k < width; k++)
            mean[k] += (b[k] + b[k + width]) + (b[k + 2 * width] + b[k + 3 * width]);
    for (size_t k = 0; k < width; k++) mean[k] /= (double)rules;
}

/* The mean coefficients, and all rules' less those. */
static void load_differences(const room *r)
{
    const size_t outputs = r->b->outputs, width = (r->b->terms + 1) * outputs, rules = r->b->rules;
    const double *b = r->b->conseq, *mean = r->mean;
    real *base = r->base, *to = r->coef;
    mean_coefficients(b, rules, width, r->mean);
    for (size_t o = 0; o < outputs; o++) {
        for (size_t k = o; k < width; k += outputs) *base++ = to_real(mean[k]);
        for (size_t at = 0; at < rules * width; at += width)
            for (size_t k = o; k < width; k += outputs) *to++ = to_real(b[at + k] - mean[k]);
    }
}

/* The same for FIXED inputs. */
static void load_fixed_differences(const room *r)
{
    enum { WIDTH = FIXED + 1, RULES = 1 << FIXED };
    const double *b = r->b->conseq;
    double mean[WIDTH], difference[RULES * WIDTH];
    mean_coefficients(b, RULES, WIDTH, mean);
    for (size_t p = 0; p < RULES; p++)
        for (size_t k = 0; k < WIDTH; k++) difference[p * WIDTH + k] = b[p * WIDTH + k] - mean[k];
    for (size_t k = 0; k < WIDTH; k++) r->base[k] = to_real(mean[k]);
    for (size_t i = 0; i < RULES * WIDTH; i += LANES) v_store(r->coef + i, v_to_real(difference + i));
    spread_coefficients(r);
}

static void load_pairs(const room *r)
{
    if (is_fixed(r)) load_fixed_differences(r);
    else load_differences(r);
}

/* --- forward: a tile of one or two vectors of rows from `row` on ---
 * `fixed` is the number of inputs and of terms where it is a constant, else 0. Firing levels stand
 * vector by vector here, rule after rule: see firing_at. */

enum { TILE_VECS = 2, TILE_ROWS = TILE_VECS * LANES };

TILE size_t inputs_of(const room *r, const int fixed) { return fixed ? (size_t)fixed : r->grid.conditions; }

TILE size_t quads_of(const room *r, const int fixed)
{
    return fixed ? (size_t)1 << (fixed - 2) : r->b->rules / 4;
}

/* Products of the memberships of all inputs but the last two, whose memberships are at u: (rules / 4,
 * TILE_ROWS). */
TILE void outer_products(const real *u, size_t quads, const int vecs, real *h)
{
    EACH(v, vecs) v_store(h + v * LANES, v_all(1));
    for (size_t size = 1; size < quads; size *= 2) {
        vec u0[TILE_VECS], u1[TILE_VECS];
        u -= 2 * SG_PITCH;
        EACH(v, vecs) {
            u0[v] = v_load(u + v * LANES);
            u1[v] = v_load(u + SG_PITCH + v * LANES);
        }
        for (size_t p = 0; p < size; p++)
            EACH(v, vecs) {
                vec x = v_load(h + p * TILE_ROWS + v * LANES);
                v_store(h + (size + p) * TILE_ROWS + v * LANES, v_mul(u1[v], x));
                v_store(h + p * TILE_ROWS + v * LANES, v_mul(u0[v], x));
            }
    }
}

/* The four products of the last two inputs: (4, TILE_ROWS). */
TILE void inner_products(const real *u, const int vecs, real *inner)
{
    EACH(v, vecs)
    EACH(p, 4)
    v_store(inner + p * TILE_ROWS + v * LANES, v_mul(v_load(u + (p / 2) * SG_PITCH + v * LANES),
                                                     v_load(u + (2 + p % 2) * SG_PITCH + v * LANES)));
}

/* Sums over all quads of their first, second, third and fourth rule. */
typedef struct columns {
    vec of[4][TILE_VECS];
} columns;

TILE void clear(columns *s, const int vecs)
{
    EACH(p, 4)
    EACH(v, vecs) s->of[p][v] = v_all(0);
}

/* The sum of a quad's numbers, which are added to the columns, too. */
TILE vec add_quad(const vec x[4], columns *s, const int v)
{
    EACH(p, 4) s->of[p][v] = v_add(s->of[p][v], x[p]);
    return v_add(v_add(x[0], x[1]), v_add(x[2], x[3]));
}

/* Firing levels of a quad, 0 where dropped. */
TILE void fire_quad(vec outer, const real *inner, const bool drops, vbits *bits, real *firing, vec f[4])
{
    EACH(i, 4) {
        const int p = 3 - i;
        f[p] = v_mul(outer, v_load(inner + p * TILE_ROWS));
        if (drops) {
            f[p] = v_keep(f[p], *bits);
            *bits = v_bits_next(*bits);
        }
        v_store(firing + p * LANES, f[p]);
    }
}

/* all_quads for FIXED inputs, one vector of rows, and the first output. */
TILE void all_eights(const room *r, size_t row, const bool drops, columns *of_f, columns *of_a)
{
    enum { QUADS = 1 << (FIXED - 2), RULES = 4 * QUADS };
    const real *coef = r->spread + RULES * (FIXED + 1) * LANES;
    real *f = firing_at(r, row) + RULES * LANES;
    real *total_f = r->outer + QUADS * TILE_ROWS, *total_a = r->total + QUADS * TILE_ROWS;
    real inner[4 * TILE_ROWS];
    vec z[FIXED];
    vbits bits;
    EACH(k, FIXED) z[k] = v_load(r->z + k * SG_PITCH + row);
    inner_products(r->u + (FIXED - 2) * 2 * SG_PITCH + row, 1, inner);
    if (drops) bits = v_bits(keep_at(r, RULES - 1, row), (RULES - 1) % 32);
    for (int q = 0; q < QUADS; q += 2) {
        vec e[8];
        coef -= 8 * (FIXED + 1) * LANES;
        f -= 8 * LANES;
        total_f -= 2 * TILE_ROWS;
        total_a -= 2 * TILE_ROWS;
        outputs_of_eight(coef, z, e);
        EACH(i, 2) {
            const int half = 1 - i;
            vec x[4];
            fire_quad(v_load(total_f + half * TILE_ROWS), inner, drops, &bits, f + 4 * half * LANES, x);
            v_store(total_f + half * TILE_ROWS, add_quad(x, of_f, 0));
            EACH(p, 4) x[p] = v_mul(x[p], e[4 * half + p]);
            v_store(total_a + half * TILE_ROWS, add_quad(x, of_a, 0));
        }
    }
}

/* All rules, from the last to the first: their firing levels (where this is the first output), and
 * each quad's sums of f, in the place of its outer product, and of f y'. */
TILE void all_quads(const room *r, size_t o, size_t row, const int vecs,
                    const bool first, const bool drops, columns *of_f, columns *of_a)
{
    const size_t terms = r->b->terms, quads = r->b->rules / 4, along = r->next_rows, step = 4 * (terms + 1);
    const real *z = r->z + row, *coef = r->coef + (o + 1) * quads * step;
    real *f = firing_at(r, row) + 4 * quads * LANES;
    real *total_f = r->outer + quads * TILE_ROWS, *total_a = r->total + quads * TILE_ROWS;
    real inner[4 * TILE_ROWS];
    vbits bits[TILE_VECS];
    if (first) inner_products(r->u + (r->grid.conditions - 2) * 2 * SG_PITCH + row, vecs, inner);
    if (drops)
        EACH(v, vecs) bits[v] = v_bits(keep_at(r, 4 * quads - 1, row + (size_t)v * LANES), (4 * quads - 1) % 32);
    for (size_t q = quads; q-- > 0;) {
        vec e[RULES_AT_ONCE][VECS_AT_ONCE];
        coef -= step;
        f -= 4 * LANES;
        total_f -= TILE_ROWS;
        total_a -= TILE_ROWS;
        if (drops && q % 8 == 7 && quads > 8)
            EACH(v, vecs) bits[v] = v_bits(keep_at(r, 4 * q, row + (size_t)v * LANES), 31);
        outputs_of_rules(coef, terms, z, 4, vecs, e);
        EACH(v, vecs) {
            vec x[4];
            if (first) {
                fire_quad(v_load(total_f + v * LANES), inner + v * LANES, drops, &bits[v], f + v * along, x);
                v_store(total_f + v * LANES, add_quad(x, of_f, v));
            } else {
                EACH(p, 4) x[p] = v_load(f + v * along + p * LANES);
            }
            EACH(p, 4) x[p] = v_mul(x[p], e[p][v]);
            v_store(total_a + v * LANES, add_quad(x, of_a, v));
        }
    }
}

/* The sum of eight quads, or of the `left` that there are. */
TILE vec sum_of_eight(const real *x, size_t left)
{
    vec sum = v_load(x);
    for (size_t q = 1; q < (left < 8 ? left : 8); q++) sum = v_add(sum, v_load(x + q * TILE_ROWS));
    return sum;
}

/* The output, and minus its distance d from the rules' mean. */
TILE void outputs_of_tile(const room *r, size_t o, const int fixed, size_t row, const int vecs, vec *minus)
{
    const size_t quads = quads_of(r, fixed), terms = fixed ? (size_t)fixed : r->b->terms;
    const real *f = r->outer, *a = r->total, *z = r->z + row, *b = r->base + o * (terms + 1);
    vec sum[TILE_VECS], d[TILE_VECS], y[TILE_VECS];
    EACH(v, vecs) {
        sum[v] = d[v] = v_all(0);
        y[v] = v_all(b[0]);
    }
    for (size_t q = 0; q < quads; q += 8) /* eight at a time: sums of many lose less */
        EACH(v, vecs) {
            sum[v] = v_add(sum[v], sum_of_eight(f + q * TILE_ROWS + v * LANES, quads - q));
            d[v] = v_add(d[v], sum_of_eight(a + q * TILE_ROWS + v * LANES, quads - q));
        }
    for (size_t k = 0; k < terms; k++)
        EACH(v, vecs) y[v] = v_fma(v_all(b[k + 1]), v_load(z + k * SG_PITCH + v * LANES), y[v]);
    EACH(v, vecs) {
        d[v] = v_div(d[v], sum[v]);
        minus[v] = v_sub(v_all(0), d[v]);
        v_store(r->sum + row + v * LANES, sum[v]);
        v_store(r->y + o * SG_PITCH + row + v * LANES, v_add(y[v], d[v]));
    }
}

/* What pulls at the MFs of each input but the last two, whose pulls stand at `pull`, from the quads' sums:
 * those over either MF of the input, and over both for the inputs before. */
TILE void outer_pulls(const room *r, size_t quads, const int vecs, const vec *minus, real *pull)
{
    const real *f = r->outer;
    real *x = r->total;
    for (size_t size = quads / 2; size > 0; size /= 2) {
        const bool fresh = size == quads / 2; /* A and F are still apart */
        vec even[TILE_VECS], odd[TILE_VECS];
        pull -= 2 * SG_PITCH;
        EACH(v, vecs) even[v] = odd[v] = v_all(0);
        for (size_t p = 0; p < size; p++)
            EACH(v, vecs) {
                const size_t at = 2 * p * TILE_ROWS + (size_t)v * LANES;
                vec a = v_load(x + at), b = v_load(x + at + TILE_ROWS);
                if (fresh) {
                    a = v_fma(minus[v], v_load(f + at), a);
                    b = v_fma(minus[v], v_load(f + at + TILE_ROWS), b);
                }
                even[v] = v_add(even[v], a);
                odd[v] = v_add(odd[v], b);
                v_store(x + p * TILE_ROWS + v * LANES, v_add(a, b));
            }
        EACH(v, vecs) {
            v_store(pull + v * LANES, even[v]);
            v_store(pull + SG_PITCH + v * LANES, odd[v]);
        }
    }
}

/* Those of the last two inputs: MF k of the first is that of rules 2k, 2k + 1 of a quad, of the second
 * that of k and k + 2. */
TILE void inner_pulls(const columns *of_f, const columns *of_a, const int v, vec minus, real *pull)
{
    EACH(k, 2) {
        const int p = 2 * k;
        v_store(pull + k * SG_PITCH, v_fma(minus, v_add(of_f->of[p][v], of_f->of[p + 1][v]),
                                           v_add(of_a->of[p][v], of_a->of[p + 1][v])));
        v_store(pull + (2 + k) * SG_PITCH, v_fma(minus, v_add(of_f->of[k][v], of_f->of[k + 2][v]),
                                                 v_add(of_a->of[k][v], of_a->of[k + 2][v])));
    }
}

TILE void finish_tile(const room *r, size_t o, const int fixed, size_t row, const int vecs,
                      const columns *of_f, const columns *of_a)
{
    const size_t inputs = inputs_of(r, fixed);
    real *pull = r->pull + (o * inputs + inputs - 2) * 2 * SG_PITCH + row;
    vec minus[TILE_VECS];
    outputs_of_tile(r, o, fixed, row, vecs, minus);
    EACH(v, vecs) inner_pulls(of_f, of_a, v, minus[v], pull + v * LANES);
    outer_pulls(r, quads_of(r, fixed), vecs, minus, pull);
}

TILE void pairs_tile(const room *r, const int fixed, size_t row, const int vecs, const bool drops)
{
    columns of_f, of_a;
    clear(&of_f, vecs);
    clear(&of_a, vecs);
    outer_products(r->u + (inputs_of(r, fixed) - 2) * 2 * SG_PITCH + row, quads_of(r, fixed), vecs, r->outer);
    if (fixed) all_eights(r, row, drops, &of_f, &of_a);
    else all_quads(r, 0, row, vecs, true, drops, &of_f, &of_a);
    finish_tile(r, 0, fixed, row, vecs, &of_f, &of_a);
    for (size_t o = 1; !fixed && o < r->b->outputs; o++) {
        clear(&of_a, vecs);
        all_quads(r, o, row, vecs, false, false, &of_f, &of_a);
        finish_tile(r, o, 0, row, vecs, &of_f, &of_a);
    }
}

TILE void pairs_tiles(const room *r, size_t n, const bool drops)
{
    size_t row = 0;
    if (is_fixed(r))
        for (; row < n; row += LANES) pairs_tile(r, FIXED, row, 1, drops);
    for (; row + TILE_ROWS <= n; row += TILE_ROWS) pairs_tile(r, 0, row, TILE_VECS, drops);
    if (row < n) pairs_tile(r, 0, row, 1, drops);
}

static void pairs_forward(const room *r, size_t n, bool drops)
{
    if (drops) pairs_tiles(r, n, true);
    else pairs_tiles(r, n, false);
}

/* --- backward --- */

/* What pulls at MF k, LANES rows from i on. */
TILE vec pull_at(const room *r, size_t k, size_t i, const bool one_output)
{
    const size_t mfs = r->b->mfs, outputs = r->b->outputs;
    vec sum = v_mul(v_load(r->pull + k * SG_PITCH + i), v_load(r->factor + i));
    for (size_t o = 1; !one_output && o < outputs; o++)
        sum = v_fma(v_load(r->pull + (o * mfs + k) * SG_PITCH + i), v_load(r->factor + o * SG_PITCH + i), sum);
    return sum;
}

/* Sums of pull * (x - c) and pull * (x - c)^2 of the two MFs of input j. */
TILE void pairs_moments(const room *r, size_t j, size_t n, const bool one_output)
{
    const sg_condition *in = &r->grid.condition[j];
    const real *x = r->a + in->input * SG_PITCH;
    const vec c0 = v_all(r->c[in->first]), c1 = v_all(r->c[in->first + 1]);
    vec g[4];
    EACH(k, 4) g[k] = v_all(0);
    for (size_t i = 0; i < n; i += LANES) {
        vec at = v_load(x + i), t0 = v_sub(at, c0), t1 = v_sub(at, c1);
        vec w0 = v_mul(pull_at(r, 2 * j, i, one_output), t0), w1 = v_mul(pull_at(r, 2 * j + 1, i, one_output), t1);
        g[0] = v_add(g[0], w0);
        g[1] = v_add(g[1], w1);
        g[2] = v_fma(w0, t0, g[2]);
        g[3] = v_fma(w1, t1, g[3]);
    }
    real sum[8] = {0}; /* as many as a vector may have */
    add_sums(g, 4, sum);
    r->first[in->first] += sum[0];
    r->first[in->first + 1] += sum[1];
    r->second[in->first] += sum[2];
    r->second[in->first + 1] += sum[3];
}

/* For MFs that are not Gaussian: the pulls in the place of the memberships. */
static void put_pulls(const room *r, size_t k, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) v_store(r->u + k * SG_PITCH + i, pull_at(r, k, i, false));
}

static void pairs_backward(room *r, const sg_chunk *c, size_t n)
{
    const bool one_output = r->b->outputs == 1;
    for (size_t j = 0; j < r->grid.conditions; j++) {
        if (!r->gauss) {
            put_pulls(r, 2 * j, n);
            put_pulls(r, 2 * j + 1, n);
            grid_partials(r, &r->grid.condition[j], c);
        } else if (one_output) {
            pairs_moments(r, j, n, true);
        } else {
            pairs_moments(r, j, n, false);
        }
    }
}

#endif
