/* train_config.h: the options of one training, parsed once into typed fields.
 *
 * Only train_config.c reads options by name. All other files take this struct or single fields of it. */
#pragma once

#include "base/options.h"
#include "train/batch/dropout.h"
#include "train/init/structure.h"
#include "train/optim/optimiser.h"

typedef enum sg_input_scale { SG_SCALE_ZSCORE, SG_SCALE_QUANTILE, SG_SCALE_NONE } sg_input_scale;
typedef enum sg_target_transform { SG_TARGET_NONE, SG_TARGET_CENTER, SG_TARGET_ZSCORE } sg_target_transform;
typedef enum sg_clamp_kind { SG_CLAMP_NONE, SG_CLAMP_RANGE, SG_CLAMP_TAILS } sg_clamp_kind;

/* Transforms of inputs and targets. */
struct sg_preprocess_config {
    const sg_options *notices; /* receives notices; NULL: none are sent */
    uint64_t seed;
    sg_input_scale scale;
    sg_target_transform target;
    sg_clamp_kind clamp;
    bool clips;          /* clip predictions to the range of the targets ...      */
    double clip_margin;  /* ... widened on both sides by this part of its width   */
    size_t pca;          /* number of principal components; 0: none               */
    size_t pca_option;   /* the same before --scale quantile turns PCA off        */
    bool is_f32;         /* the kernels compute in float                          */
    const char *effects; /* inputs with univariate effects, comma-separated; "": none */
};

/* The initial rule base. */
struct sg_structure_config {
    const sg_structure *kind;
    const sg_mf_kind *mf;
    const char *mfs; /* grid: the number of MFs, one for all inputs or one for each, comma-separated */
    size_t rules;    /* cluster: the number of rules; 0: the default */
    const sg_center_method *centers;
    double width; /* of the initial MFs, in standard deviations */
    size_t low_rank;
    size_t pca;       /* number of principal components; 0: none           */
    bool mean_firing; /* firing levels are geometric means (HTSK)          */
    bool needs_lse;   /* consequents will be solved for by least squares   */
    uint64_t seed;
};

typedef struct sg_train_config {
    const sg_options *options; /* what was parsed: for notices, column roles and the training record */
    const char *preset, *precision, *weights;
    uint64_t seed;
    size_t threads, iterations;
    sg_preprocess_config preprocess;
    sg_structure_config structure;
    sg_optimiser optimiser; /* hyperparameters only; no state */
    sg_rate_schedule schedule;
    sg_dropout dropout;
    size_t batch; /* rows of a batch; 0: all rows */
    bool block_sampling;
    bool use_lse;     /* consequents by least squares after every step */
    bool mean_loss;   /* the loss is a mean over rows, not a sum       */
    bool ridge_start; /* consequents start at ridge regression         */
    double l2, refit_l2, balance, noise, huber, average, sigma_floor;
    double valid_fraction;
    size_t patience;
} sg_train_config;

/* Texts of the result point into o, which must not change while the result is in use. */
sg_train_config sg_train_config_parse(const sg_options *o);

const char *sg_target_transform_name(sg_target_transform t);

/* The name of preset i; NULL after the last. */
const char *sg_preset_name(size_t i);
