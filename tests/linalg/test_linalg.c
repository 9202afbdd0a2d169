/* test_linalg.c: Gram matrices, Cholesky and eigenvectors, compared with LAPACK. */
#include "base/random/random.h"
#include "linalg/linalg.h"
#include "test.h"

#include <float.h>
#include <lapacke.h>
#include <stdlib.h>

static double *numbers(size_t n, uint64_t seed)
{
    sg_random_stream s = sg_random_stream_at(seed, SG_RANDOM_SYNTHETIC_DATA, 0, n);
    double *x = malloc((n ? n : 1) * sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = sg_random_stream_normal(&s);
    return x;
}

static double *zeros(size_t n) { return calloc(n ? n : 1, sizeof(double)); }

static double *copy_of(const double *x, size_t n)
{
    double *copy = malloc(n * sizeof *copy);
    memcpy(copy, x, n * sizeof *copy);
    return copy;
}

/* --- Gram matrices --- */

enum { ROWS = 23, WIDTH = 7, OUTPUTS = 3 };

typedef struct sums {
    double gram[WIDTH * WIDTH], cross[WIDTH * OUTPUTS];
} sums;

static void add(sums *s, const double *phi, const double *w, const double *y, size_t first, size_t last)
{
    sg_gram_add(phi + first * WIDTH, w ? w + first : NULL, last - first, WIDTH, s->gram);
    sg_cross_add(phi + first * WIDTH, w ? w + first : NULL, y + first * OUTPUTS, last - first, WIDTH, OUTPUTS,
                 s->cross);
}

static void gram_is_the_sum_of_products(void **state)
{
    double *phi = numbers(ROWS * WIDTH, 1), *y = numbers(ROWS * OUTPUTS, 2), *w = numbers(ROWS, 3);
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        sums s = {0};
        add(&s, phi, weighted ? w : NULL, y, 0, ROWS);
        for (size_t i = 0; i < WIDTH; i++) {
            for (size_t j = 0; j <= i; j++) {
                long double sum = 0;
                for (size_t r = 0; r < ROWS; r++)
                    sum += (long double)(weighted ? w[r] : 1) * phi[r * WIDTH + i] * phi[r * WIDTH + j];
                assert_close(s.gram[i * WIDTH + j], (double)sum, 1e-13);
            }
            for (size_t o = 0; o < OUTPUTS; o++) {
                long double sum = 0;
                for (size_t r = 0; r < ROWS; r++)
                    sum += (long double)(weighted ? w[r] : 1) * phi[r * WIDTH + i] * y[r * OUTPUTS + o];
                assert_close(s.cross[i * OUTPUTS + o], (double)sum, 1e-13);
            }
        }
    }
    free(phi);
    free(y);
    free(w);
}

/* The same bits for every partition of the rows into up to three blocks, and one by one. */
static void gram_does_not_depend_on_blocks(void **state)
{
    double *phi = numbers(ROWS * WIDTH, 4), *y = numbers(ROWS * OUTPUTS, 5), *w = numbers(ROWS, 6);
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        const double *weights = weighted ? w : NULL;
        sums whole = {0}, single = {0};
        add(&whole, phi, weights, y, 0, ROWS);
        for (size_t r = 0; r < ROWS; r++) add(&single, phi, weights, y, r, r + 1);
        assert_memory_equal(&single, &whole, sizeof whole);
        for (size_t a = 0; a <= ROWS; a++)
            for (size_t b = a; b <= ROWS; b++) {
                sums cut = {0};
                add(&cut, phi, weights, y, 0, a);
                add(&cut, phi, weights, y, a, b);
                add(&cut, phi, weights, y, b, ROWS);
                assert_memory_equal(&cut, &whole, sizeof whole);
            }
    }
    free(phi);
    free(y);
    free(w);
}

/* For any width, including partial vectors, and any number of rows. */
static void gram_has_the_bits_of_the_plain_one(void **state)
{
    enum { MOST = 70, WIDEST = 21 };
    double *phi = numbers(MOST * WIDEST, 7), *w = numbers(MOST, 8);
    (void)state;
    for (size_t n = 1; n <= WIDEST; n++)
        for (size_t rows = 0; rows <= MOST; rows++) {
            double plain[WIDEST * WIDEST] = {2.385}, fast[WIDEST * WIDEST] = {2.385};
            sg_gram_add_portable(phi, rows % 2 ? w : NULL, rows, n, plain);
            sg_gram_add(phi, rows % 2 ? w : NULL, rows, n, fast);
            for (size_t i = 0; i < n; i++) assert_memory_equal(fast + i * n, plain + i * n, (i + 1) * sizeof *plain);
        }
    free(phi);
    free(w);
}

