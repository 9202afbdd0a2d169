/* original_units.h: maps conditions and consequents back to the units and names of the data. */
#pragma once

#include "model/model.h"

/* Outputs of a pipeline for four feature vectors: all zeros, all ones, the training minima and the training maxima.
 * Each array has (output width) elements; all four share one allocation, which starts at at_zero. */
typedef struct sg_pipeline_extremes {
    double *at_zero, *at_one, *at_min, *at_max;
} sg_pipeline_extremes;

/* The pipelines as affine maps of the features. Quantile steps of the conditions' pipeline are not included; they are
 * inverted by interpolation. */
typedef struct sg_original_units {
    const sg_model *model;
    double *a, *a_shift;              /* (output width, features), (output width): for conditions           */
    double *z, *z_shift;              /* for consequents; the same arrays if the pipeline is shared         */
    sg_pipeline_extremes extremes[2]; /* for conditions and, unless the pipeline is shared, for consequents */
} sg_original_units;

/* m must outlive *u. */
sg_status sg_original_units_init(sg_original_units *u, const sg_model *m);
void sg_original_units_release(sg_original_units *u);

/* Returns the feature that column i of the conditions' inputs is a scaled copy of, or -1 for a principal component. */
long sg_original_units_input(const sg_original_units *u, size_t i);
/* Returns the name of that feature, or "component 3", formatted in buf. */
const char *sg_original_units_name(const sg_original_units *u, size_t i, char *buf, size_t size);
/* If column i is the indicator of a level of a category, returns this category and sets *level to the level. Otherwise
 * returns NULL. */
const sg_encoded_input *sg_original_units_category(const sg_original_units *u, size_t i, size_t *level);
/* The meaning of an MF over the indicator of a level, derived from its memberships at 1 and at 0. */
typedef enum sg_level_answer {
    SG_ANSWER_NO,
    SG_ANSWER_UNLIKELY,
    SG_ANSWER_EITHER,
    SG_ANSWER_LIKELY,
    SG_ANSWER_YES
} sg_level_answer;
sg_level_answer sg_original_units_level_answer(const sg_original_units *u, const sg_block *b, size_t mf);
/* Returns whether all rules of a block use this MF. If so, it cancels in their weighted mean. */
bool sg_mf_is_in_all_rules(const sg_block *b, size_t mf);
/* Returns whether a condition can change predictions: false if all rules share it, or if its membership is at least
 * 0.75 on the whole range of the training rows (on a level: if its answer is SG_ANSWER_EITHER). */
bool sg_original_units_condition_matters(const sg_original_units *u, const sg_block *b, size_t mf);
/* Gets the parameters of an MF in the units of its input, or of its component. */
void sg_original_units_mf(const sg_original_units *u, const sg_block *b, size_t mf, double *p);
/* Gets the input values that are one width below and one width above the centre of an MF. Returns false if these values
 * are not finite, if all transforms are affine, or if the MF is over a principal component. */
bool sg_original_units_mf_range(const sg_original_units *u, const sg_block *b, size_t mf, double *low, double *high);
/* Gets the consequent of rule r for output o, constant + slope . features, in target units. If the block is the
 * whole model, the constant includes the offset of the model. */
void sg_original_units_consequent(const sg_original_units *u, const sg_block *b, size_t r, size_t o, double *constant,
                                  double *slope);

/* A condition on a linear combination of inputs: sum of weight * input is about centre +- sigma. With a quantile step,
 * the inputs are ranks. */
typedef struct sg_combination {
    double *weight; /* (inputs of the block); 0 if the rule has no condition on the input */
    double centre, sigma;
} sg_combination;
/* Gets the combination of low-rank term k of rule r, scaled so that the input that changes the combination most over
 * its range has weight 1. Returns false if all weights are 0. out->weight must be allocated. */
bool sg_original_units_combination(const sg_original_units *u, const sg_block *b, size_t r, size_t k,
                                   sg_combination *out);

/* Returns the location of an MF, for sorting and for "about". */
double sg_mf_location(const sg_mf_kind *kind, const double *p);
/* Returns the first step if it clamps the inputs, and otherwise NULL. The last step of every pipeline is also a clamp,
 * but serves only to guard the arithmetic. */
static inline const sg_transform *sg_pipeline_input_clamp(const sg_pipeline *v)
{
    return v->steps > 1 && v->step->kind == &sg_transform_clamp ? v->step : NULL;
}
