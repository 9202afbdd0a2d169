/* cholesky.c: Cholesky factorisation a = L L', row by row, and the two triangular solves. */
#include "linalg/linalg.h"

#include <math.h>

/* A pivot below this fraction of its diagonal element is a rounding error. */
static const double min_relative_pivot = 1e-14;

static double dot(const double *a, const double *b, size_t n)
{
    double s[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++) s[k] += a[i + k] * b[i + k];
    for (; i < n; i++) s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

bool sg_cholesky(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = a + i * n;
        for (size_t j = 0; j < i; j++) row[j] = (row[j] - dot(row, a + j * n, j)) / a[j * n + j];
        double pivot = row[i] - dot(row, row, i);
        if (!(pivot > min_relative_pivot * row[i])) return false; /* also if it is NaN */
        row[i] = sqrt(pivot);
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
