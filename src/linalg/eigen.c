/* eigen.c: computes the eigenvalues and eigenvectors of a symmetric matrix.
 *
 * Householder reflections reduce the matrix to tridiagonal form, which implicit QL rotations with Wilkinson's shift
 * then diagonalise (Golub and Van Loan, "Matrix Computations", 4th ed., section 8.3). */
#include "linalg/linalg.h"

#include <float.h>
#include <math.h>

/* Applies the reflection that makes column k of a zero below the subdiagonal to both sides of a, and to q from the
 * left, so that in the end, q a0 q' is tridiagonal, where a0 is the original matrix. v and w are scratch space for n
 * values each. */
static void householder_reflect(double *a, size_t n, size_t k, double *q, double *v, double *w)
{
    double scale = 0, norm2 = 0;
    for (size_t i = k + 1; i < n; i++) scale = fmax(scale, fabs(a[i * n + k]));
    if (scale == 0) return;
    for (size_t i = k + 1; i < n; i++) {
        v[i] = a[i * n + k] / scale;
        norm2 += v[i] * v[i];
    }
    double alpha = v[k + 1] > 0 ? -sqrt(norm2) : sqrt(norm2);
    double beta = norm2 - alpha * v[k + 1]; /* equals v'v / 2 after the next line */
    v[k + 1] -= alpha;
    if (beta == 0) return;
    for (size_t i = k; i < n; i++) { /* a := a (I - v v' / beta); rows before k are finished */
        double s = 0;
        for (size_t j = k + 1; j < n; j++) s += a[i * n + j] * v[j];
        s /= beta;
        for (size_t j = k + 1; j < n; j++) a[i * n + j] -= s * v[j];
    }
    for (int matrix = 0; matrix < 2; matrix++) { /* a := (I - v v' / beta) a, then q := (I - v v' / beta) q */
        double *x = matrix ? q : a;
        size_t from = matrix ? 0 : k;
        for (size_t j = from; j < n; j++) w[j] = 0;
        for (size_t i = k + 1; i < n; i++) /* row by row, in storage order */
            for (size_t j = from; j < n; j++) w[j] += v[i] * x[i * n + j];
        for (size_t j = from; j < n; j++) w[j] /= beta;
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = from; j < n; j++) x[i * n + j] -= w[j] * v[i];
    }
}

/* Rotates rows i and i + 1 of q. */
static void givens_rotate(double *q, size_t n, size_t i, double c, double s)
{
    double *x = q + i * n, *y = x + n;
    for (size_t k = 0; k < n; k++) {
        double t = y[k];
        y[k] = s * x[k] + c * t;
        x[k] = c * x[k] - s * t;
    }
}

/* Performs an implicit QL sweep on rows l to m of the tridiagonal matrix (diagonal d, subdiagonal e), and rotates q. */
static void ql_sweep(double *d, double *e, size_t l, size_t m, double *q, size_t n)
{
    double g = (d[l + 1] - d[l]) / (2 * e[l]);
    double r = sqrt(g * g + 1);
    g = d[m] - d[l] + e[l] / (g + (g < 0 ? -r : r));
    double s = 1, c = 1, p = 0;
    for (size_t i = m; i-- > l;) {
        double f = s * e[i], b = c * e[i];
        r = sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r == 0) {
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        givens_rotate(q, n, i, c, s);
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

static size_t find_small_subdiagonal(const double *d, const double *e, size_t l, size_t n)
{
    size_t m = l;
    while (m + 1 < n && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1]))) m++;
    return m;
}

static void swap_rows(double *values, double *vectors, size_t n, size_t i, size_t j)
{
    double t = values[i];
    values[i] = values[j];
    values[j] = t;
    for (size_t k = 0; k < n; k++) {
        t = vectors[i * n + k];
        vectors[i * n + k] = vectors[j * n + k];
        vectors[j * n + k] = t;
    }
}

static void sort_and_sign(double *values, double *vectors, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t top = i, big = 0;
        for (size_t j = i + 1; j < n; j++)
            if (values[j] > values[top]) top = j;
        if (top != i) swap_rows(values, vectors, n, i, top);
        double *v = vectors + i * n;
        for (size_t k = 1; k < n; k++) /* the margin makes the choice robust to rounding */
            if (fabs(v[k]) > fabs(v[big]) * (1 + 1e-9)) big = k;
        if (v[big] < 0)
            for (size_t k = 0; k < n; k++) v[k] = -v[k];
    }
}

/* Divides a by its largest absolute element, so that squares neither overflow nor underflow. Returns the divisor. */
static double scale_to_unit(double *a, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(a[i]));
    if (largest == 0) return 1;
    for (size_t i = 0; i < n * n; i++) a[i] /= largest;
    return largest;
}

void sg_eigen(double *a, size_t n, double *values, double *vectors, double *work)
{
    double scale = scale_to_unit(a, n);
    for (size_t i = 0; i < n * n; i++) vectors[i] = i / n == i % n;
    for (size_t k = 0; k + 2 < n; k++) householder_reflect(a, n, k, vectors, work, values);
    for (size_t i = 0; i < n; i++) {
        values[i] = a[i * n + i];
        work[i] = i + 1 < n ? a[(i + 1) * n + i] : 0;
    }
    for (size_t l = 0; l < n; l++)
        for (int tries = 0; tries < 60; tries++) { /* 2 or 3 sweeps are typical */
            size_t m = find_small_subdiagonal(values, work, l, n);
            if (m == l) break;
            ql_sweep(values, work, l, m, vectors, n);
        }
    for (size_t i = 0; i < n; i++) values[i] *= scale;
    sort_and_sign(values, vectors, n);
}
