/* explainer.h: the state of an explainer and its last explanation. The public interface is in sugeno.h. */
#pragma once

#include "explain/row/pipeline_contributions.h"
#include "explain/rules/original_units.h"
#include "model/reference_forward_backward.h"
#include "predict/predict_worker.h"

struct sg_explainer {
    const sg_model *model;
    sg_predict_worker worker;
    sg_original_units units;
    sg_contributions contributions;
    sg_block_workspace *work; /* (blocks): firing levels                                    */
    size_t rules;             /* of all blocks                                              */
    size_t input_terms;       /* SG_TERM_INPUT terms: inputs, then effects                  */
    size_t *input_term_of;    /* (features): index of the feature's term among them         */
    sg_term *term[2];         /* by sg_grouping                                             */
    size_t terms[2];
    char *names;            /* of rules                                                     */
    double *buffer;         /* holds all arrays below and those of the explanations         */
    double *encoded;        /* (features): a row, NaN where a feature is missing            */
    double *x, *missing;    /* (features): the row with missing features imputed; 1 or 0    */
    double *a, *z, *z_mean; /* transformed rows for conditions and consequents; means       */
    double *z_seen;         /* z with NaN for missing features, for blocks with sees_z      */
    double *scratch;
    double *weight;               /* (columns of z): firing-weighted slopes of an output    */
    double *feature_contribution; /* (features): of an output                               */
    double *base, *y;             /* (outputs)                                              */
    sg_explanation *out;          /* (outputs)                                              */
};

/* Explains a row of features, NaN where one is missing. */
void sg_explain_features(sg_explainer *e, const double *x);
/* Computes the base terms. Call once, before the first row. */
void sg_explain_base(sg_explainer *e);
/* Clamps to the finite doubles; 0 for NaN. */
double sg_clamp_finite(double x);
