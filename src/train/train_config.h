/* train_config.h: the options of one training run, parsed once into typed fields.
 *
 * Only train_config.c reads options by name. All other files use this struct or some of its fields. */
#pragma once

#include "base/options.h"
#include "train/batch/dropout.h"
#include "train/init/structure_table.h"
#include "train/optim/optimiser.h"

typedef enum sg_input_scale { SG_SCALE_ZSCORE, SG_SCALE_QUANTILE, SG_SCALE_NONE } sg_input_scale;
typedef enum sg_target_transform { SG_TARGET_NONE, SG_TARGET_CENTER, SG_TARGET_ZSCORE } sg_target_transform;
typedef enum sg_clamp_kind { SG_CLAMP_NONE, SG_CLAMP_RANGE, SG_CLAMP_TAILS } sg_clamp_kind;

/* How inputs and targets are transformed. */
struct sg_preprocess_config {
    const sg_options *notices; /* receives notices; NULL: none are sent */
    uint64_t seed;
    sg_input_scale scale;
    sg_target_transform target;
    sg_clamp_kind clamp;
    bool clips;          /* predictions are clipped to the range of the targets */
    double clip_margin;  /* extends that range on each side, as a fraction of its width */
    size_t pca;          /* number of principal components; 0: none */
    size_t pca_option;   /* the value of --pca, even if --scale quantile turns PCA off */
    bool is_f32;         /* the kernels compute in float */
    const char *effects; /* names of the inputs with univariate effects, comma-separated; "": none */
};

/* How the initial rule base is built. */
struct sg_structure_config {
    const sg_structure *kind;
    const sg_mf_kind *mf;
    const char *mfs; /* grid: the number of MFs for all inputs, or one number for each input, comma-separated */
    size_t rules;    /* cluster: the number of rules; 0: the default */
    const sg_center_method *centers;
    double width; /* width of the initial MFs, in standard deviations */
    size_t low_rank;
    size_t pca;       /* number of principal components; 0: none */
    bool mean_firing; /* firing levels are geometric means (HTSK) */
    bool needs_lse;   /* consequents will be fitted by least squares */
    uint64_t seed;
};

/* The options of additive models. Strings belong to the options. */
typedef struct sg_additive_config {
    bool is_additive;     /* --structure additive */
    bool is_searched;     /* the preset searches for a structure, perhaps an additive one */
    const char *given;    /* an option of additive models that the user gave, or NULL */
    const char *pairs;    /* "auto", a number, or "a:b,c:d" */
    const char *monotone; /* "a:+,b:-", or "" */
    const char *mfs;      /* the number of terms of each input, if it was given; otherwise NULL */
    double smoothing;     /* factor of the smoothing penalties; 0: chosen by cross-validation */
} sg_additive_config;

typedef struct sg_train_config {
    const sg_options *options; /* the parsed options, for notices, column roles and the training record */
    const char *preset, *precision, *weights;
    uint64_t seed;
    size_t threads, iterations;
    sg_preprocess_config preprocess;
    sg_structure_config structure;
    sg_additive_config additive;
    sg_optimiser optimiser; /* hyperparameters only; no state */
    sg_rate_schedule schedule;
    sg_dropout dropout;
    size_t batch; /* rows per batch; 0: all rows */
    bool block_sampling;
    bool use_lse;     /* consequents are fitted by least squares after every step */
    bool mean_loss;   /* the loss is a mean over rows, not a sum */
    bool ridge_start; /* consequents start at the coefficients of ridge regression */
    double l2, refit_l2, balance, noise, huber, average, sigma_floor;
    double valid_fraction;
    size_t patience;
} sg_train_config;

/* Parses the values of all options. Strings in the result point into o, which must not change while they are in use. */
sg_train_config sg_train_config_parse(const sg_options *o);

const char *sg_target_transform_name(sg_target_transform t);

/* Fails if options of additive models are given although the model has no curves and no search chooses it. */
sg_status sg_train_config_check_additive(const sg_train_config *c);

/* Returns the name of preset i, or NULL after the last one. */
const char *sg_preset_name(size_t i);
