/* explainer.h: what makes explanations, and has the last one: see sugeno.h. */
#ifndef SG_EXPLAIN_ROW_EXPLAINER_H
#define SG_EXPLAIN_ROW_EXPLAINER_H

#include "explain/row/feature_contributions.h"
#include "explain/rules/original_units.h"
#include "model/inference.h"
#include "predict/predict_worker.h"

struct sg_explainer {
    const sg_model *model;
    sg_predict_worker worker; /* it predicts */
    sg_original_units units;
    sg_contributions contributions;
    sg_block_workspace *work; /* (blocks): firing levels */
    size_t rules;             /* of all blocks */
    size_t input_terms;       /* terms that are inputs: inputs as the user knows them, then effects */
    size_t *input_term_of;    /* (features): which of these */
    sg_term *term[2];         /* by grouping */
    size_t terms[2];
    char *names;            /* of rules */
    double *buffer;         /* what follows */
    double *encoded;        /* (features): a row, before it is filled in */
    double *x, *missing;    /* (features): filled in; 1 or 0          */
    double *a, *z, *z_mean; /* views of the row; z at the means       */
    double *z_seen;         /* z as conditions see it, of blocks that do */
    double *scratch;
    double *weight, *feature_contribution; /* (terms of z), (features): of an output */
    double *base, *y;                      /* (outputs)                              */
    sg_explanation *out;                   /* (outputs)                              */
};

/* Of a row of features, NaN where one is missing. */
void sg_explain_features(sg_explainer *e, const double *x);
/* Once, before the first row: the base. */
void sg_explain_base(sg_explainer *e);
/* What is no rule's: of one block it is part of what each rule says. */
double sg_explain_offset(const sg_model *m, size_t o);
/* Any number as one that is finite. */
double sg_clamp_finite(double x);

#endif
