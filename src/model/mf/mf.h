/* mf.h: membership functions. Each kind is an entry of a table and has its own file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SG_MF_MAX_PARAMETERS = 4 };

/* The log membership of triangles and trapezoids outside their support, where its gradient is 0. */
#define SG_LOG_MEMBERSHIP_FLOOR (-700.0)

typedef struct sg_mf_kind {
    const char *name;
    size_t arity;
    const char *parameter[SG_MF_MAX_PARAMETERS];
    /* The role of each parameter, for printing in the units of the data: 'l' location, 'w' width, 'i' inverse width,
     * 's' shape. */
    const char *parameter_role;
    int centre;                                             /* index of the parameter that is the centre, or -1 */
    double (*log_value)(double x, const double *p);         /* returns the log membership, which is at most 0 */
    void (*gradient)(double x, const double *p, double *d); /* computes the gradient of log_value with respect to p */
    /* These take the parameters of n MFs, (arity, n) as in theta. */
    void (*project)(size_t n, double *p, double floor); /* projects onto valid parameters with widths >= floor */
    const char *(*validate)(size_t n, const double *p); /* returns a description of an invalid parameter, or NULL */
    void (*init)(double centre, double deviation, double spacing, double *p);
    double (*width)(const double *p); /* returns the width to which the floor applies */
} sg_mf_kind;

const sg_mf_kind *sg_mf_find(const char *name);
/* Returns the name of kind i, or NULL after the last one. */
const char *sg_mf_name(size_t i);

/* Returns whether any of n values is below `least` or NaN. A helper for MF kinds. */
bool sg_mf_any_below(size_t n, const double *x, double least);

extern const sg_mf_kind sg_mf_gauss, sg_mf_gauss_a, sg_mf_gbell, sg_mf_tri, sg_mf_trap, sg_mf_gauss2;
