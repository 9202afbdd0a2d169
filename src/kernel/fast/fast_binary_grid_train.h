/* fast_binary_grid_train.h: training of a full grid with two MFs per input, the structure of the paper.
 *
 * One pass over the rules, four at a time (the combinations of the last two inputs), computes firing levels, outputs
 * and the sums over the rules that share an MF. The log gradient of an MF is
 *
 *     factor * sum over its rules of f_r (y_r - y) = factor * (A - d F),  A = sum f_r y'_r,  F = sum f_r
 *
 * with y'_r = y_r - m and d = y - m, where m is the mean of the rule outputs. A and F can be summed before y is known.
 * Outputs are relative to m, whose coefficients are subtracted from those of the rules beforehand, so A - d F is as
 * accurate as a sum of y_r - y. Each MF has its own sums, because an MF that hardly fires must not receive rounding
 * errors from its neighbour. */
#pragma once

#include "kernel/fast/fast_grid_antecedents.h"

/* --- Parameters --- */

/* Computes the mean of each coefficient over the rules: (terms + 1, outputs), as in the block. */
TILE void mean_coefficients(const double *b, size_t rules, size_t width, double *mean)
{
    const double *end = b + rules * width;
    for (size_t k = 0; k < width; k++) mean[k] = 0;
    for (; b < end; b += 4 * width) /* in fours, to shorten the chain of additions */
        for (size_t k = 0; k < width; k++) mean[k] += (b[k] + b[k + width]) + (b[k + 2 * width] + b[k + 3 * width]);
    for (size_t k = 0; k < width; k++) mean[k] /= (double)rules;
}

/* Loads the mean coefficients and the differences between the coefficients of all rules and these means. */
static void load_differences(const workspace *ws)
{
    const size_t outputs = ws->b->outputs, width = (ws->b->terms + 1) * outputs, rules = ws->b->rules;
    const double *b = ws->b->conseq, *mean = ws->mean_coef64;
    real *base = ws->mean_coef, *to = ws->coef;
    mean_coefficients(b, rules, width, ws->mean_coef64);
    for (size_t o = 0; o < outputs; o++) {
        for (size_t k = o; k < width; k += outputs) *base++ = to_real(mean[k]);
        for (size_t at = 0; at < rules * width; at += width)
            for (size_t k = o; k < width; k += outputs) *to++ = to_real(b[at + k] - mean[k]);
    }
}

/* Like load_differences, for FIXED inputs. */
static void load_fixed_differences(const workspace *ws)
{
    enum { WIDTH = FIXED + 1, RULES = 1 << FIXED };
    const double *b = ws->b->conseq;
    double mean[WIDTH], difference[RULES * WIDTH];
    mean_coefficients(b, RULES, WIDTH, mean);
    for (size_t p = 0; p < RULES; p++)
        for (size_t k = 0; k < WIDTH; k++) difference[p * WIDTH + k] = b[p * WIDTH + k] - mean[k];
    for (size_t k = 0; k < WIDTH; k++) ws->mean_coef[k] = to_real(mean[k]);
    for (size_t i = 0; i < RULES * WIDTH; i += LANES) v_store(ws->coef + i, v_to_real(difference + i));
}

static void load_binary_grid(const workspace *ws)
{
    if (is_fixed(ws)) load_fixed_differences(ws);
    else load_differences(ws);
}

/* --- Forward: tiles of one or two vectors of rows, starting at `row` ---
 * `fixed` is the number of inputs and terms if it is a constant, otherwise 0. Firing levels are stored vector by
 * vector, and rule by rule within each vector; see firing_at. */

enum { TILE_VECS = 2, TILE_ROWS = TILE_VECS * LANES };

TILE size_t inputs_of(const workspace *ws, const int fixed) { return fixed ? (size_t)fixed : ws->grid.axes; }

TILE size_t terms_of(const workspace *ws, const int fixed) { return fixed ? (size_t)fixed : ws->b->terms; }

TILE size_t quads_of(const workspace *ws, const int fixed)
{
    return fixed ? (size_t)1 << (fixed - 2) : ws->b->rules / 4;
}

