/* mf_gauss.c: the paper's Gaussian, Eq. (2): mu = exp(-(x - c)^2 / (2 sigma^2)). c and sigma are trained. */
#include "model/mf/mf.h"

static double log_value(double x, const double *p)
{
    double d = (x - p[0]) / p[1];
    return -0.5 * d * d;
}

/* Computes the last factors of Eqs. (8) and (9). */
static void gradient(double x, const double *p, double *g)
{
    double d = (x - p[0]) / p[1];
    g[0] = d / p[1];
    g[1] = d * d / p[1];
}

static void project(size_t n, double *p, double floor)
{
    double *sigma = p + n;
    for (size_t i = 0; i < n; i++) sigma[i] = sigma[i] < floor ? floor : sigma[i];
}

static const char *validate(size_t n, const double *p)
{
    return sg_mf_any_below(n, p + n, 1e-100) ? "sigma must be above 0" : NULL;
}

static void init(double centre, double deviation, double spacing, double *p)
{
    (void)spacing;
    p[0] = centre;
    p[1] = deviation;
}

static double width(const double *p) { return p[1]; }

const sg_mf_kind sg_mf_gauss = {"gauss",  2,       {"c", "sigma"}, "lw", 0,    log_value,
                                gradient, project, validate,       init, width};
