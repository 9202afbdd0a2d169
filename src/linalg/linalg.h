/* linalg.h: the little linear algebra that is needed, with a fixed order of every addition.
 *
 * Matrices are row-major. A Gram matrix holds its lower triangle: element (i, j), j <= i, at
 * [i * n + j]; what lies above the diagonal is never looked at, but may be written. */
#ifndef SG_LINALG_LINALG_H
#define SG_LINALG_LINALG_H

#include <stdbool.h>
#include <stddef.h>

/* gram += sum over rows of w * phi * phi', in row order whatever the block size: phi is
 * (rows, n), w (rows) or NULL for ones. */
void sg_gram_add(const double *phi, const double *w, size_t rows, size_t n, double *gram);
/* The same bits, by any machine and by one that has AVX2: it calls one of them. */
void sg_gram_add_portable(const double *phi, const double *w, size_t rows, size_t n, double *gram);
void sg_gram_add_avx2(const double *phi, const double *w, size_t rows, size_t n, double *gram);
/* cross += sum over rows of w * phi * y': y is (rows, outputs), cross (n, outputs). */
void sg_cross_add(const double *phi, const double *w, const double *y, size_t rows, size_t n, size_t outputs,
                  double *cross);

/* a = L L' in place; false where a is not positive definite to working precision. */
bool sg_cholesky(double *a, size_t n);
/* Solves L L' x = b in place for each of the columns of b (n, columns). */
void sg_cholesky_solve(const double *l, size_t n, double *b, size_t columns);

/* Eigenvalues (descending) and eigenvectors (row i belongs to value i, its largest component is
 * positive) of the symmetric matrix a, given in full, which is destroyed. work: n numbers. */
void sg_eigen(double *a, size_t n, double *values, double *vectors, double *work);

#endif
