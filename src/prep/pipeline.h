/* pipeline.h: what antecedents or consequents see of a row: a chain of steps, rows in, rows out.
 *
 * A step kind is one row of a table, its numbers are stored in the model, so that a prediction
 * can't forget a transform. */
#ifndef SG_PREP_PIPELINE_H
#define SG_PREP_PIPELINE_H

#include "base/status.h"

#include <stdbool.h>

/* What steps make of inputs stays within this, however a model file was edited. */
#define SG_TRANSFORM_MAX_ABS 1e100

typedef struct sg_transform sg_transform;

typedef struct sg_transform_kind {
    const char *name;
    const char *array_name[2];                     /* names of its arrays of numbers, second may be NULL */
    size_t (*count)(const sg_transform *, int);    /* length of array 0 or 1                             */
    size_t values_per_feature;                     /* numbers of a feature in an array, at most; 0: it is a matrix */
    const char *(*validate)(const sg_transform *); /* what is invalid about its numbers, or NULL         */
    /* n rows, feature k of row i at k * pitch + i, to the same. Anything but a NaN gives anything but a NaN. */
    void (*apply)(const sg_transform *, size_t n, size_t pitch, const double *x, double *z);
    /* A feature's x from its z, ignoring clamps; NULL: features are mixed. */
    double (*inverse)(const sg_transform *, size_t feature, double z);
    /* z = matrix x + shift (rows of matrix over the original inputs); NULL: it is not affine. */
    void (*compose)(const sg_transform *, size_t inputs, const double *matrix, const double *shift, double *new_matrix,
                    double *new_shift);
} sg_transform_kind;

struct sg_transform {
    const sg_transform_kind *kind;
    size_t in, out;
    double *parameter[2]; /* one allocation each */
};

typedef struct sg_pipeline {
    size_t in, out, steps;
    sg_transform *step;
} sg_pipeline;

const sg_transform_kind *sg_transform_find(const char *name);

/* Appends a step with zeroed numbers and returns it, or NULL without memory. */
sg_transform *sg_pipeline_append(sg_pipeline *v, const sg_transform_kind *kind, size_t out);
bool sg_pipeline_copy(const sg_pipeline *v, sg_pipeline *out);
void sg_pipeline_release(sg_pipeline *v);

/* Numbers of scratch that a row needs. */
size_t sg_pipeline_scratch_size(const sg_pipeline *v);
/* One row: x (in) to z (out). */
void sg_pipeline_apply(const sg_pipeline *v, const double *x, double *z, double *scratch);
/* n <= pitch rows side by side: x (in, pitch) to z (out, pitch), with pitch times the scratch. */
void sg_pipeline_apply_batch(const sg_pipeline *v, size_t n, size_t pitch, const double *x, double *z, double *scratch);
/* Its end: what the last step left at x is bounded and put into z. */
void sg_pipeline_clamp_output(const sg_pipeline *v, size_t n, size_t pitch, const double *x, double *z);
/* Whether all of its steps are. */
bool sg_pipeline_is_affine(const sg_pipeline *v);
/* The value of input i that is z in column i, ignoring clamps; of a view that mixes no inputs. */
double sg_pipeline_inverse(const sg_pipeline *v, size_t i, double z);
/* z = matrix x + shift, ignoring clamps and steps that are not affine: matrix (out, in), shift (out). */
sg_status sg_pipeline_affine(const sg_pipeline *v, double *matrix, double *shift);

/* The kinds. */
extern const sg_transform_kind sg_transform_zscore;   /* (x - mean) / scale           */
extern const sg_transform_kind sg_transform_clamp;    /* into [low, high]             */
extern const sg_transform_kind sg_transform_quantile; /* normal scores of ranks       */
extern const sg_transform_kind sg_transform_pca;      /* components (out, in) times x */

#endif