/* Computes h (rules / 4, TILE_ROWS), the products of the memberships of all inputs but the last two. u points to the
 * memberships of the last two inputs; those of the other inputs precede them. */
TILE void outer_products(const real *u, size_t quads, const int vecs, real *h)
{
    EACH(v, vecs) v_store(h + v * LANES, v_set1(1));
    for (size_t size = 1; size < quads; size *= 2) {
        vec u0[TILE_VECS], u1[TILE_VECS];
        u -= 2 * SG_PITCH;
        EACH(v, vecs)
        {
            u0[v] = v_load(u + v * LANES);
            u1[v] = v_load(u + SG_PITCH + v * LANES);
        }
        for (size_t p = 0; p < size; p++) EACH(v, vecs)
            {
                vec x = v_load(h + p * TILE_ROWS + v * LANES);
                v_store(h + (size + p) * TILE_ROWS + v * LANES, v_mul(u1[v], x));
                v_store(h + p * TILE_ROWS + v * LANES, v_mul(u0[v], x));
            }
    }
}

/* Like outer_products, for FIXED inputs, in registers. */
TILE void outer_products_fixed(const real *u, const int vecs, real *h)
{
    EACH(v, vecs)
    {
        vec x[1 << (FIXED - 2)];
        x[0] = v_set1(1);
        EACH(j, FIXED - 2)
        EACH(p, 1 << (FIXED - 3))
        {
            if (p >= 1 << j) continue;
            const real *of = u - (j + 1) * 2 * SG_PITCH + v * LANES;
            x[(1 << j) + p] = v_mul(v_load(of + SG_PITCH), x[p]);
            x[p] = v_mul(v_load(of), x[p]);
        }
        EACH(q, 1 << (FIXED - 2)) v_store(h + q * TILE_ROWS + v * LANES, x[q]);
    }
}

/* Computes the four products of the memberships of the last two inputs: (4, TILE_ROWS). */
TILE void inner_products(const real *u, const int vecs, real *inner)
{
    EACH(v, vecs)
    EACH(p, 4)
    v_store(inner + p * TILE_ROWS + v * LANES,
            v_mul(v_load(u + (p / 2) * SG_PITCH + v * LANES), v_load(u + (2 + p % 2) * SG_PITCH + v * LANES)));
}

/* Sums over all quads, separately for the first, second, third and fourth rule of a quad. */
typedef struct quad_sums {
    vec of[4][TILE_VECS];
} quad_sums;

TILE void clear_quad_sums(quad_sums *s, const int vecs)
{
    EACH(p, 4)
    EACH(v, vecs) s->of[p][v] = v_set1(0);
}

/* Adds the four values of a quad to s. Returns their sum. */
TILE vec add_quad(const vec x[4], quad_sums *s, const int v)
{
    EACH(p, 4) s->of[p][v] = v_add(s->of[p][v], x[p]);
    return v_add(v_add(x[0], x[1]), v_add(x[2], x[3]));
}

/* Computes the firing levels f of a quad, which are 0 for dropped rules. */
TILE void fire_quad(vec outer, const real *inner, const bool drops, vbits *bits, real *firing, vec f[4])
{
    EACH(i, 4)
    {
        const int p = 3 - i;
        f[p] = v_mul(outer, v_load(inner + p * TILE_ROWS));
        if (drops) {
            f[p] = v_mask(f[p], *bits);
            *bits = v_bits_next(*bits);
        }
        v_store(firing + p * LANES, f[p]);
    }
}

/* Computes, in descending order of the rules, their firing levels f (for the first output only), the sum of f over each
 * quad, which replaces its outer product, and the sum of f y' over each quad. */
