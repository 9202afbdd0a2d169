/* mf_gbell.c: the generalised bell MF, mu = 1 / (1 + |(x - c) / a|^(2b)). The parameters (a, b, c) are trained. */
#include "base/number/portable_math.h"
#include "model/mf/mf.h"

#include <math.h>

static const double min_slope = 0.5, max_slope = 50; /* below 0.5, the MF has a cusp at c */

/* Returns log |(x - c) / a|^(2b). */
static double log_odds(double x, const double *p) { return 2 * p[1] * (sg_log(fabs(x - p[2])) - sg_log(p[0])); }

static double log_value(double x, const double *p)
{
    if (x == p[2]) return 0;
    double t = log_odds(x, p);
    return t > 0 ? -t - sg_log1p(sg_exp(-t)) : -sg_log1p(sg_exp(t));
}

static void gradient(double x, const double *p, double *g)
{
    g[0] = g[1] = g[2] = 0;
    if (x == p[2]) return;
    double t = log_odds(x, p);
    double rest = 1 / (1 + sg_exp(-t)); /* 1 - mu */
    g[0] = rest * 2 * p[1] / p[0];
    g[1] = -rest * t / p[1];
    g[2] = rest * 2 * p[1] / (x - p[2]);
}

static void project(size_t n, double *p, double floor)
{
    double *a = p, *b = p + n;
    for (size_t i = 0; i < n; i++) {
        if (a[i] < floor) a[i] = floor;
        if (b[i] < min_slope) b[i] = min_slope;
        if (b[i] > max_slope) b[i] = max_slope;
    }
}

static const char *validate(size_t n, const double *p)
{
    const double *b = p + n;
    if (sg_mf_any_below(n, p, 1e-100)) return "a must be above 0";
    for (size_t i = 0; i < n; i++)
        if (!(b[i] > 0 && b[i] <= 1e3)) return "b must be above 0 and at most 1000";
    return NULL;
}

static void init(double centre, double deviation, double spacing, double *p)
{
    (void)deviation;
    p[0] = spacing / 2; /* adjacent MFs cross at 1/2 */
    p[1] = 2;
    p[2] = centre;
}

static double width(const double *p) { return p[0]; }

const sg_mf_kind sg_mf_gbell = {"gbell",  3,       {"a", "b", "c"}, "wsl", 2,    log_value,
                                gradient, project, validate,        init,  width};
