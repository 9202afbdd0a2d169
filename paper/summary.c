/* summary.c: see summary.h. */
#include "summary.h"

#include <math.h>

enum { MOST_RUNS = 100 };

double mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] / (double)n;
    return sum;
}

static stat summarise(const double *x, size_t n)
{
    stat s = {mean(x, n), 0};
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (x[i] - s.mean) * (x[i] - s.mean);
    if (n > 1) s.sd = sqrt(sum / (double)(n - 1));
    return s;
}

stat cell_test(const cell *c, size_t point) { return summarise(c->test + point * c->repeats, c->repeats); }

stat cell_train(const cell *c, size_t point) { return summarise(c->train + point * c->repeats, c->repeats); }

double cell_rate(const cell *c, size_t point) { return mean(c->rate + point * c->repeats, c->repeats); }

stat cell_time(const cell *c, int scoring)
{
    double seconds[MOST_RUNS];
    size_t n = c->repeats < MOST_RUNS ? c->repeats : MOST_RUNS;
    for (size_t r = 0; r < n; r++) seconds[r] = c->seconds[r] + (scoring ? c->score[r] : 0);
    return summarise(seconds, n);
}

size_t cell_point_of(const cell *c, size_t iteration)
{
    size_t p = 0;
    while (p + 1 < c->points && cell_iteration(c, p) < iteration) p++;
    return p;
}

size_t cell_point_when(const cell *c, when w)
{
    size_t best = 0;
    double least = cell_test(c, 0).mean;
    if (w == FINAL) return c->points - 1;
    for (size_t p = 1; p < c->points; p++) {
        double rmse = cell_test(c, p).mean;
        if (rmse < least) least = rmse, best = p;
    }
    return best;
}

stat cell_when(const cell *c, when w) { return cell_test(c, cell_point_when(c, w)); }

size_t cell_reaches(const cell *c, double rmse)
{
    for (size_t p = 0; p < c->points; p++)
        if (cell_test(c, p).mean <= rmse) return cell_iteration(c, p);
    return 0;
}

/* Student's t, two-sided 95 %, for n - 1 degrees of freedom. */
static double student(size_t n)
{
    static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                               2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    size_t known = sizeof t / sizeof *t;
    return n < 2 ? 0 : n - 2 < known ? t[n - 2] : 1.96 + 2.5 / (double)(n - 1);
}

difference compare_runs(const double *a, const double *b, size_t n)
{
    double d = mean(a, n) - mean(b, n), sum = 0;
    for (size_t i = 0; i < n; i++) sum += (a[i] - b[i] - d) * (a[i] - b[i] - d);
    double sd = n > 1 ? sqrt(sum / (double)(n - 1)) : 0;
    double half = student(n) * sd / sqrt((double)n);
    return (difference){d, half, (d > 0) - (d < 0), n > 1 && fabs(d) > half};
}

difference compare(const cell *a, const cell *b, when w)
{
    size_t n = a->repeats < b->repeats ? a->repeats : b->repeats;
    return compare_runs(a->test + cell_point_when(a, w) * a->repeats, b->test + cell_point_when(b, w) * b->repeats, n);
}
