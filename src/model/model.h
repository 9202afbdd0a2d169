/* model.h: the model in memory.
 *
 *     y(x) = mean + scale * (y0 + sum over blocks of weight * TSK_b(a(x), z(x))) + additive(x),
 *            clipped to [clip_low, clip_high]
 *
 * Antecedents see the row as transformed by pipeline a, and consequents see it as transformed by pipeline z. A block is
 * one rule base with its own normalisation. The additive part (additive.h) sees the features themselves. All trainable
 * parameters are in one array, theta; the blocks and the additive part point into it. Grid rules share membership
 * functions, whereas clustered rules own theirs; the index array mf_of represents both. */
#pragma once

#include "base/status.h"
#include "model/additive.h"
#include "model/error_quantiles.h"
#include "model/frontier.h"
#include "model/mf/mf.h"
#include "prep/encoder.h"
#include "prep/transform_pipeline.h"

#include <stdint.h>

enum { SG_LOW_RANK_MAX = 3 };
/* The number of quantiles of a feature: those at 5, 25, 50, 75 and 95 %. */
enum { SG_QUANTILE_COUNT = 5 };
/* The initial MFs of a block with more MFs than this are not stored: they are for plots only. */
enum { SG_INITIAL_MF_MAX = 4096 };
/* No number in a model has a larger absolute value. Products of three of them are finite. */
#define SG_MODEL_MAX_ABS 1e100

typedef struct sg_block {
    const sg_mf_kind *kind;
    size_t inputs; /* width of a */
    size_t terms;  /* width of z */
    size_t outputs;
    size_t mfs, rules;
    size_t rank; /* number of low-rank terms in the log firing of a rule, 0 to 3 */
    double weight;
    double firing_scale;  /* scale of the log firing: 1, or 1 / inputs                                  */
    bool sees_z;          /* conditions see z instead of a; z then has as many columns as a             */
    uint32_t *input_of;   /* (mfs): the input of each MF                                                */
    int32_t *mf_of;       /* (rules, inputs): MF index, or -1 if the rule has no condition on the input */
    double *mf;           /* (arity, mfs)                                                               */
    double *low_rank;     /* (rules, rank, inputs)                                                      */
    double *conseq;       /* (rules, terms + 1, outputs); term 0 is b_r0                                */
    double *firing_share; /* (rules): share of the total firing on the training rows; NULL if unknown   */
    double *centroid; /* (rules, features of the model): firing-weighted mean of the training rows; NULL if firing_share
                         is NULL */
    double *mean_prediction; /* (rules, outputs): firing-weighted mean prediction on training rows; NULL if unknown */
    double *initial_mf;      /* (arity, mfs): mf before training, for plots; NULL if unknown */
} sg_block;

/* An entry of the training record. */
typedef struct sg_record_entry {
    char *name, *value;
    bool number; /* the value is a number, written without quotes */
} sg_record_entry;

/* A point of the learning curve; valid is NaN without validation rows. */
typedef struct sg_curve_point {
    size_t iteration;
    double train, valid;
} sg_curve_point;

typedef struct sg_record {
    sg_record_entry *entry;
    size_t entries, entry_capacity;
    sg_curve_point *curve;
    size_t points, curve_capacity;
} sg_record;

/* Features are the columns that the pipelines see. Without an encoder they are the inputs. An encoder expands
 * categories into indicator features (low = 0, high = 1, mean = share of the level) and may append effect features. */
struct sg_model {
    size_t features, outputs;
    char **feature_name, **output_name;
    sg_encoder *encoder;  /* NULL if there are neither categories nor effects */
    double *low, *high;   /* (features): range in the training rows */
    double *feature_mean; /* (features): replaces missing values in consequents */
    double *quantile;     /* (features, SG_QUANTILE_COUNT): quantiles of numeric features in the training rows; NULL if
                             unknown */
    sg_pipeline a, z;
    bool shared_pipeline;         /* z equals a and is computed once                               */
    double *mean, *scale;         /* (outputs): mean and scale of the targets                      */
    double *y0;                   /* (outputs)                                                     */
    double *clip_low, *clip_high; /* (outputs): bounds of predictions; +-DBL_MAX if there are none */
    size_t blocks;
    sg_block *block;
    sg_additive *additive; /* NULL if there is none; its parameters come last in theta */
    size_t parameters;
    double *theta;
    sg_calibration calibration;
    sg_record record;
    sg_frontier frontier; /* empty if there was no search */
};

