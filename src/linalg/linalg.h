/* linalg.h: dense linear algebra for small matrices, with a fixed order of additions.
 *
 * Matrices are row-major. A Gram matrix is stored as its lower triangle: element (i, j), j <= i, is at [i * n + j].
 * Elements above the diagonal are never read but may be written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Adds w * phi * phi' of each row to gram, in row order, whatever the block size. phi is (rows, n); w is (rows), or
 * NULL for weights of 1. */
void sg_gram_add(const double *phi, const double *w, size_t rows, size_t n, double *gram);
/* The two implementations, whose results are bitwise identical. sg_gram_add selects one. */
void sg_gram_add_portable(const double *phi, const double *w, size_t rows, size_t n, double *gram);
void sg_gram_add_avx2(const double *phi, const double *w, size_t rows, size_t n, double *gram);
/* Adds w * phi * y' of each row to cross. y is (rows, outputs), and cross is (n, outputs). */
void sg_cross_add(const double *phi, const double *w, const double *y, size_t rows, size_t n, size_t outputs,
                  double *cross);

/* Factorises a = L L' in place. Returns false if a is not positive definite to working precision. */
bool sg_cholesky(double *a, size_t n);
/* Like sg_cholesky, but the first `done` rows of a must already be those of L. The result is bitwise identical to that
 * of factorising all rows. */
bool sg_cholesky_extend(double *a, size_t n, size_t done);
/* Solves L L' x = b in place for each column of b (n, columns). */
void sg_cholesky_solve(const double *l, size_t n, double *b, size_t columns);

/* Computes the transposed inverse of L: for j <= i, element (j, i) of `inverse` is element (i, j) of the inverse of L;
 * the other elements are 0. The dot product of rows i and j of `inverse` is then element (i, j) of the inverse of a = L
 * L'. */
void sg_triangular_inverse(const double *l, size_t n, double *inverse);
/* Returns element (i, j) of the inverse of a, given the transposed inverse of L. */
double sg_inverse_element(const double *inverse, size_t n, size_t i, size_t j);

/* Computes the eigenvalues of the symmetric matrix a in descending order, and its eigenvectors: row i belongs to
 * eigenvalue i, and its largest component is positive. a must be stored in full, and is destroyed. work must have space
 * for n values. */
void sg_eigen(double *a, size_t n, double *values, double *vectors, double *work);
