/* pipeline_contributions.h: splits transformed inputs into contributions of the features, relative to a row of training
 * means. */
#pragma once

#include "model/model.h"

typedef struct sg_contributions {
    const sg_pipeline *pipeline;
    size_t max_width;             /* largest width of a step                                                   */
    double *buffer;               /* holds all arrays below                                                    */
    double *mean;                 /* (steps + 2, max_width): the means before and after each step, and clamped */
    double *row;                  /* (2, max_width): memory of current and next                                */
    double *current, *next;       /* (max_width): a row before and after a step                                */
    double *matrix, *next_matrix; /* (max_width, features): contributions to each column after a PCA step      */
    bool mixes, mixed;            /* whether the pipeline has a PCA step, and whether one was applied          */
} sg_contributions;

/* mean: (inputs of the pipeline). The pipeline must outlive *p. */
sg_status sg_contributions_init(sg_contributions *p, const sg_pipeline *v, const double *mean);
void sg_contributions_release(sg_contributions *p);
/* Returns the transformed training means, as many as the pipeline has outputs. */
const double *sg_contributions_at_mean(const sg_contributions *p);
/* Sets the row x[features], without NaN. Clamping a component scales all contributions to it by the same factor. */
void sg_contributions_set_row(sg_contributions *p, const double *x);
/* Computes out[features]: the sum over columns t of weight[t] times the feature's contribution to column t. */
void sg_contributions_sum(const sg_contributions *p, const double *weight, double *out);
