/* mf.h: membership functions. A kind is one row of a table and one file. */
#ifndef SG_MODEL_MF_MF_H
#define SG_MODEL_MF_MF_H

#include <stdbool.h>
#include <stddef.h>

enum { SG_MF_MAX_PARAMETERS = 4 }; /* at most */

/* Where no membership is left: log of a triangle's or trapezoid's 0, with gradient 0. */
#define SG_LOG_MEMBERSHIP_FLOOR (-700.0)

typedef struct sg_mf_kind {
    const char *name;
    size_t arity;
    const char *parameter[SG_MF_MAX_PARAMETERS];
    /* What each parameter is, for printing in the data's units: 'l' a location, 'w' a width,
     * 'i' the inverse of a width, 's' a shape. */
    const char *parameter_role;
    int centre;                                             /* index of the centre, or -1    */
    double (*log_value)(double x, const double *p);         /* log of the membership, <= 0   */
    void (*gradient)(double x, const double *p, double *d); /* of log_value, by parameter    */
    /* Of n MFs at once, (arity, n) as theta has them; one MF is an array of its parameters. */
    void (*project)(size_t n, double *p, double floor); /* nearest valid, widths >= floor */
    const char *(*validate)(size_t n, const double *p); /* what is invalid about any, or NULL */
    void (*init)(double centre, double deviation, double spacing, double *p);
    double (*width)(const double *p); /* what the floor bounds                               */
} sg_mf_kind;

const sg_mf_kind *sg_mf_find(const char *name);
/* The i-th kind's name, NULL after the last. */
const char *sg_mf_name(size_t i);

/* For kinds: a number is below `least`, or none. */
bool sg_mf_any_below(size_t n, const double *x, double least);

extern const sg_mf_kind sg_mf_gauss, sg_mf_gauss_a, sg_mf_gbell, sg_mf_tri, sg_mf_trap, sg_mf_gauss2;

#endif
