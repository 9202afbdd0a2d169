/* support.h: whether a row lies where the rules were trained.
 *
 * How strongly a row fires is the mean over blocks, as they weigh, of the log firing level of the rule that fires most,
 * before levels are normalised: 0 in the middle of a rule, less and less away from all of them. */
#ifndef SG_MODEL_SUPPORT_H
#define SG_MODEL_SUPPORT_H

#include "model/inference.h"

/* Room for one row; one for each thread. */
typedef struct sg_support {
    const sg_model *model;
    sg_block_workspace *work; /* (blocks) */
    double *memory;           /* what the others are parts of */
    double *row;              /* (features): for whoever calls, to put one together */
    double *x, *missing, *a, *z, *scratch;
    bool sees_z; /* some block's conditions do */
} sg_support;

sg_status sg_support_init(sg_support *c, const sg_model *m);
void sg_support_release(sg_support *c);
/* feature: (features of the model), NaN where one is missing. Never below -SG_MODEL_MAX_ABS. */
double sg_support_log_firing(sg_support *c, const double *feature);
/* outside (sg_model_inputs): 1 for each input that is beyond its range in the training rows, or a level that these do
 * not have; where there is none, but the row fires less than next to any of them, for the input without which it would
 * fire most. Else 0. */
void sg_support_mark_outside(sg_support *c, const double *feature, double *outside);
/* Numbers that a row's firing is made of: a measure of work. */
size_t sg_support_cost(const sg_model *m);

#endif
