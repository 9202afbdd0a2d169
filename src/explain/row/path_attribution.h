/* path_attribution.h: splits the change of a rule base's output, from the training means to a row, among the features.
 *
 * On a straight path from the means to the row, all log memberships and all transformed inputs of consequents change
 * linearly. What a feature adds is the integral of the output's derivative along this path, as far as it is due to that
 * feature (Aumann-Shapley values of the path). The parts add up to the whole change, a feature that the rules do not
 * use adds 0, and a linear model gives slope times distance from the mean. */
#pragma once

#include "explain/row/pipeline_contributions.h"
#include "model/reference_forward_backward.h"

/* A block at the two ends of the path, the means (0) and the row (1), and integrals along the path. */
typedef struct sg_block_path {
    double *buffer;        /* holds all arrays below                                                */
    double *log_mu[2];     /* (mfs): log memberships                                                */
    double *projection[2]; /* (rules, rank): of low-rank terms                                      */
    double *level[2];      /* (rules): log firing levels                                            */
    double *output[2];     /* (rules, outputs): consequents                                         */
    double *mean_firing;   /* (rules): integral of the normalised firing level                      */
    double *pull;          /* (rules, outputs): integral of firing level times (consequent - output) */
    double *firing;        /* (rules): scratch                                                      */
    double *piece;         /* (rules, outputs + 1): scratch                                         */
    double *end;           /* (4, outputs): scratch                                                 */
} sg_block_path;

typedef struct sg_path {
    const sg_model *model;
    const sg_contributions *z; /* contributions to the consequents' inputs */
    sg_contributions own;      /* contributions to the conditions' inputs, unless the pipeline is shared */
    sg_block_path *block;      /* (blocks) */
    double *buffer;            /* holds all arrays below */
    double *a[2], *z_seen[2];  /* what conditions see at the ends */
    double *column;            /* (widest view) */
    double *weight;            /* (columns of z) */
    double *feature;           /* (features) */
} sg_path;

/* z: the contributions to the consequents' inputs. The model and z must outlive *p. */
sg_status sg_path_init(sg_path *p, const sg_model *m, const sg_contributions *z);
void sg_path_release(sg_path *p);
/* Sets an end of the path: 0 for the means, 1 for a row. x: the imputed features. a, z_seen: what conditions see, with
 * NaN for missing inputs; z: what consequents see; work: (blocks) after sg_firing. */
void sg_path_set_end(sg_path *p, int end, const double *x, const double *a, const double *z_seen, const double *z,
                     const sg_block_workspace *work);
/* Integrates along the path. Both ends and the row of the contributions z must be set. */
void sg_path_integrate(sg_path *p);
/* Computes out[features]: what the features add to output o, in units of the target. */
void sg_path_attribute(sg_path *p, size_t o, double *out);
