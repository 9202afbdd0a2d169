/* original_units.h: what a model says, in the data's own units and names. */
#ifndef SG_EXPLAIN_RULES_ORIGINAL_UNITS_H
#define SG_EXPLAIN_RULES_ORIGINAL_UNITS_H

#include "model/model.h"

/* What a view makes of inputs that are all 0, and all 1; and of the ends of the training rows' range. (width), one
 * allocation at no */
typedef struct sg_pipeline_extremes {
    double *at_zero, *at_one, *at_min, *at_max;
} sg_pipeline_extremes;

/* The views as affine maps of the original inputs; of a what is not affine is left out, and known by the model. */
typedef struct sg_original_units {
    const sg_model *model;
    double *a, *a_shift;              /* (width of a, inputs), (width of a) */
    double *z, *z_shift;              /* the same arrays where z is a       */
    sg_pipeline_extremes extremes[2]; /* of a, and of z where it is another */
} sg_original_units;

sg_status sg_original_units_init(sg_original_units *u, const sg_model *m);
void sg_original_units_release(sg_original_units *u);

/* The input that column i of the view a is a scaled copy of, or -1 (a principal component). */
long sg_original_units_input(const sg_original_units *u, size_t i);
/* Its name, or "component 3", which needs buf. */
const char *sg_original_units_name(const sg_original_units *u, size_t i, char *buf, size_t size);
/* The category that this column is a level of, and which; NULL where it is none. */
const sg_encoded_input *sg_original_units_category(const sg_original_units *u, size_t i, size_t *level);
/* What an MF over a level says, which is all in its memberships of 1 and 0, there are no other values. */
typedef enum sg_level_answer {
    SG_ANSWER_NO,
    SG_ANSWER_UNLIKELY,
    SG_ANSWER_EITHER,
    SG_ANSWER_LIKELY,
    SG_ANSWER_YES
} sg_level_answer;
sg_level_answer sg_original_units_level_answer(const sg_original_units *u, const sg_block *b, size_t mf);
/* Whether all rules of a block ask for this MF: then it cancels in their weighted mean. */
bool sg_mf_is_in_all_rules(const sg_block *b, size_t mf);
/* Whether a condition says something: not where all rules share it, nor where its membership is at least 0.75 all over
 * the range of the training rows. */
bool sg_original_units_condition_matters(const sg_original_units *u, const sg_block *b, size_t mf);
/* An MF's parameters in the units of its input (of its component, where it is one). */
void sg_original_units_mf(const sg_original_units *u, const sg_block *b, size_t mf, double *p);
/* Where conditions see ranks: the values of the input that lie a width below and above the MF's centre. False
 * elsewhere. */
bool sg_original_units_mf_range(const sg_original_units *u, const sg_block *b, size_t mf, double *low, double *high);
/* The consequent of rule r for output o: constant + slope . x in the target's units. Where the
 * model is one block, mean and y0 are part of the constant. */
void sg_original_units_consequent(const sg_original_units *u, const sg_block *b, size_t r, size_t o, double *constant,
                                  double *slope);

/* A combination of inputs that a rule asks for: the sum of weight * input is `about` something, +- sigma. Where a is
 * of ranks, it is of these, as they are in a. */
typedef struct sg_combination {
    double *weight; /* (width of a): of the input, or component; 0 where the rule does not ask */
    double centre, sigma;
} sg_combination;
/* That of rule r's tilt k. The input that moves it most, over its range, has weight 1, so that the sum is in its units.
 * False where all weights are 0: it asks for nothing. */
bool sg_original_units_combination(const sg_original_units *u, const sg_block *b, size_t r, size_t k,
                                   sg_combination *out);

/* Where an MF is, for ordering and for "about". */
double sg_mf_location(const sg_mf_kind *kind, const double *p);

#endif