/* Creates a model with empty pipelines, the identity as target transform and no blocks. Copies the names. */
sg_status sg_model_new(const char *const *input_names, size_t inputs, const char *const *output_names, size_t outputs,
                       sg_model **out);
sg_status sg_model_copy(const sg_model *m, sg_model **out);
/* Copies everything except the blocks. */
sg_status sg_model_copy_without_blocks(const sg_model *m, sg_model **out);

/* Appends a block of the given shape with weight 1, firing_scale 1 and an empty index (all conditions -1). The
 * pipelines must be complete. sg_model_alloc_theta sets the pointers into theta. */
sg_status sg_model_add_block(sg_model *m, const sg_mf_kind *kind, size_t mfs, size_t rules, size_t rank);
/* Allocate zeroed statistics of the training rows and free existing ones. `inputs` is the number of features of the
 * model. Return false if memory is exhausted. */
bool sg_model_alloc_quantiles(sg_model *m);
bool sg_block_alloc_firing_shares(sg_block *b, size_t inputs);
bool sg_block_alloc_mean_predictions(sg_block *b);
/* Stores a copy of the current MFs as the initial ones. Returns false if memory is exhausted. */
bool sg_block_save_initial_mfs(sg_block *b);
void sg_block_free_initial_mfs(sg_block *b);
/* Returns whether the feature is a numeric input rather than a level of a category or an effect. Only numeric features
 * have quantiles. */
bool sg_model_is_numeric_feature(const sg_model *m, size_t feature);
/* Allocates a zeroed theta and sets the pointers of all blocks and of the additive part. */
sg_status sg_model_alloc_theta(sg_model *m);
/* Returns the number of parameters of the block. */
size_t sg_block_parameters(const sg_block *b);

/* Returns whether predictions of output o are clipped. */
bool sg_model_is_clipped(const sg_model *m, size_t o);

/* Returns whether the constant of the prediction belongs to no rule, which is the case if several parts are added up.
 * The rules of a single block include the constant in their outputs, because their firing levels sum to 1. */
static inline bool sg_model_is_sum(const sg_model *m) { return m->blocks != 1 || m->additive; }
/* Returns the constant of output o, in units of the target. */
static inline double sg_model_constant(const sg_model *m, size_t o) { return m->mean[o] + m->scale[o] * m->y0[o]; }

/* Returns the pipeline of the block's conditions. */
static inline const sg_pipeline *sg_block_pipeline(const sg_model *m, const sg_block *b)
{
    return b->sees_z ? &m->z : &m->a;
}

/* Returns the width of z. */
static inline size_t sg_model_terms(const sg_model *m) { return m->shared_pipeline ? m->a.out : m->z.out; }

/* Returns the first feature of an input. A numeric input has no others, apart from effects. */
static inline size_t sg_model_first_feature(const sg_model *m, size_t input)
{
    return m->encoder ? m->encoder->input[input].first_feature : input;
}

/* Copy the parameters of MF i from and to the (arity, mfs) array. */
static inline void sg_mf_get(const sg_block *b, size_t i, double p[SG_MF_MAX_PARAMETERS])
{
    for (size_t k = 0; k < b->kind->arity; k++) p[k] = b->mf[k * b->mfs + i];
}
static inline void sg_mf_put(sg_block *b, size_t i, const double *p)
{
    for (size_t k = 0; k < b->kind->arity; k++) b->mf[k * b->mfs + i] = p[k];
}

/* Frees the contents; the record is empty afterwards. */
void sg_record_release(sg_record *r);
/* Appends an entry. Returns false if memory is exhausted. */
bool sg_record_add(sg_record *r, const char *name, const char *value, bool number);
/* Replaces the entry with this name, or appends it. */
bool sg_record_set(sg_record *r, const char *name, const char *value);
bool sg_record_add_point(sg_record *r, size_t iteration, double train, double valid);
