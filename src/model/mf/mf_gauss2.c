/* mf_gauss2.c: a Gaussian with a flat top from c1 to c2 and an inverse width for each side: mu = exp(-a1^2 (x - c1)^2 /
 * 2) below c1, exp(-a2^2 (x - c2)^2 / 2) above c2, and 1 between them. With a1 = 0, mu is 1 everywhere below c2, so
 * this kind also represents the one-sided intervals of tree leaves. */
#include "model/mf/mf.h"

#include <math.h>

static double log_value(double x, const double *p)
{
    double d = x < p[0] ? p[1] * (x - p[0]) : x > p[2] ? p[3] * (x - p[2]) : 0;
    return -0.5 * d * d;
}

static void gradient(double x, const double *p, double *g)
{
    double below = x < p[0] ? x - p[0] : 0, above = x > p[2] ? x - p[2] : 0;
    g[0] = p[1] * p[1] * below;
    g[1] = -p[1] * below * below;
    g[2] = p[3] * p[3] * above;
    g[3] = -p[3] * above * above;
}

static void project(size_t n, double *p, double floor)
{
    double *c1 = p, *a1 = c1 + n, *c2 = a1 + n, *a2 = c2 + n;
    (void)floor;
    for (size_t i = 0; i < n; i++) {
        if (c1[i] > c2[i]) c1[i] = c2[i] = 0.5 * c1[i] + 0.5 * c2[i];
        a1[i] = fabs(a1[i]); /* the sign does not affect mu */
        a2[i] = fabs(a2[i]);
    }
}

static const char *validate(size_t n, const double *p)
{
    for (size_t i = 0; i < n; i++)
        if (!(p[i] <= p[2 * n + i])) return "c1 must not exceed c2";
    return sg_mf_any_below(n, p + n, 0) || sg_mf_any_below(n, p + 3 * n, 0) ? "a1 and a2 must not be negative" : NULL;
}

static void init(double centre, double deviation, double spacing, double *p)
{
    (void)spacing;
    p[0] = p[2] = centre;
    p[1] = p[3] = 1 / deviation;
}

static double width(const double *p) { return 1 / fmax(p[1], p[3]); }

const sg_mf_kind sg_mf_gauss2 = {
    "gauss2", 4, {"c1", "a1", "c2", "a2"}, "lili", -1, log_value, gradient, project, validate, init, width};