/* --- Cholesky --- */

/* Positive definite, with garbage in the upper triangle, which must not be read. */
static double *definite(size_t n, uint64_t seed)
{
    double *phi = numbers((n + 5) * n, seed), *a = zeros(n * n);
    sg_gram_add(phi, NULL, n + 5, n, a);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) a[i * n + j] = NAN;
    free(phi);
    return a;
}

static void cholesky_agrees_with_lapack(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 33, 60};
    static const size_t columns[] = {1, 2, 5};
    static const double scales[] = {1, 1e-150, 1e150};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t c = 0; c < 3; c++)
            for (size_t s = 0; s < 3; s++) {
                size_t n = sizes[k], m = columns[c];
                double *a = definite(n, 10 + n), *b = numbers(n * m, 20 + n), largest = 0;
                for (size_t i = 0; i < n * n; i++) a[i] *= scales[s];
                double *ours = copy_of(a, n * n), *x = copy_of(b, n * m);
                assert_true(sg_cholesky(ours, n));
                sg_cholesky_solve(ours, n, x, m);
                assert_int_equal(LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', (int)n, a, (int)n), 0);
                for (size_t i = 0; i < n; i++)
                    for (size_t j = 0; j <= i; j++)
                        assert_close(ours[i * n + j], a[i * n + j], 1e-12 * sqrt(scales[s]) * (double)n);
                for (size_t o = 0; o < m; o++) { /* LAPACK expects contiguous right-hand sides */
                    double *one = malloc(n * sizeof *one);
                    for (size_t i = 0; i < n; i++) one[i] = b[i * m + o];
                    assert_int_equal(LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', (int)n, 1, a, (int)n, one, (int)n), 0);
                    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(one[i]));
                    for (size_t i = 0; i < n; i++) assert_close(x[i * m + o], one[i], 1e-9 * largest);
                    free(one);
                }
                free(a);
                free(b);
                free(ours);
                free(x);
            }
}

static void cholesky_solves_what_was_asked(void **state)
{
    enum { N = 17, M = 3 };
    double *a = definite(N, 30), *x = numbers(N * M, 31), *b = zeros(N * M);
    (void)state;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            for (size_t o = 0; o < M; o++) b[i * M + o] += (j <= i ? a[i * N + j] : a[j * N + i]) * x[j * M + o];
    assert_true(sg_cholesky(a, N));
    sg_cholesky_solve(a, N, b, M);
    for (size_t i = 0; i < N * M; i++) assert_close(b[i], x[i], 1e-10);
    free(a);
    free(x);
    free(b);
}

/* The product of a matrix and its computed inverse is the identity, for whole and partial tiles. */
static void the_inverse_of_the_factor_gives_the_inverse(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 65, 70};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k];
        double *a = definite(n, 40 + n), *l = copy_of(a, n * n), *triangle = zeros(n * n), *inverse = zeros(n * n);
        assert_true(sg_cholesky(l, n));
        sg_triangular_inverse(l, n, triangle);
        for (size_t i = 0; i < n * n; i++) inverse[i] = sg_inverse_element(triangle, n, i / n, i % n);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double sum = 0;
                for (size_t m = 0; m < n; m++) sum += (m <= i ? a[i * n + m] : a[m * n + i]) * inverse[m * n + j];
                assert_close(sum, i == j, 1e-8);
            }
        free(a);
        free(l);
        free(triangle);
        free(inverse);
    }
}

