/* thin_additive.h: additive parts from which some pairs, curves and terms are removed. */
#pragma once

#include "model/model.h"

typedef enum sg_removal_kind {
    SG_REMOVE_PAIR,
    SG_REMOVE_CURVE, /* must not be in a pair that remains                               */
    SG_REMOVE_KNOT,  /* must not be a term of a pair that remains; two knots must remain */
    SG_REMOVE_LEVEL  /* its value becomes 0                                              */
} sg_removal_kind;

typedef struct sg_removal {
    sg_removal_kind kind;
    size_t part, cell; /* index of the curve or pair; of the knot or level */
    size_t saves;      /* how much less there is to read                   */
    double cost;       /* increase of the squared error                    */
} sg_removal;

/* What remains of an additive part. */
typedef struct sg_thinning {
    const sg_model *model;
    bool *pair, *curve; /* (pairs), (curves)                      */
    bool **cell;        /* (curves, cells): the knots and levels  */
} sg_thinning;

/* Starts with nothing removed. m must outlive *t. */
sg_status sg_thinning_init(sg_thinning *t, const sg_model *m);
void sg_thinning_release(sg_thinning *t);
/* Returns whether this removal is possible, given what remains. */
bool sg_thinning_allows(const sg_thinning *t, const sg_removal *r);
/* Removes a pair, curve, knot or level, or restores it. */
void sg_thinning_set(sg_thinning *t, const sg_removal *r, bool remains);
/* Sets the values of `trial`, a copy of the model, so that it predicts like the thinned model. */
void sg_thinning_apply(const sg_thinning *t, sg_model *trial);
/* Creates the thinned model. */
sg_status sg_thinning_build(const sg_thinning *t, sg_model **out);
/* Returns the number of possible removals, and stores them, with what they save, in out unless it is NULL. */
size_t sg_thinning_list(const sg_thinning *t, sg_removal *out);
