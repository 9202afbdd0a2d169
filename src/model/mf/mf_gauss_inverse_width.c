/* mf_gauss_inverse_width.c: the Gaussian with inverse width a = 1 / sigma: mu = exp(-a^2 (x - c)^2 / 2). The parameters
 * (c, a) are trained. There is no division and no floor, because a = 0 is valid: mu is then 1 everywhere. */
#include "model/mf/mf.h"

#include <math.h>

static double log_value(double x, const double *p)
{
    double d = p[1] * (x - p[0]);
    return -0.5 * d * d;
}

static void gradient(double x, const double *p, double *g)
{
    double t = x - p[0];
    g[0] = p[1] * p[1] * t;
    g[1] = -p[1] * t * t;
}

static void project(size_t n, double *p, double floor)
{
    double *a = p + n;
    (void)floor;
    for (size_t i = 0; i < n; i++) a[i] = fabs(a[i]); /* the sign does not affect mu */
}

static const char *validate(size_t n, const double *p)
{
    return sg_mf_any_below(n, p + n, 0) ? "a must not be negative" : NULL;
}

static void init(double centre, double deviation, double spacing, double *p)
{
    (void)spacing;
    p[0] = centre;
    p[1] = 1 / deviation;
}

static double width(const double *p) { return 1 / p[1]; }

const sg_mf_kind sg_mf_gauss_a = {"gauss-a", 2,       {"c", "a"}, "li", 0,    log_value,
                                  gradient,  project, validate,   init, width};