TILE void fire_all_quads(const workspace *ws, size_t o, const int fixed, size_t row, const int vecs, const bool first,
                         const bool drops, quad_sums *of_f, quad_sums *of_a)
{
    const size_t terms = terms_of(ws, fixed), quads = quads_of(ws, fixed), lane_stride = ws->lane_stride,
                 step = 4 * (terms + 1);
    const real *z = ws->z + row, *coef = ws->coef + (o + 1) * quads * step;
    real *f = firing_at(ws, row) + 4 * quads * LANES;
    real *total_f = ws->outer + quads * TILE_ROWS, *total_a = ws->total + quads * TILE_ROWS;
    real inner[4 * TILE_ROWS];
    vbits bits[TILE_VECS];
    if (first) inner_products(ws->u + (inputs_of(ws, fixed) - 2) * 2 * SG_PITCH + row, vecs, inner);
    if (drops)
        EACH(v, vecs) bits[v] = v_bits(keep_mask_at(ws, 4 * quads - 1, row + (size_t)v * LANES), (4 * quads - 1) % 32);
    for (size_t q = quads; q-- > 0;) {
        vec e[TILE_RULES][MAX_TILE_VECS];
        coef -= step;
        f -= 4 * LANES;
        total_f -= TILE_ROWS;
        total_a -= TILE_ROWS;
        if (drops && q % 8 == 7 && quads > 8)
            EACH(v, vecs) bits[v] = v_bits(keep_mask_at(ws, 4 * q, row + (size_t)v * LANES), 31);
        rule_outputs(coef, terms, z, 4, vecs, e);
        EACH(v, vecs)
        {
            vec x[4];
            if (first) {
                fire_quad(v_load(total_f + v * LANES), inner + v * LANES, drops, &bits[v], f + v * lane_stride, x);
                v_store(total_f + v * LANES, add_quad(x, of_f, v));
            } else {
                EACH(p, 4) x[p] = v_load(f + v * lane_stride + p * LANES);
            }
            EACH(p, 4) x[p] = v_mul(x[p], e[p][v]);
            v_store(total_a + v * LANES, add_quad(x, of_a, v));
        }
    }
}

/* Computes the sums over the quads that share an MF, (inputs, 2, TILE_ROWS), for the first `inputs` inputs (all but the
 * last two) in descending order. x holds the values of the quads and is overwritten. Returns the total. */
TILE vec sum_quads(real *x, size_t inputs, real *to)
{
    while (inputs-- > 0) {
        vec sum[2] = {v_load(x), v_load(x + TILE_ROWS)};
        v_store(x, v_add(sum[0], sum[1]));
        for (size_t p = 1; p < (size_t)1 << inputs; p++) {
            vec a = v_load(x + 2 * p * TILE_ROWS), b = v_load(x + (2 * p + 1) * TILE_ROWS);
            v_store(x + p * TILE_ROWS, v_add(a, b));
            sum[0] = v_add(sum[0], a);
            sum[1] = v_add(sum[1], b);
        }
        EACH(k, 2) v_store(to + (2 * inputs + (size_t)k) * TILE_ROWS, sum[k]);
    }
    return v_load(x);
}

/* Like sum_quads, for FIXED inputs, in registers. */
TILE vec sum_quads_fixed(const real *from, vec to[2 * (FIXED - 2)])
{
    vec x[1 << (FIXED - 2)];
    EACH(q, 1 << (FIXED - 2)) x[q] = v_load(from + q * TILE_ROWS);
    EACH(i, FIXED - 2)
    {
        const int j = FIXED - 3 - i;
        vec *sum = to + 2 * j;
        EACH(k, 2) sum[k] = x[k];
        x[0] = v_add(x[0], x[1]);
        EACH(p, 1 << (FIXED - 3))
        {
            if (p == 0 || p >= 1 << j) continue;
            EACH(k, 2) sum[k] = v_add(sum[k], x[2 * p + k]);
            x[p] = v_add(x[2 * p], x[2 * p + 1]);
        }
    }
    return x[0];
}

/* Returns the mean of the rule outputs. */
TILE vec mean_output(const workspace *ws, size_t o, const int fixed, size_t row)
{
    const size_t terms = terms_of(ws, fixed);
    const real *b = ws->mean_coef + o * (terms + 1), *z = ws->z + row;
    vec y = v_set1(b[0]);
    for (size_t k = 0; k < terms; k++) y = v_fma(v_set1(b[k + 1]), v_load(z + k * SG_PITCH), y);
    return y;
}

/* Computes the log gradients of the MFs of the last two inputs. Rules 2k and 2k + 1 of a quad share MF k of the first
 * input; rules k and k + 2 share MF k of the second. */
