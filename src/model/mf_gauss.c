/* mf_gauss.c: the paper's Gaussian, Eq. (2): mu = exp(-(x - c)^2 / (2 sigma^2)). Trains (c, sigma). */
#include "model/mf.h"

static double log_value(double x, const double *p)
{
    double d = (x - p[0]) / p[1];
    return -0.5 * d * d;
}

/* The last factors of Eqs. (8) and (9). */
static void partials(double x, const double *p, double *g)
{
    double d = (x - p[0]) / p[1];
    g[0] = d / p[1];
    g[1] = d * d / p[1];
}

static void project(double *p, double floor)
{
    if (p[1] < floor) p[1] = floor;
}

static const char *wrong(const double *p) { return p[1] >= 1e-100 ? NULL : "sigma must be above 0"; }

static void start(double centre, double deviation, double spacing, double *p)
{
    (void)spacing;
    p[0] = centre;
    p[1] = deviation;
}

static double width(const double *p) { return p[1]; }

const sg_mf_kind sg_mf_gauss = {"gauss", 2,       {"c", "sigma"}, "lw",  0,    log_value,
                                partials, project, wrong,          start, width};
