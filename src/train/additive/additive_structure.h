/* additive_structure.h: chooses the knots of curves and the pairs of an additive part by cross-validation. */
#pragma once

#include "train/additive/additive_fit.h"
#include "train/additive/additive_layout.h"
#include "train/train_config.h"

/* Describes what is to be chosen. Curves of the fine layout may have fixed directions. */
typedef struct sg_structure_search {
    const sg_source *rows; /* local */
    const sg_preprocessed *prepared;
    const sg_additive *fine;
    const sg_additive_grouping *grouping;
    sg_thread_pool *pool;
    sg_additive_progress *progress; /* may be NULL                                                           */
    const int *monotone;            /* (curves of fine)                                                      */
    size_t max_pairs;               /* 0: curves only                                                        */
    size_t forced_pairs;            /* number of pairs named by the user, which excludes all others; 0: none */
    size_t (*forced)[2];
    bool keeps_knots; /* the user set the number of terms */
    double smoothing; /* factor of the strengths of all penalties; 0: chosen by cross-validation */
} sg_structure_search;

/* Chooses a structure and the strengths of the penalties, or the best ones so far if the training is cancelled. Release
 * *out with sg_additive_plan_release. */
sg_status sg_additive_structure_choose(const sg_structure_search *s, sg_additive_plan *out);

/* Fits the layout of the plan to its sums, with the strengths of the plan: coefficients and cross-validated error. */
sg_status sg_additive_plan_fit(const sg_additive_plan *plan, const sg_additive *layout, const sg_additive_sums *sums,
                               sg_additive_fit *out);

/* Fits a given layout to its sums: chooses the strengths of the penalties, times `smoothing` if that is positive, and
 * computes coefficients and cross-validated error. */
sg_status sg_additive_layout_fit(const sg_additive *layout, const sg_additive_sums *sums, double smoothing,
                                 sg_additive_fit *out);