static void cholesky_refuses(void **state)
{
    static const struct {
        size_t n;
        double a[9];
    } cases[] = {
        {1, {0}},
        {1, {-2.385}},
        {1, {NAN}},
        {2, {0, 0, 0, 0}},
        {2, {1, 0, 2, 1}},         /* indefinite                     */
        {2, {1, 0, 1, 1}},         /* singular                       */
        {2, {4, 0, 2, 1 + 1e-16}}, /* singular to working precision  */
        {2, {2, 0, NAN, 2}},
        {3, {2, 0, 0, 1, 2, 0, 3, 3, 4.5}}, /* third = sum of the others      */
        {3, {1, 0, 0, 0, 1, 0, 0, 0, -1e-3}},
        {3, {1e300, 0, 0, 1e300, 1e300, 0, 0, 0, 1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double a[9];
        memcpy(a, cases[i].a, sizeof a);
        if (sg_cholesky(a, cases[i].n)) fail_msg("case %zu was factored", i);
    }
    double last[4] = {1, 0, 1 - 1e-6, 1}; /* ill-conditioned, but definite */
    assert_true(sg_cholesky(last, 2));
}

/* A duplicate column, exact or nearly, is detected among many rows. */
static void cholesky_refuses_copies(void **state)
{
    enum { N = 6, COUNT = 40 };
    double *phi = numbers(COUNT * N, 40), a[N * N] = {0};
    (void)state;
    for (size_t r = 0; r < COUNT; r++) phi[r * N + 5] = 0.3 * phi[r * N] - 1.7 * phi[r * N + 2];
    sg_gram_add(phi, NULL, COUNT, N, a);
    assert_false(sg_cholesky(a, N));
    memset(a, 0, sizeof a);
    sg_gram_add(phi, NULL, COUNT, N, a);
    for (size_t i = 0; i < N; i++) a[i * N + i] += 0.05; /* what l2 is for */
    assert_true(sg_cholesky(a, N));
    free(phi);
}

/* --- Eigenvectors --- */

/* Values against LAPACK, a v = lambda v, orthogonality, order, sign. */
static void check_eigen(const double *a, size_t n, const char *what)
{
    double *spoilt = copy_of(a, n * n), *judge = copy_of(a, n * n), *judged = zeros(n);
    double *values = malloc(n * sizeof *values), *vectors = malloc(n * n * sizeof *vectors);
    double *work = malloc(n * sizeof *work), norm = 0;
    sg_eigen(spoilt, n, values, vectors, work);
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', (int)n, judge, (int)n, judged), 0);
    for (size_t i = 0; i < n; i++) norm = fmax(norm, fabs(judged[i]));
    double near = 1e-13 * (double)(n + 3);
    for (size_t i = 0; i < n; i++) {
        const double *v = vectors + i * n;
        double top = 0;
        if (!(fabs(values[i] - judged[n - 1 - i]) <= near * norm))
            fail_msg("%s, n = %zu: value %zu is %.17g, not %.17g", what, n, i, values[i], judged[n - 1 - i]);
        assert_true(i == 0 || values[i] <= values[i - 1]);
        for (size_t j = 0; j < n; j++) {
            double row = 0, dot = 0;
            for (size_t k = 0; k < n; k++) {
                row += a[j * n + k] * v[k];
                dot += vectors[j * n + k] * v[k];
            }
            if (!(fabs(row - values[i] * v[j]) <= near * norm))
                fail_msg("%s, n = %zu: residual %g of norm %g", what, n, row - values[i] * v[j], norm);
            if (!(fabs(dot - (i == j)) <= near)) fail_msg("%s, n = %zu: rows %zu %zu: %g", what, n, i, j, dot);
            top = fmax(top, fabs(v[j]));
        }
        for (size_t k = 0; k < n; k++)
            if (fabs(v[k]) > top * (1 - 1e-10) && v[k] > 0) top = -1; /* one of the largest is positive */
        if (top > 0) fail_msg("%s, n = %zu: vector %zu points the wrong way", what, n, i);
    }
    free(spoilt);
    free(judge);
    free(judged);
    free(values);
    free(vectors);
    free(work);
}

static double *symmetric(size_t n, uint64_t seed)
{
    double *a = numbers(n * n, seed);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) a[j * n + i] = a[i * n + j];
    return a;
}

static void eigen_agrees_with_lapack(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 4, 7, 50};
    static const double scales[] = {1, 1e150, 1e-150};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t s = 0; s < 3; s++)
            for (uint64_t seed = 50; seed < 55; seed++) {
                size_t n = sizes[k];
                double *a = symmetric(n, seed);
                for (size_t i = 0; i < n * n; i++) a[i] *= scales[s];
                check_eigen(a, n, "random");
                free(a);
            }
}

