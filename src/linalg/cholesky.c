/* cholesky.c: Cholesky factorisation a = L L', triangular solves, and inverses.
 *
 * Every element of L and of its inverse is computed from one dot product, whose order of additions is fixed
 * (dot_tiles_simd.h). Blocks of columns only reduce how often rows are read; they do not change the result. */
#include "linalg/dot_tiles_simd.h"
#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

/* A pivot below this fraction of its diagonal element is regarded as a rounding error. */
static const double min_relative_pivot = 1e-14;

enum { TALL = 4, BLOCK = 16 }; /* rows of a tile; columns of a block */

#if defined(__x86_64__)
static sg_dot_tiles_fn *select_dot_tiles(void)
{
    return __builtin_cpu_supports("avx2") ? sg_dot_tiles_avx2 : dot_tiles;
}
#else
static sg_dot_tiles_fn *select_dot_tiles(void) { return dot_tiles; }
#endif

/* Adds the products of elements [first, n) to the partial sums of the elements before `first`, which must be a multiple
 * of 4. Returns the dot product. */
static double finish_dot(const double *partial, const double *a, const double *b, size_t first, size_t n)
{
    double s[4];
    size_t i = first;
    memcpy(s, partial, sizeof s);
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++) s[k] += a[i + k] * b[i + k];
    for (; i < n; i++) s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* Computes columns [first, last) of row i. partial: (last - first, 4). Returns false if the pivot is not positive. */
static bool factorise_row(double *a, size_t n, size_t i, size_t first, size_t last, const double *partial)
{
    double *row = a + i * n;
    for (size_t j = first; j < last && j < i; j++, partial += 4)
        row[j] = (row[j] - finish_dot(partial, row, a + j * n, first, j)) / a[j * n + j];
    if (i >= last) return true;
    double pivot = row[i] - finish_dot(partial, row, row, first, i);
    if (!(pivot > min_relative_pivot * row[i])) return false; /* also if it is NaN */
    row[i] = sqrt(pivot);
    return true;
}

bool sg_cholesky(double *a, size_t n) { return sg_cholesky_extend(a, n, 0); }

bool sg_cholesky_extend(double *a, size_t n, size_t done)
{
    double partial[TALL * BLOCK * 4];
    sg_dot_tiles_fn *tiles = select_dot_tiles();
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t last = n - first < BLOCK ? n : first + BLOCK, wide = last - first;
        for (size_t i = first > done ? first : done; i < n; i += TALL) {
            size_t tall = n - i < TALL ? n - i : TALL;
            tiles(tall, wide, a + i * n, a + first * n, n, first, partial);
            for (size_t k = 0; k < tall; k++)
                if (!factorise_row(a, n, i + k, first, last, partial + k * wide * 4)) return false;
        }
    }
    return true;
}

static void solve_column(const double *l, size_t n, double *b, size_t stride)
{
    for (size_t i = 0; i < n; i++) {
        double s = b[i * stride];
        for (size_t j = 0; j < i; j++) s -= l[i * n + j] * b[j * stride];
        b[i * stride] = s / l[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        double s = b[i * stride];
        for (size_t j = i + 1; j < n; j++) s -= l[j * n + i] * b[j * stride];
        b[i * stride] = s / l[i * n + i];
    }
}

void sg_cholesky_solve(const double *l, size_t n, double *b, size_t columns)
{
    for (size_t c = 0; c < columns; c++) solve_column(l, n, b + c, columns);
}

/* Computes elements [i, i + tall) of rows [j, j + wide) of the transposed inverse, where j + wide <= i. In row j, the
 * elements before column j are 0. */
static void invert_tile(const double *l, size_t n, size_t i, size_t tall, size_t j, size_t wide, double *inverse,
                        sg_dot_tiles_fn *tiles)
{
    double partial[TALL * BLOCK * 4];
    size_t start = j / 4 * 4;
    tiles(tall, wide, l + i * n + start, inverse + j * n + start, n, i - start, partial);
    for (size_t r = i; r < i + tall; r++)
        for (size_t c = 0; c < wide; c++) {
            double *to = inverse + (j + c) * n;
            to[r] = -finish_dot(partial + ((r - i) * wide + c) * 4, l + r * n, to, i, r) / l[r * n + r];
        }
}

/* Computes the rows of the transposed inverse that begin within the tile. */
static void invert_diagonal(const double *l, size_t n, size_t i, size_t tall, double *inverse)
{
    const double zero[4] = {0};
    for (size_t j = i; j < i + tall; j++) {
        double *to = inverse + j * n;
        to[j] = 1 / l[j * n + j];
        for (size_t r = j + 1; r < i + tall; r++) to[r] = -finish_dot(zero, l + r * n, to, i, r) / l[r * n + r];
    }
}

void sg_triangular_inverse(const double *l, size_t n, double *inverse)
{
    sg_dot_tiles_fn *tiles = select_dot_tiles();
    memset(inverse, 0, n * n * sizeof *inverse);
    for (size_t i = 0; i < n; i += TALL) {
        size_t tall = n - i < TALL ? n - i : TALL;
        for (size_t j = 0, wide; j < i; j += wide) {
            wide = i - j < BLOCK ? i - j : BLOCK;
            invert_tile(l, n, i, tall, j, wide, inverse, tiles);
        }
        invert_diagonal(l, n, i, tall, inverse);
    }
}

double sg_inverse_element(const double *inverse, size_t n, size_t i, size_t j)
{
    const double zero[4] = {0};
    size_t first = (i > j ? i : j) / 4 * 4;
    return finish_dot(zero, inverse + i * n, inverse + j * n, first, n);
}
