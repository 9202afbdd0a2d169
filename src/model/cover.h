/* cover.h: whether a row lies where the rules were trained.
 *
 * How strongly a row fires is the mean over blocks, as they weigh, of the log firing level of the rule that fires most,
 * before levels are normalised: 0 in the middle of a rule, less and less away from all of them. */
#ifndef SG_MODEL_COVER_H
#define SG_MODEL_COVER_H

#include "model/inference.h"

/* Room for one row; one for each thread. */
typedef struct sg_cover {
    const sg_model *model;
    sg_work *work;  /* (blocks) */
    double *memory; /* what the others are parts of */
    double *row;    /* (features): for whoever calls, to put one together */
    double *x, *missing, *a, *z, *scratch;
    bool sees_z; /* some block's conditions do */
} sg_cover;

sg_status sg_cover_init(sg_cover *c, const sg_model *m);
void sg_cover_release(sg_cover *c);
/* feature: (features of the model), NaN where one is missing. Never below -SG_LARGEST. */
double sg_cover_firing(sg_cover *c, const double *feature);
/* outside (sg_model_inputs): 1 for each input that is beyond its range in the training rows, or a level that these do
 * not have; where there is none, but the row fires less than next to any of them, for the input without which it would
 * fire most. Else 0. */
void sg_cover_row(sg_cover *c, const double *feature, double *outside);
/* Numbers that a row's firing is made of: a measure of work. */
size_t sg_cover_cost(const sg_model *m);

#endif
