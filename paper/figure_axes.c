/* figure_axes.c: which points are drawn, and the ranges of the axes that show them. */
#include "figure_parts.h"

#include <math.h>
#include <stdlib.h>

static int drawable(int log_axis, double v) { return isfinite(v) && (!log_axis || v > 0); }

int figure_drawable(const panel *p, const curve *c, size_t i)
{
    return drawable(p->log_x, c->x[i]) && drawable(p->log_y, c->y[i]);
}

size_t figure_curve_end(const panel *p, const curve *c)
{
    size_t i = c->n;
    while (i > 0 && !figure_drawable(p, c, i - 1)) i--;
    return i > 0 ? i - 1 : c->n;
}

static double scaled(const axis *a, double v) { return a->log ? log10(v) : v; }
static double unscaled(const axis *a, double s) { return a->log ? pow(10, s) : s; }

double figure_place(const axis *a, double v)
{
    double low = scaled(a, a->low);
    return (scaled(a, v) - low) / (scaled(a, a->high) - low);
}

static void include(axis *a, double v)
{
    a->low = fmin(a->low, v);
    a->high = fmax(a->high, v);
}

/* Room at both ends, and a range that is not empty. */
static void widen(axis *a, double share)
{
    if (a->low > a->high) a->low = a->log ? 1 : 0, a->high = a->log ? 10 : 1;
    double low = scaled(a, a->low), high = scaled(a, a->high), pad = share * (high - low);
    if (!(high > low)) pad = a->log ? 0.1 : low == 0 ? 1 : 0.05 * fabs(low);
    int stay = !a->log && a->low >= 0 && low - pad < 0;
    a->low = stay ? 0 : unscaled(a, low - pad);
    a->high = unscaled(a, high + pad);
}

axis figure_x_range(const panel *p)
{
    axis a = {.log = p->log_x, .low = HUGE_VAL, .high = -HUGE_VAL};
    for (const curve *c = p->curve; c < p->curve + p->curves; c++)
        for (size_t i = 0; i < c->n; i++)
            if (drawable(a.log, c->x[i])) include(&a, c->x[i]);
    /* Iterations 1 to 500 are shown on 0 to 500. */
    if (!a.log && !p->points && a.low > 0 && a.low < 0.02 * a.high) a.low = 0;
    widen(&a, p->points ? 0.05 : 0);
    return a;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A learning curve falls from far above in its first iterations, which would press all that differs
 * into the lowest part of a linear axis. These iterations are left out, and the top is where 9 of
 * 10 of the other points lie below: a curve that falls slowly is still seen falling. The ends, the
 * lowest points and short curves are seen whatever they are. The pool has room for all points. */
static void include_curves(axis *a, const panel *p, double *pool)
{
    size_t n = 0;
    for (const curve *c = p->curve; c < p->curve + p->curves; c++) {
        size_t skip = c->n / 50 > 5 ? c->n / 50 : 5, end = figure_curve_end(p, c);
        int whole = a->log || p->points || c->n <= 20;
        for (size_t i = 0; i < c->n; i++) {
            if (!figure_drawable(p, c, i)) continue;
            a->low = fmin(a->low, c->y[i]);
            if (whole || i == end) include(a, c->y[i]);
            else if (i >= skip) pool[n++] = c->y[i];
        }
    }
    if (n == 0) return;
    qsort(pool, n, sizeof *pool, ascending);
    include(a, pool[(size_t)(0.9 * (double)(n - 1))]);
}

sg_status figure_y_range(const panel *p, axis *out)
{
    axis a = {.log = p->log_y, .low = HUGE_VAL, .high = -HUGE_VAL};
    size_t n = 1;
    for (size_t k = 0; k < p->curves; k++) n += p->curve[k].n;
    double *pool = malloc(n * sizeof *pool);
    if (!pool) return fail(SG_ENOMEM, "out of memory");
    include_curves(&a, p, pool);
    free(pool);
    widen(&a, 0.05);
    if (drawable(a.log, p->y_low)) a.low = p->y_low;
    if (drawable(a.log, p->y_high)) a.high = p->y_high;
    if (!(a.low < a.high)) return fail(SG_EINVAL, "panel %s: its y range is empty", p->title ? p->title : "");
    *out = a;
    return SG_OK;
}
