/* additive_layout.h: which curves, knots and pairs an additive part has.
 *
 * The fine layout has a curve with many knots for every input. A plan selects some of its curves, knots and pairs of
 * inputs; the layout that it describes is a special case of the fine one. */
#pragma once

#include "base/thread/thread_pool.h"
#include "model/additive.h"
#include "train/fit/preprocess.h"

/* The maximum number of levels of a category in a pair. */
enum { SG_PAIR_MAX_LEVELS = 12 };
static inline bool sg_curve_can_be_paired(const sg_curve *c)
{
    return !c->is_category || c->cells <= SG_PAIR_MAX_LEVELS;
}

/* An additive part with memory for its parameters. */
typedef struct sg_additive_layout {
    sg_additive *part;
    double *theta;
} sg_additive_layout;
void sg_additive_layout_release(sg_additive_layout *s);

/* What a plan does with a curve of the fine layout. */
typedef struct sg_curve_plan {
    bool used;
    bool *knot; /* (cells): whether the knot is kept; all levels of a category are       */
    bool *term; /* (cells): whether the knot is a term of the pairs that the input is in */
    int monotone;
    double lambda; /* strength of the smoothing penalty           */
} sg_curve_plan;

typedef struct sg_additive_plan {
    const sg_additive *fine;
    sg_curve_plan *curve; /* (curves of fine)                                  */
    size_t pairs, capacity;
    size_t (*pair)[2];  /* (pairs): indices of curves of fine, the smaller one first */
    double pair_lambda; /* strength of the penalties of pairs                        */
} sg_additive_plan;

/* Makes the fine layout of the inputs of p->model. Knots are at weighted quantiles of a sample of s, rounded to few
 * digits, or at the distinct values if there are at most `knots`. Inputs without two distinct values in the sample get
 * no curve. Nor do inputs that have the same values as an earlier input in all of all_rows, of which s is a part; a
 * notice says so. Collective if all_rows is distributed; s must be the same on all ranks. */
sg_status sg_additive_layout_fine(const sg_source *s, const sg_source *all_rows, const sg_preprocessed *p,
                                  const sg_options *notices, size_t knots, sg_thread_pool *pool,
                                  sg_additive_layout *out);

/* Copies curves, knots and pairs of a model, but not their values, for rows that were prepared for `m`, whose
 * categories may have other levels. */
sg_status sg_additive_layout_copy(const sg_additive *from, const sg_model *m, sg_additive_layout *out);

/* Makes a plan with all curves and knots and no pairs. fine must outlive it. */
sg_status sg_additive_plan_init(const sg_additive *fine, sg_additive_plan *out);
sg_status sg_additive_plan_copy(const sg_additive_plan *from, sg_additive_plan *out);
void sg_additive_plan_release(sg_additive_plan *p);
/* Appends a pair. Fails with SG_ENOMEM if memory is exhausted. */
sg_status sg_additive_plan_add_pair(sg_additive_plan *p, size_t first, size_t second);
/* Returns whether a curve is in a pair of the plan. */
bool sg_additive_plan_is_paired(const sg_additive_plan *p, size_t curve);
/* Keeps all knots of all used curves, and makes the terms of pairs finer than they are for the selection of pairs. */
void sg_additive_plan_refine(sg_additive_plan *p);
/* Makes the layout that the plan describes. Curves in pairs keep at least their terms. */
sg_status sg_additive_plan_layout(const sg_additive_plan *p, sg_additive_layout *out);
/* Returns the number of interior knots whose places were chosen, counting at most 5 per curve. */
size_t sg_additive_plan_chosen_knots(const sg_additive_plan *p);
