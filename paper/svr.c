/* svr.c: epsilon-SVR with an RBF kernel, by LIBSVM. The cross-validation is ours because LIBSVM's
 * draws its folds with rand(), which other threads draw from too. */
#include "svr.h"

#include "summary.h"
#include "words.h"

#include <libsvm/svm.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FOLDS = 5, CACHE_MB = 200 };

static const double costs[] = {1, 10, 100}, widths[] = {.25, 1, 4};
static const double tube = 0.1, tolerance = 1e-3; /* scikit-learn's, as the cache is */

typedef struct work {
    size_t n, m;
    double mean, deviation; /* of y                                               */
    struct svm_node *nodes; /* (n, m + 1), a row ends with index -1               */
    struct svm_node *row;   /* (m + 1), the test row to be predicted              */
    struct svm_node **x;    /* (n) rows of nodes                                  */
    double *z;              /* (n) standardised y                                 */
    size_t *order;          /* (n) place i of the shuffle is in fold i mod FOLDS  */
    struct svm_node **part; /* (n) x without a fold                               */
    double *part_z;         /* (n) z without a fold                               */
} work;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- rows --- */

static void work_release(work *w)
{
    free(w->nodes);
    free(w->row);
    free(w->x);
    free(w->z);
    free(w->order);
    free(w->part);
    free(w->part_z);
}

static sg_status work_alloc(size_t n, size_t m, work *w)
{
    *w = (work){.n = n, .m = m};
    w->nodes = calloc(n, (m + 1) * sizeof *w->nodes);
    w->row = calloc(m + 1, sizeof *w->row);
    w->x = calloc(n, sizeof *w->x);
    w->z = calloc(n, sizeof *w->z);
    w->order = calloc(n, sizeof *w->order);
    w->part = calloc(n, sizeof *w->part);
    w->part_z = calloc(n, sizeof *w->part_z);
    if (w->nodes && w->row && w->x && w->z && w->order && w->part && w->part_z) return SG_OK;
    work_release(w);
    return fail(SG_ENOMEM, "out of memory for the rows of support vector regression");
}

static void set_row(const double *x, size_t m, struct svm_node *row)
{
    for (size_t j = 0; j < m; j++) row[j] = (struct svm_node){(int)j + 1, x[j]};
    row[m].index = -1;
}

static double variance_of(const double *a, size_t n)
{
    double middle = mean(a, n), sum = 0;
    for (size_t i = 0; i < n; i++) sum += (a[i] - middle) * (a[i] - middle);
    return sum / (double)n;
}

static void set_rows(const double *x, const double *y, work *w)
{
    w->mean = mean(y, w->n);
    w->deviation = sqrt(variance_of(y, w->n));
    if (!(w->deviation > 0)) w->deviation = 1;
    for (size_t i = 0; i < w->n; i++) {
        w->x[i] = w->nodes + i * (w->m + 1);
        set_row(x + i * w->m, w->m, w->x[i]);
        w->z[i] = (y[i] - w->mean) / w->deviation;
    }
}

/* --- fits --- */

static struct svm_model *train(struct svm_node **x, double *z, size_t n, double C, double gamma)
{
    struct svm_problem problem = {.l = (int)n, .y = z, .x = x};
    struct svm_parameter how = {.svm_type = EPSILON_SVR,
                                .kernel_type = RBF,
                                .gamma = gamma,
                                .cache_size = CACHE_MB,
                                .eps = tolerance,
                                .C = C,
                                .p = tube,
                                .shrinking = 1};
    return svm_train(&problem, &how);
}

/* The sum of squared errors on one fold of what is trained on the others. */
static double fold_error(const work *w, size_t fold, double C, double gamma)
{
    size_t kept = 0;
    double sum = 0;
    for (size_t i = 0; i < w->n; i++)
        if (i % FOLDS != fold) {
            w->part[kept] = w->x[w->order[i]];
            w->part_z[kept++] = w->z[w->order[i]];
        }
    struct svm_model *model = train(w->part, w->part_z, kept, C, gamma);
    for (size_t i = fold; i < w->n; i += FOLDS) {
        double error = svm_predict(model, w->x[w->order[i]]) - w->z[w->order[i]];
        sum += error * error;
    }
    svm_free_and_destroy_model(&model);
    return sum;
}

