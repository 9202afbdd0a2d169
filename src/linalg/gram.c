/* gram.c: accumulates normal equations row by row.
 *
 * Four rows are added in one pass over the matrix, but each element receives them one after the other, so the result is
 * bitwise identical however the rows are divided into blocks. */
#include "linalg/linalg.h"

static void add_one_row(const double *phi, double w, size_t n, double *gram)
{
    for (size_t i = 0; i < n; i++) {
        double s = w * phi[i], *g = gram + i * n;
        for (size_t j = 0; j <= i; j++) g[j] += s * phi[j];
    }
}

static void add_four_rows(const double *phi, const double w[4], size_t n, double *gram)
{
    const double *p0 = phi, *p1 = p0 + n, *p2 = p1 + n, *p3 = p2 + n;
    for (size_t i = 0; i < n; i++) {
        double s0 = w[0] * p0[i], s1 = w[1] * p1[i], s2 = w[2] * p2[i], s3 = w[3] * p3[i];
        double *g = gram + i * n;
        for (size_t j = 0; j <= i; j++) g[j] = (((g[j] + s0 * p0[j]) + s1 * p1[j]) + s2 * p2[j]) + s3 * p3[j];
    }
}

void sg_gram_add_portable(const double *phi, const double *w, size_t rows, size_t n, double *gram)
{
    static const double ones[4] = {1, 1, 1, 1};
    size_t r = 0;
    for (; r + 4 <= rows; r += 4) add_four_rows(phi + r * n, w ? w + r : ones, n, gram);
    for (; r < rows; r++) add_one_row(phi + r * n, w ? w[r] : 1, n, gram);
}

typedef void gram_fn(const double *phi, const double *w, size_t rows, size_t n, double *gram);

#if defined(__x86_64__)
static gram_fn *select_kernel(void) { return __builtin_cpu_supports("avx2") ? sg_gram_add_avx2 : sg_gram_add_portable; }
#else
static gram_fn *select_kernel(void) { return sg_gram_add_portable; }
#endif

void sg_gram_add(const double *phi, const double *w, size_t rows, size_t n, double *gram)
{
    select_kernel()(phi, w, rows, n, gram);
}

static inline void add_cross_products(const double *phi, double w, const double *y, size_t n, size_t outputs,
                                      double *restrict cross)
{
    for (size_t i = 0; i < n; i++)
        for (size_t o = 0; o < outputs; o++) cross[i * outputs + o] += w * phi[i] * y[o];
}

void sg_cross_add(const double *phi, const double *w, const double *y, size_t rows, size_t n, size_t outputs,
                  double *cross)
{
    for (size_t r = 0; r < rows; r++, phi += n, y += outputs) {
        if (outputs == 1) add_cross_products(phi, w ? w[r] : 1, y, n, 1, cross); /* a constant 1 is faster */
        else add_cross_products(phi, w ? w[r] : 1, y, n, outputs, cross);
    }
}
