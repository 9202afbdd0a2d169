/* view.h: what antecedents or consequents see of a row: a chain of steps, rows in, rows out.
 *
 * A step kind is one row of a table, its numbers are stored in the model, so that a prediction
 * can't forget a transform. */
#ifndef SG_PREP_VIEW_H
#define SG_PREP_VIEW_H

#include "base/status.h"

#include <stdbool.h>

/* What steps make of inputs stays within this, however a model file was edited. */
#define SG_FARTHEST 1e100

typedef struct sg_step sg_step;

typedef struct sg_step_kind {
    const char *name;
    const char *field[2];                  /* names of its arrays of numbers, second may be NULL */
    size_t (*count)(const sg_step *, int); /* length of array 0 or 1                             */
    size_t each;                           /* numbers of a feature in an array, at most; 0: it is a matrix */
    const char *(*wrong)(const sg_step *); /* what is invalid about its numbers, or NULL         */
    /* n rows, feature k of row i at k * pitch + i, to the same. Anything but a NaN gives anything but a NaN. */
    void (*apply)(const sg_step *, size_t n, size_t pitch, const double *x, double *z);
    /* A feature's x from its z, ignoring clamps; NULL: features are mixed. */
    double (*inverse)(const sg_step *, size_t feature, double z);
    /* z = matrix x + shift (rows of matrix over the original inputs); NULL: it is not affine. */
    void (*compose)(const sg_step *, size_t inputs, const double *matrix, const double *shift, double *new_matrix,
                    double *new_shift);
} sg_step_kind;

struct sg_step {
    const sg_step_kind *kind;
    size_t in, out;
    double *number[2]; /* one allocation each */
};

typedef struct sg_view {
    size_t in, out, steps;
    sg_step *step;
} sg_view;

const sg_step_kind *sg_step_find(const char *name);

/* Appends a step with zeroed numbers and returns it, or NULL without memory. */
sg_step *sg_view_append(sg_view *v, const sg_step_kind *kind, size_t out);
bool sg_view_copy(const sg_view *v, sg_view *out);
void sg_view_release(sg_view *v);

/* Numbers of scratch that a row needs. */
size_t sg_view_scratch(const sg_view *v);
/* One row: x (in) to z (out). */
void sg_view_apply(const sg_view *v, const double *x, double *z, double *scratch);
/* n <= pitch rows side by side: x (in, pitch) to z (out, pitch), with pitch times the scratch. */
void sg_view_rows(const sg_view *v, size_t n, size_t pitch, const double *x, double *z, double *scratch);
/* Its end: what the last step left at x is bounded and put into z. */
void sg_view_finish(const sg_view *v, size_t n, size_t pitch, const double *x, double *z);
/* Whether all of its steps are. */
bool sg_view_is_affine(const sg_view *v);
/* The value of input i that is z in column i, ignoring clamps; of a view that mixes no inputs. */
double sg_view_inverse(const sg_view *v, size_t i, double z);
/* z = matrix x + shift, ignoring clamps and steps that are not affine: matrix (out, in), shift (out). */
sg_status sg_view_affine(const sg_view *v, double *matrix, double *shift);

/* The kinds. */
extern const sg_step_kind sg_step_zscore;   /* (x - mean) / scale           */
extern const sg_step_kind sg_step_clamp;    /* into [low, high]             */
extern const sg_step_kind sg_step_quantile; /* normal scores of ranks       */
extern const sg_step_kind sg_step_pca;      /* components (out, in) times x */

#endif