/* Fisher and Yates's shuffle with the numbers of splitmix64. */
static void shuffle(uint64_t state, size_t n, size_t *order)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t r = state += UINT64_C(0x9e3779b97f4a7c15);
        r = (r ^ r >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        r = (r ^ r >> 27) * UINT64_C(0x94d049bb133111eb);
        size_t j = (size_t)((r >> 32) * (i + 1) >> 32); /* i is an int: no overflow */
        order[i] = order[j];
        order[j] = i;
    }
}

/* The first of the best pairs of C and gamma; gamma comes in as 1 / (m v). */
static void search_pair(const work *w, unsigned seed, svr_fit *fit)
{
    double least = INFINITY, gamma = fit->gamma;
    shuffle(seed, w->n, w->order);
    for (size_t c = 0; c < sizeof costs / sizeof *costs; c++)
        for (size_t g = 0; g < sizeof widths / sizeof *widths; g++) {
            double sum = 0;
            for (size_t fold = 0; fold < FOLDS; fold++) sum += fold_error(w, fold, costs[c], widths[g] * gamma);
            if (!(sum < least)) continue;
            least = sum;
            fit->C = costs[c];
            fit->gamma = widths[g] * gamma;
        }
}

static double rmse(const work *w, const struct svm_model *model, const double *tx, const double *ty, size_t tn)
{
    double sum = 0;
    for (size_t i = 0; i < tn; i++) {
        set_row(tx + i * w->m, w->m, w->row);
        double error = w->mean + w->deviation * svm_predict(model, w->row) - ty[i];
        sum += error * error;
    }
    return sqrt(sum / (double)tn);
}

/* --- the call --- */

static int all_finite(const double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(a[i])) return 0;
    return 1;
}

/* LIBSVM counts rows, twice as many variables, and columns in ints. */
static sg_status check(const double *x, const double *y, size_t n, size_t m, int search)
{
    if (n == 0 || m == 0) return fail(SG_EINVAL, "support vector regression needs rows and inputs");
    if (search && n < FOLDS) return fail(SG_EINVAL, "support vector regression needs a row for each of its five folds");
    if (n > INT_MAX / 2 || m >= INT_MAX)
        return fail(SG_EINVAL, "support vector regression: more rows or inputs than LIBSVM takes");
    if (!all_finite(x, n * m) || !all_finite(y, n))
        return fail(SG_EDATA, "support vector regression: a training row is not finite");
    return SG_OK;
}

static void say_nothing(const char *line) { (void)line; }

static void silence(void) { svm_set_print_string_function(say_nothing); }

sg_status svr_run(const double *x, const double *y, size_t n, size_t m, const double *tx, const double *ty, size_t tn,
                  int search, unsigned seed, svr_fit *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    work w;
    sg_status st = check(x, y, n, m, search);
    if (st == SG_OK && tn == 0) st = fail(SG_EINVAL, "support vector regression needs test rows");
    if (st == SG_OK) st = work_alloc(n, m, &w);
    if (st != SG_OK) return st;
    pthread_once(&once, silence);
    set_rows(x, y, &w);
    double variance = variance_of(x, n * m);
    svr_fit fit = {.C = 1, .gamma = variance > 0 ? 1 / ((double)m * variance) : 1};
    double started = seconds();
    if (search) search_pair(&w, seed, &fit);
    double searched = seconds();
    struct svm_model *model = train(w.x, w.z, n, fit.C, fit.gamma);
    double fitted = seconds();
    fit.test_rmse = rmse(&w, model, tx, ty, tn);
    fit.predict_seconds = seconds() - fitted;
    fit.train_rmse = rmse(&w, model, x, y, n);
    fit.fit_seconds = fitted - searched;
    fit.search_seconds = search ? searched - started : 0;
    svm_free_and_destroy_model(&model);
    work_release(&w);
    *out = fit;
    return SG_OK;
}

const char *svr_library(void)
{
    static _Thread_local char name[32];
    snprintf(name, sizeof name, "LIBSVM %d.%02d", libsvm_version / 100, libsvm_version % 100);
    return name;
}
