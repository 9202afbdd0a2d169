/* explainer_state.h: the state of an explainer and its last explanation. The public interface is in sugeno.h. */
#pragma once

#include "explain/row/path_attribution.h"
#include "explain/rules/original_units.h"
#include "model/reference_forward_backward.h"
#include "predict/predict_worker.h"

struct sg_explainer {
    const sg_model *model;
    sg_predict_worker worker;
    sg_original_units units;
    sg_contributions contributions; /* to the inputs of consequents */
    sg_path path;
    sg_block_workspace *work; /* (blocks): firing levels                             */
    size_t rules;             /* number of rules of all blocks                       */
    size_t input_terms;       /* number of SG_TERM_INPUT terms: inputs, then effects; 0 without blocks */
    size_t parts;             /* number of curves and pairs                                         */
    size_t *input_term_of;    /* (features): index of the feature's term among these */
    sg_term *term[2];         /* indexed by sg_grouping                              */
    size_t terms[2];
    char *names;            /* names of the rule terms                                      */
    char *part_names;       /* names of the terms of pairs, one after the other             */
    char *input_names;      /* names of the input terms of a model that also has curves     */
    double *buffer;         /* holds all arrays below and those of the explanations         */
    double *encoded;        /* (features): a row with NaN for missing features              */
    double *x, *missing;    /* (features): the imputed row; 1 for a missing feature, else 0 */
    double *a, *z, *z_mean; /* row as seen by conditions and consequents; means of z        */
    double *z_seen;         /* z with NaN for missing features, for blocks with sees_z      */
    double *scratch;
    double *weight;               /* (columns of z): firing-weighted slopes of one output */
    double *feature_contribution; /* (features): contributions to one output              */
    double *base, *y;             /* (outputs)                                            */
    double *part;                 /* (parts, outputs): what curves and pairs add          */
    sg_explanation *out;          /* (outputs)                                            */
};

/* Explains a row x[features], with NaN for missing features, and fills e->out. */
void sg_explain_features(sg_explainer *e, const double *x);
/* Computes the base terms, which the explanation of a row requires. */
void sg_explain_base(sg_explainer *e);
/* Returns x clamped to the finite doubles, or 0 for NaN. */
double sg_clamp_finite(double x);