static void eigen_of_special_matrices(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 6, 50};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k];
        double *u = numbers(n, 60), *a = zeros(n * n);
        check_eigen(a, n, "zero");
        for (size_t i = 0; i < n * n; i++) a[i] = 2.385;
        check_eigen(a, n, "all the same");
        for (size_t i = 0; i < n * n; i++) a[i] = u[i / n] * u[i % n];
        check_eigen(a, n, "rank one");
        for (size_t i = 0; i < n * n; i++) a[i] = (i / n == i % n) * 1.7 - 0.4 * u[i / n] * u[i % n];
        check_eigen(a, n, "repeated");
        for (size_t i = 0; i < n * n; i++) a[i] = i / n == i % n ? u[i / n] : 0;
        check_eigen(a, n, "diagonal");
        for (size_t i = 0; i < n * n; i++) a[i] = i / n == i % n ? -3 : 0;
        check_eigen(a, n, "negative");
        for (size_t i = 0; i < n * n; i++) {
            size_t r = i / n, c = i % n;
            a[i] = r == c ? 2 : r == c + 1 || c == r + 1 ? -1 : 0;
        }
        check_eigen(a, n, "second differences");
        for (size_t i = 0; i < n * n; i++) /* zero diagonal: values in pairs */
            a[i] = (i / n + i % n) % 2 ? 1 + (double)(i / n > i % n ? i / n : i % n) : 0;
        check_eigen(a, n, "two-coloured");
        for (size_t i = 0; i < n * n; i++) a[i] = pow(10, -(double)(i / n + i % n) / 4) * u[i / n] * u[i % n];
        for (size_t i = 0; i < n; i++) a[i * n + i] += pow(10, -(double)i / 2);
        check_eigen(a, n, "graded");
        free(u);
        free(a);
    }
}

static void eigen_by_hand(void **state)
{
    double a[4] = {2, 1, 1, 2}, values[2], vectors[4], work[2], one[1] = {-2.385}, h = sqrt(0.5);
    (void)state;
    sg_eigen(a, 2, values, vectors, work);
    assert_close(values[0], 3, 1e-15);
    assert_close(values[1], 1, 1e-15);
    assert_close(vectors[0], h, 1e-15);
    assert_close(vectors[1], h, 1e-15);
    assert_close(vectors[2], h, 1e-15); /* of two equal components the first is positive */
    assert_close(vectors[3], -h, 1e-15);
    sg_eigen(one, 1, values, vectors, work);
    assert_true(values[0] == -2.385 && vectors[0] == 1);
}

/* Small eigenvalues of a well-conditioned covariance are accurate. */
static void small_eigenvalues_are_accurate(void **state)
{
    enum { N = 8, COUNT = 50 };
    double *phi = numbers(COUNT * N, 70), gram[N * N] = {0}, full[N * N], values[N], vectors[N * N], work[N];
    (void)state;
    for (size_t r = 0; r < COUNT; r++) {
        phi[r * N + 3] = phi[r * N] + phi[r * N + 1];
        phi[r * N + 6] = 2.385 * phi[r * N + 2];
    }
    sg_gram_add(phi, NULL, COUNT, N, gram);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) full[i * N + j] = j <= i ? gram[i * N + j] : gram[j * N + i];
    sg_eigen(full, N, values, vectors, work);
    assert_true(values[N - 3] > 1e-3 * values[0]);
    assert_true(fabs(values[N - 2]) < 1e-13 * values[0] && fabs(values[N - 1]) < 1e-13 * values[0]);
    free(phi);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gram_is_the_sum_of_products),
    cmocka_unit_test(gram_does_not_depend_on_blocks),
    cmocka_unit_test(gram_has_the_bits_of_the_plain_one),
    cmocka_unit_test(cholesky_agrees_with_lapack),
    cmocka_unit_test(cholesky_solves_what_was_asked),
    cmocka_unit_test(the_inverse_of_the_factor_gives_the_inverse),
    cmocka_unit_test(cholesky_refuses),
    cmocka_unit_test(cholesky_refuses_copies),
    cmocka_unit_test(eigen_agrees_with_lapack),
    cmocka_unit_test(eigen_of_special_matrices),
    cmocka_unit_test(eigen_by_hand),
    cmocka_unit_test(small_eigenvalues_are_accurate),
};
TEST_GROUP(tests, NULL, NULL)