TILE void inner_log_grads(const quad_sums *of_f, const quad_sums *of_a, const int v, vec minus, real *log_grad)
{
    EACH(k, 2)
    {
        const int p = 2 * k;
        v_store(log_grad + k * SG_PITCH,
                v_fma(minus, v_add(of_f->of[p][v], of_f->of[p + 1][v]), v_add(of_a->of[p][v], of_a->of[p + 1][v])));
        v_store(log_grad + (2 + k) * SG_PITCH,
                v_fma(minus, v_add(of_f->of[k][v], of_f->of[k + 2][v]), v_add(of_a->of[k][v], of_a->of[k + 2][v])));
    }
}

/* Stores the sum of the firing levels and the output. Returns minus the difference between the output and the mean of
 * the rule outputs. */
TILE vec store_output(const workspace *ws, size_t o, const int fixed, size_t at, vec sum, vec total)
{
    vec d = v_div(total, sum);
    v_store(ws->sum + at, sum);
    v_store(ws->y + o * SG_PITCH + at, v_add(mean_output(ws, o, fixed, at), d));
    return v_sub(v_set1(0), d);
}

/* Computes the output and the log gradients of the MFs from the sums. */
TILE void finish_binary_grid_tile(const workspace *ws, size_t o, size_t row, const int vecs, const quad_sums *of_f,
                                  const quad_sums *of_a)
{
    const size_t inputs = ws->grid.axes, outer = inputs - 2;
    EACH(v, vecs)
    {
        const size_t at = row + (size_t)v * LANES;
        real *f = ws->mf_sums + v * LANES, *a = f + 2 * outer * TILE_ROWS;
        real *log_grad = ws->log_grad + o * inputs * 2 * SG_PITCH + at;
        vec sum = o == 0 ? sum_quads(ws->outer + v * LANES, outer, f) : v_load(ws->sum + at);
        vec minus = store_output(ws, o, 0, at, sum, sum_quads(ws->total + v * LANES, outer, a));
        for (size_t k = 0; k < 2 * outer; k++)
            v_store(log_grad + k * SG_PITCH, v_fma(minus, v_load(f + k * TILE_ROWS), v_load(a + k * TILE_ROWS)));
        inner_log_grads(of_f, of_a, v, minus, log_grad + 2 * outer * SG_PITCH);
    }
}

TILE void finish_tile_fixed(const workspace *ws, size_t row, const int vecs, const quad_sums *of_f,
                            const quad_sums *of_a)
{
    enum { OUTER = FIXED - 2 };
    EACH(v, vecs)
    {
        const size_t at = row + (size_t)v * LANES;
        real *log_grad = ws->log_grad + at;
        vec f[2 * OUTER], a[2 * OUTER], sum = sum_quads_fixed(ws->outer + v * LANES, f);
        vec minus = store_output(ws, 0, FIXED, at, sum, sum_quads_fixed(ws->total + v * LANES, a));
        EACH(k, 2 * OUTER) v_store(log_grad + k * SG_PITCH, v_fma(minus, f[k], a[k]));
        inner_log_grads(of_f, of_a, v, minus, log_grad + 2 * OUTER * SG_PITCH);
    }
}

TILE void binary_grid_tile(const workspace *ws, const int fixed, size_t row, const int vecs, const bool drops)
{
    const real *u = ws->u + (inputs_of(ws, fixed) - 2) * 2 * SG_PITCH + row;
    quad_sums of_f, of_a;
    clear_quad_sums(&of_f, vecs);
    clear_quad_sums(&of_a, vecs);
    if (fixed) outer_products_fixed(u, vecs, ws->outer);
    else outer_products(u, quads_of(ws, 0), vecs, ws->outer);
    fire_all_quads(ws, 0, fixed, row, vecs, true, drops, &of_f, &of_a);
    if (fixed) finish_tile_fixed(ws, row, vecs, &of_f, &of_a);
    else finish_binary_grid_tile(ws, 0, row, vecs, &of_f, &of_a);
    for (size_t o = 1; !fixed && o < ws->b->outputs; o++) {
        clear_quad_sums(&of_a, vecs);
        fire_all_quads(ws, o, 0, row, vecs, false, false, &of_f, &of_a);
        finish_binary_grid_tile(ws, o, row, vecs, &of_f, &of_a);
    }
}

