/* mf_tri.c: the triangular MF with feet a, c and peak b. The parameters (a, b, c) are trained, subject to a < b < c. */
#include "base/number/portable_math.h"
#include "model/mf/mf.h"

#include <math.h>

static double log_value(double x, const double *p)
{
    double mu = x <= p[1] ? (x - p[0]) / (p[1] - p[0]) : (p[2] - x) / (p[2] - p[1]);
    return mu > 0 ? fmax(sg_log(mu), SG_LOG_MEMBERSHIP_FLOOR) : SG_LOG_MEMBERSHIP_FLOOR;
}

static void gradient(double x, const double *p, double *g)
{
    g[0] = g[1] = g[2] = 0;
    if (log_value(x, p) == SG_LOG_MEMBERSHIP_FLOOR) return;
    if (x <= p[1]) {
        g[0] = 1 / (p[1] - p[0]) - 1 / (x - p[0]);
        g[1] = -1 / (p[1] - p[0]);
    } else {
        g[1] = 1 / (p[2] - p[1]);
        g[2] = 1 / (p[2] - x) - 1 / (p[2] - p[1]);
    }
}

static void project(size_t n, double *p, double floor)
{
    double *a = p, *b = a + n, *c = b + n;
    for (size_t i = 0; i < n; i++) {
        if (a[i] > b[i] - floor) a[i] = b[i] - floor;
        if (c[i] < b[i] + floor) c[i] = b[i] + floor;
    }
}

static const char *validate(size_t n, const double *p)
{
    const double *a = p, *b = a + n, *c = b + n;
    for (size_t i = 0; i < n; i++)
        if (!(a[i] < b[i] && b[i] < c[i])) return "the parameters must satisfy a < b < c";
    return NULL;
}

static void init(double centre, double deviation, double spacing, double *p)
{
    (void)deviation;
    p[0] = centre - spacing; /* adjacent MFs sum to 1 */
    p[1] = centre;
    p[2] = centre + spacing;
}

static double width(const double *p) { return fmin(p[1] - p[0], p[2] - p[1]); }

const sg_mf_kind sg_mf_tri = {"tri", 3, {"a", "b", "c"}, "lll", 1, log_value, gradient, project, validate, init, width};
