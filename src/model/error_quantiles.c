/* error_quantiles.c: builds the table of error quantiles from errors on held-out rows. */
#include "model/error_quantiles.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Equals SG_MODEL_MAX_ABS, which no number in a model file exceeds. */
static const double MAX_ABS = 1e100;
/* The DENSE_TAIL largest errors are all stored. Below them, the spacing grows in proportion to the rank from the top,
 * up to 1 / MIN_POINTS of all errors. */
enum { DENSE_TAIL = 16, MIN_POINTS = 128 };

bool sg_error_quantiles_init(sg_error_quantiles *e, size_t points)
{
    *e = (sg_error_quantiles){.points = points, .rank = sg_calloc(2 * points, sizeof *e->rank)};
    if (e->rank) e->abs_error = e->rank + points;
    return e->rank;
}

void sg_calibration_clear_errors(sg_calibration *s)
{
    for (size_t o = 0; s->errors && o < s->outputs; o++) free(s->errors[o].rank);
    free(s->errors);
    s->errors = NULL;
    s->effective_rows = s->outputs = 0;
}

void sg_calibration_release(sg_calibration *s)
{
    sg_calibration_clear_errors(s);
    *s = (sg_calibration){0};
}

bool sg_calibration_copy(const sg_calibration *s, sg_calibration *out)
{
    *out = (sg_calibration){.support_rows = s->support_rows, .min_log_firing = s->min_log_firing};
    if (!s->errors) return true;
    out->errors = sg_calloc(s->outputs, sizeof *out->errors);
    if (!out->errors) return false;
    out->effective_rows = s->effective_rows;
    out->outputs = s->outputs;
    for (size_t o = 0; o < s->outputs; o++) {
        const sg_error_quantiles *e = &s->errors[o];
        if (!sg_error_quantiles_init(&out->errors[o], e->points)) return false;
        memcpy(out->errors[o].rank, e->rank, 2 * e->points * sizeof *e->rank);
    }
    return true;
}

/* --- Errors to quantiles --- */

/* The absolute error of a row for one output, and the row's weight. */
typedef struct weighted_error {
    double size, weight;
} weighted_error;

static int by_size(const void *a, const void *b)
{
    const weighted_error *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

/* Selects which of n sorted errors to keep: stores their indices in place[], largest first. Returns their number. */
static size_t choose_ranks(size_t n, size_t *place)
{
    size_t kept = 0, widest = n / MIN_POINTS ? n / MIN_POINTS : 1;
    for (size_t above = 0; above < n && kept < SG_ERROR_QUANTILES_MAX;) {
        size_t gap = above / DENSE_TAIL ? above / DENSE_TAIL : 1;
        place[kept++] = n - 1 - above;
        above += gap < widest ? gap : widest;
    }
    return kept;
}

/* Returns Kish's effective sample size, which is n if all weights are equal. */
static double effective_sample_size(const weighted_error *m, size_t n, bool *equal_weights)
{
    double sum = 0, squares = 0;
    *equal_weights = true;
    for (size_t i = 0; i < n; i++) {
        sum += m[i].weight;
        squares += m[i].weight * m[i].weight;
        *equal_weights = *equal_weights && m[i].weight == m[0].weight;
    }
    double all = *equal_weights ? (double)n : floor(sum * sum / squares * (1 + 1e-12));
    return all < 1 ? 1 : all > (double)n ? (double)n : all;
}

/* m must be sorted. The rank of an error is its cumulative share of the weight times the effective number of rows. */
static bool store_quantiles(const weighted_error *m, size_t n, size_t *place, sg_error_quantiles *out, size_t *rows)
{
    bool equal_weights;
    double all = effective_sample_size(m, n, &equal_weights), sum = 0, below = 0;
    size_t kept = choose_ranks(n, place), next = kept;
    if (!sg_error_quantiles_init(out, kept)) return false;
    for (size_t i = 0; i < n; i++) sum += m[i].weight;
    for (size_t i = 0; i < n; i++) {
        below += m[i].weight;
        if (next == 0 || place[next - 1] != i) continue;
        size_t at = kept - next--;
        out->rank[at] = equal_weights ? (double)(i + 1) : i + 1 == n ? all : all * (below / sum);
        out->abs_error[at] = m[i].size < MAX_ABS ? m[i].size : MAX_ABS;
    }
    *rows = (size_t)all;
    return true;
}

static size_t collect_errors(const double *row, size_t rows, size_t outputs, size_t output, weighted_error *to)
{
    size_t n = 0;
    for (size_t i = 0; i < rows; i++, row += outputs + 1)
        if (row[outputs] > 0) to[n++] = (weighted_error){row[output], row[outputs]};
    qsort(to, n, sizeof *to, by_size);
    return n;
}

sg_status sg_calibration_fit(sg_calibration *s, const double *row, size_t rows, size_t outputs)
{
    weighted_error *m = sg_calloc(rows, sizeof *m);
    size_t *place = sg_calloc(rows, sizeof *place), n = 0;
    sg_calibration_clear_errors(s);
    s->errors = sg_calloc(outputs, sizeof *s->errors);
    s->outputs = outputs;
    bool buffer = m && place && s->errors;
    for (size_t o = 0; buffer && o < outputs; o++) {
        n = collect_errors(row, rows, outputs, o, m);
        if (n == 0) break;
        buffer = store_quantiles(m, n, place, &s->errors[o], &s->effective_rows);
    }
    free(m);
    free(place);
    if (buffer && n) return SG_OK;
    sg_calibration_clear_errors(s);
    return buffer ? sg_fail(SG_EDATA, "no row has both a target and a positive weight")
                  : sg_fail_out_of_memory("the errors");
}

/* The mean square of the errors between two quantiles is approximately the mean of the squares of these quantiles. */
double sg_calibration_mean_square(const sg_calibration *s)
{
    double all = 0;
    for (size_t o = 0; s->errors && o < s->outputs; o++) {
        const sg_error_quantiles *e = &s->errors[o];
        double rank = 0, sum = 0;
        for (size_t i = 0; i < e->points; i++) {
            double lower = e->abs_error[i ? i - 1 : 0], upper = e->abs_error[i];
            sum += (e->rank[i] - rank) * (lower * lower + upper * upper) / 2;
            rank = e->rank[i];
        }
        all += rank > 0 ? sum / rank : 0;
    }
    return s->errors && s->outputs ? all / (double)s->outputs : 0;
}