TILE void binary_grid_tiles(const workspace *ws, size_t n, const bool drops)
{
    const bool fixed = is_fixed(ws);
    size_t row = 0;
    for (; row + TILE_ROWS <= n; row += TILE_ROWS)
        fixed ? binary_grid_tile(ws, FIXED, row, TILE_VECS, drops) : binary_grid_tile(ws, 0, row, TILE_VECS, drops);
    if (row < n) fixed ? binary_grid_tile(ws, FIXED, row, 1, drops) : binary_grid_tile(ws, 0, row, 1, drops);
}

static void binary_grid_forward(const workspace *ws, size_t n, bool drops)
{
    if (drops) binary_grid_tiles(ws, n, true);
    else binary_grid_tiles(ws, n, false);
}

/* --- Backward --- */

/* Returns the log gradient of MF k for the LANES rows that start at i. */
TILE vec mf_log_grad_at(const workspace *ws, size_t k, size_t i, const bool one_output)
{
    const size_t mfs = ws->b->mfs, outputs = ws->b->outputs;
    vec sum = v_mul(v_load(ws->log_grad + k * SG_PITCH + i), v_load(ws->factor + i));
    for (size_t o = 1; !one_output && o < outputs; o++)
        sum = v_fma(v_load(ws->log_grad + (o * mfs + k) * SG_PITCH + i), v_load(ws->factor + o * SG_PITCH + i), sum);
    return sum;
}

/* Sums log_grad * (x - c) and log_grad * (x - c)^2 for the two MFs of input j. */
TILE void binary_grid_moments(const workspace *ws, size_t j, size_t n, const bool one_output)
{
    const sg_grid_axis *in = &ws->grid.axis[j];
    const real *x = ws->a + in->input * SG_PITCH;
    const vec c0 = v_set1(ws->c[in->first]), c1 = v_set1(ws->c[in->first + 1]);
    vec g[4];
    EACH(k, 4) g[k] = v_set1(0);
    for (size_t i = 0; i < n; i += LANES) {
        vec at = v_load(x + i), t0 = v_sub(at, c0), t1 = v_sub(at, c1);
        vec w0 = v_mul(mf_log_grad_at(ws, 2 * j, i, one_output), t0),
            w1 = v_mul(mf_log_grad_at(ws, 2 * j + 1, i, one_output), t1);
        g[0] = v_add(g[0], w0);
        g[1] = v_add(g[1], w1);
        g[2] = v_fma(w0, t0, g[2]);
        g[3] = v_fma(w1, t1, g[3]);
    }
    real sum[4] = {0};
    add_sums(g, 4, sum);
    ws->moment1[in->first] += sum[0];
    ws->moment1[in->first + 1] += sum[1];
    ws->moment2[in->first] += sum[2];
    ws->moment2[in->first + 1] += sum[3];
}

/* Replaces the memberships with the log gradients, for MFs that are not Gaussian. */
static void store_log_grads(const workspace *ws, size_t k, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) v_store(ws->u + k * SG_PITCH + i, mf_log_grad_at(ws, k, i, false));
}

static void binary_grid_backward(workspace *ws, const sg_chunk *c, size_t n)
{
    const bool one_output = ws->b->outputs == 1;
    for (size_t o = 0; ws->missing && o < ws->b->outputs; o++)
        fill_missing_mfs(ws, 0, ws->log_grad + o * ws->b->mfs * SG_PITCH, n);
    for (size_t j = 0; j < ws->grid.axes; j++) {
        if (!ws->gauss) {
            store_log_grads(ws, 2 * j, n);
            store_log_grads(ws, 2 * j + 1, n);
            grid_partials(ws, &ws->grid.axis[j], c);
        } else if (one_output) {
            binary_grid_moments(ws, j, n, true);
        } else {
            binary_grid_moments(ws, j, n, false);
        }
    }
}
