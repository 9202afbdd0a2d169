/* transform_pipeline.h: the sequence of transforms between a row's features and the antecedents or consequents.
 *
 * A kind of transform is a table of functions. The parameters of a transform are stored in the model, so that
 * predictions use the same transforms as training. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Bound on the absolute values of outputs, whatever a model file contains. */
#define SG_TRANSFORM_MAX_ABS 1e100

/* Returns x clamped to the bound. Without the clamp, infinities of opposite signs could be added, which gives NaN. */
static inline double sg_transform_clamp_finite(double x)
{
    double v = x < -SG_TRANSFORM_MAX_ABS ? -SG_TRANSFORM_MAX_ABS : x;
    return v > SG_TRANSFORM_MAX_ABS ? SG_TRANSFORM_MAX_ABS : v;
}

typedef struct sg_transform sg_transform;

typedef struct sg_transform_kind {
    const char *name;
    const char *array_name[2]; /* names of the parameter arrays in model files; the second may be NULL */
    size_t (*count)(const sg_transform *, int);    /* returns the length of parameter array 0 or 1 */
    size_t values_per_feature;                     /* maximum parameters per feature and array, or 0 for a matrix */
    const char *(*validate)(const sg_transform *); /* returns why the parameters are invalid, or NULL */
    /* Transforms n rows; feature k of row i is at k * pitch + i. An output is NaN only if an input is. */
    void (*apply)(const sg_transform *, size_t n, size_t pitch, const double *x, double *z);
    /* Returns the x of a feature whose output is z, ignoring clamps. NULL if the outputs mix features. */
    double (*inverse)(const sg_transform *, size_t feature, double z);
    /* Composes this step with z = matrix x + shift, where x holds the original inputs. NULL if the step is not
     * affine. */
    void (*compose)(const sg_transform *, size_t inputs, const double *matrix, const double *shift, double *new_matrix,
                    double *new_shift);
} sg_transform_kind;

struct sg_transform {
    const sg_transform_kind *kind;
    size_t in, out;
    double *parameter[2]; /* separate allocations */
};

typedef struct sg_pipeline {
    size_t in, out, steps;
    sg_transform *step;
} sg_pipeline;

const sg_transform_kind *sg_transform_find(const char *name);

/* Appends a step whose parameters are 0. Returns the step, or NULL if out of memory. */
sg_transform *sg_pipeline_append(sg_pipeline *v, const sg_transform_kind *kind, size_t out);
bool sg_pipeline_copy(const sg_pipeline *v, sg_pipeline *out);
void sg_pipeline_release(sg_pipeline *v);

/* Returns the number of doubles of scratch per row. */
size_t sg_pipeline_scratch_size(const sg_pipeline *v);
/* Transforms one row from x (in) to z (out). */
void sg_pipeline_apply(const sg_pipeline *v, const double *x, double *z, double *scratch);
/* Transforms n <= pitch rows from x (in, pitch) to z (out, pitch). scratch has room for `pitch` rows. */
void sg_pipeline_apply_batch(const sg_pipeline *v, size_t n, size_t pitch, const double *x, double *z, double *scratch);
/* Writes the last step's output x, clamped to SG_TRANSFORM_MAX_ABS, to z. */
void sg_pipeline_clamp_output(const sg_pipeline *v, size_t n, size_t pitch, const double *x, double *z);
bool sg_pipeline_is_affine(const sg_pipeline *v);
/* Returns whether each output k depends on input k alone, which is true without PCA. */
bool sg_pipeline_is_elementwise(const sg_pipeline *v);
/* Returns the value of input i for which output i is z, ignoring clamps. Requires an elementwise pipeline. */
double sg_pipeline_inverse(const sg_pipeline *v, size_t i, double z);
/* Computes matrix (out, in) and shift (out) of z = matrix x + shift. Ignores clamps and steps that are not affine. */
sg_status sg_pipeline_affine(const sg_pipeline *v, double *matrix, double *shift);

/* --- missing inputs, which are NaN ---
 * Consequents use the training mean in place of a missing input. A condition on a missing input is ignored if the
 * pipeline maps inputs one by one; with PCA, the condition uses the imputed value. */

/* Replaces each NaN in x (columns, pitch) with mean[column], for n <= pitch rows. Sets `missing`, which is laid out
 * like x, to 1 where x was NaN and to 0 elsewhere. Returns whether any value was NaN. */
bool sg_missing_impute(size_t columns, size_t n, size_t pitch, const double *mean, double *x, double *missing);
/* Undoes the imputation of one row: sets x to NaN where `missing` is 1. */
void sg_missing_restore(size_t columns, const double *missing, double *x);

/* --- kinds of transforms --- */

extern const sg_transform_kind sg_transform_zscore;   /* (x - mean) / scale           */
extern const sg_transform_kind sg_transform_clamp;    /* x clamped to [low, high] */
extern const sg_transform_kind sg_transform_quantile; /* normal score of x */
extern const sg_transform_kind sg_transform_pca;      /* components (out, in) times x */

/* Appends a step with at most max_components principal components to v (pca.c). gram (n, n) is the Gram matrix of the
 * centred rows, as computed by sg_gram_add. */
sg_status sg_pca_fit(const double *gram, size_t n, size_t max_components, sg_pipeline *v);
