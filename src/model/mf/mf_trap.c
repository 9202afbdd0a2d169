/* mf_trap.c: the trapezoidal MF with feet a, d and shoulders b, c. All four are trained, subject to a < b <= c < d. */
#include "base/number/portable_math.h"
#include "model/mf/mf.h"

#include <math.h>

static double log_value(double x, const double *p)
{
    if (x >= p[1] && x <= p[2]) return 0;
    double mu = x < p[1] ? (x - p[0]) / (p[1] - p[0]) : (p[3] - x) / (p[3] - p[2]);
    return mu > 0 ? fmax(sg_log(mu), SG_LOG_MEMBERSHIP_FLOOR) : SG_LOG_MEMBERSHIP_FLOOR;
}

static void gradient(double x, const double *p, double *g)
{
    double value = log_value(x, p);
    g[0] = g[1] = g[2] = g[3] = 0;
    if (value == 0 || value == SG_LOG_MEMBERSHIP_FLOOR) return;
    if (x < p[1]) {
        g[0] = 1 / (p[1] - p[0]) - 1 / (x - p[0]);
        g[1] = -1 / (p[1] - p[0]);
    } else {
        g[2] = 1 / (p[3] - p[2]);
        g[3] = 1 / (p[3] - x) - 1 / (p[3] - p[2]);
    }
}

static void project(size_t n, double *p, double floor)
{
    double *a = p, *b = a + n, *c = b + n, *d = c + n;
    for (size_t i = 0; i < n; i++) {
        if (b[i] > c[i]) b[i] = c[i] = 0.5 * (b[i] + c[i]);
        if (a[i] > b[i] - floor) a[i] = b[i] - floor;
        if (d[i] < c[i] + floor) d[i] = c[i] + floor;
    }
}

static const char *validate(size_t n, const double *p)
{
    const double *a = p, *b = a + n, *c = b + n, *d = c + n;
    for (size_t i = 0; i < n; i++)
        if (!(a[i] < b[i] && b[i] <= c[i] && c[i] < d[i])) return "the parameters must satisfy a < b <= c < d";
    return NULL;
}

static void init(double centre, double deviation, double spacing, double *p)
{
    (void)deviation;
    p[0] = centre - 0.7 * spacing; /* adjacent MFs sum to 1 */
    p[1] = centre - 0.3 * spacing;
    p[2] = centre + 0.3 * spacing;
    p[3] = centre + 0.7 * spacing;
}

static double width(const double *p) { return fmin(p[1] - p[0], p[3] - p[2]); }

const sg_mf_kind sg_mf_trap = {"trap", 4,    {"a", "b", "c", "d"}, "llll", -1, log_value, gradient, project, validate,
                               init,   width};
