/* ridge_regression.c: ridge regression whose penalty minimises generalised cross-validation (Golub, Heath and Wahba,
 * 1979).
 *
 * Let V and d be the eigenvectors and eigenvalues of the centred Gram matrix, and u = V' Z'y. The fit with penalty l
 * has the squared error y'y - sum u^2 (d + 2 l) / (d + l)^2 and 1 + sum d / (d + l) effective parameters, so one pass
 * over the rows is enough for all penalties. */
#include "train/fit/ridge_regression.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "train/fit/lse.h"

#include <math.h>
#include <stdlib.h>

typedef struct ridge {
    size_t n, outputs;
    double rows;
    double *value;   /* (n): eigenvalues */
    double *vector;  /* (n, n): eigenvectors */
    double *mean;    /* (n): means of the inputs */
    double *gram;    /* (n, n), centred */
    double *cross;   /* (n, outputs), centred */
    double *rotated; /* (n, outputs): u */
    double *work;    /* (n) */
    double *target;  /* (outputs): means */
    double *square;  /* (outputs): y'y, centred */
} ridge;

/* Allocates all arrays in one block, at r->value. */
static bool alloc_system(ridge *r)
{
    size_t n = r->n, o = r->outputs, cells;
    if (!sg_checked_mul(n, 2 * n + 2 * o + 3, &cells)) return false;
    r->value = sg_calloc(cells + 2 * o, sizeof *r->value);
    if (!r->value) return false;
    r->vector = r->value + n;
    r->mean = r->vector + n * n;
    r->gram = r->mean + n;
    r->cross = r->gram + n * n;
    r->rotated = r->cross + n * o;
    r->work = r->rotated + n * o;
    r->target = r->work + n;
    r->square = r->target + o;
    return true;
}

/* Centres the sums. sum: the lower triangle of the Gram matrix (n + 1, n + 1) of rows with a leading 1, then the
 * products of these rows with the targets. */
static void center_sums(ridge *r, const double *sum, const sg_preprocessed *p)
{
    const size_t n = r->n, width = n + 1;
    const double *cross = sum + width * width;
    r->rows = sum[0];
    for (size_t i = 0; i < n; i++) r->mean[i] = sum[(i + 1) * width] / r->rows;
    for (size_t o = 0; o < r->outputs; o++) {
        double spread = p->target_sigma[o] / p->model->scale[o];
        r->target[o] = cross[o] / r->rows;
        r->square[o] = spread * spread * (double)(p->rows - 1);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++)
            r->gram[i * n + j] = r->gram[j * n + i] = sum[(i + 1) * width + j + 1] - r->rows * r->mean[i] * r->mean[j];
        for (size_t o = 0; o < r->outputs; o++)
            r->cross[i * r->outputs + o] = cross[(i + 1) * r->outputs + o] - r->rows * r->mean[i] * r->target[o];
    }
}

/* An input whose variance is lost to rounding, since its values are far from 0, gets no slope. */
static void zero_degenerate_inputs(ridge *r, const double *sum)
{
    const size_t n = r->n, width = n + 1;
    for (size_t i = 0; i < n; i++) {
        if (r->gram[i * n + i] > 1e-10 * sum[(i + 1) * width + i + 1]) continue;
        for (size_t k = 0; k < n; k++) r->gram[i * n + k] = r->gram[k * n + i] = 0;
        for (size_t o = 0; o < r->outputs; o++) r->cross[i * r->outputs + o] = 0;
    }
}

static void rotate_targets(ridge *r)
{
    sg_eigen(r->gram, r->n, r->value, r->vector, r->work);
    for (size_t i = 0; i < r->n; i++)
        for (size_t o = 0; o < r->outputs; o++) {
            double u = 0;
            for (size_t k = 0; k < r->n; k++) u += r->vector[i * r->n + k] * r->cross[k * r->outputs + o];
            r->rotated[i * r->outputs + o] = u;
        }
}

static double eigenvalue_of(const ridge *r, size_t i) { return r->value[i] > 0 ? r->value[i] : 0; }

/* Returns the criterion of generalised cross-validation, summed over the outputs, each relative to its variance. */
static double gcv_score(const ridge *r, double penalty)
{
    double used = 1, sum = 0;
    for (size_t i = 0; i < r->n; i++) used += eigenvalue_of(r, i) / (eigenvalue_of(r, i) + penalty);
    double unused = 1 - used / r->rows;
    if (!(unused > 0)) return INFINITY;
    for (size_t o = 0; o < r->outputs; o++) {
        double error = r->square[o];
        for (size_t i = 0; i < r->n; i++) {
            double u = r->rotated[i * r->outputs + o], d = eigenvalue_of(r, i);
            error -= u * u * (d + 2 * penalty) / ((d + penalty) * (d + penalty));
        }
        if (r->square[o] > 0) sum += fmax(error, 0) / r->square[o];
    }
    return sum / (unused * unused);
}

static double choose_penalty(const ridge *r)
{
    const double step = 3.1622776601683795; /* sqrt(10) */
    double best = 1, least = INFINITY, penalty = 1e-4;
    for (int i = 0; i <= 16; i++) {
        double score = gcv_score(r, penalty);
        if (score < least) {
            least = score;
            best = penalty;
        }
        penalty *= step;
    }
    return best;
}

static void solve_for_penalty(const ridge *r, double penalty, double *coefficients)
{
    for (size_t o = 0; o < r->outputs; o++) coefficients[o] = r->target[o];
    for (size_t k = 0; k < r->n; k++)
        for (size_t o = 0; o < r->outputs; o++) {
            double slope = 0;
            for (size_t i = 0; i < r->n; i++)
                slope += r->vector[i * r->n + k] * r->rotated[i * r->outputs + o] / (eigenvalue_of(r, i) + penalty);
            coefficients[(k + 1) * r->outputs + o] = slope;
            coefficients[o] -= slope * r->mean[k];
        }
}

/* Computes the sums, which are those of least squares for one rule without conditions. */
static sg_status compute_sums(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, ridge *r)
{
    sg_model *line;
    sg_lse lse = {0};
    const double *sum;
    sg_status st = sg_model_copy(p->model, &line);
    if (st != SG_OK) return st;
    st = sg_model_add_block(line, sg_mf_find("gauss"), 0, 1, 0);
    if (st == SG_OK) st = sg_model_alloc_theta(line);
    if (st == SG_OK) st = sg_lse_init(&lse, line, p, s, 0, false, pool);
    if (st == SG_OK) st = sg_row_reduce_run(&lse.reduce, &sum);
    if (st == SG_OK) {
        center_sums(r, sum, p);
        zero_degenerate_inputs(r, sum);
    }
    sg_lse_release(&lse);
    sg_model_free(line);
    return st;
}

sg_status sg_ridge_fit(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, double *coefficients,
                       double *penalty)
{
    ridge r = {.n = sg_model_terms(p->model), .outputs = p->model->outputs};
    if (!alloc_system(&r)) return sg_fail(SG_ENOMEM, "out of memory while fitting ridge regression on %zu inputs", r.n);
    sg_status st = compute_sums(s, p, pool, &r);
    if (st == SG_OK) {
        rotate_targets(&r);
        *penalty = choose_penalty(&r);
        solve_for_penalty(&r, *penalty, coefficients);
    }
    free(r.value);
    return st;
}
