/* model.h: a model as it lies in memory.
 *
 *     y(x) = mean + scale * (y0 + sum over blocks of weight * TSK_b(a(x), z(x))), from `least` to `most`
 *
 * Antecedents see the view a of a row, consequents the view z. A block is one rule base with its
 * own normalisation. All trainable numbers are one flat theta; the blocks' pointers are views of
 * it. Grid rules share membership functions, clustered rules own theirs: both are an index. */
#ifndef SG_MODEL_MODEL_H
#define SG_MODEL_MODEL_H

#include "base/status.h"
#include "model/calibration.h"
#include "model/mf/mf.h"
#include "prep/encoder.h"
#include "prep/pipeline.h"

#include <stdint.h>

enum { SG_LOW_RANK_MAX = 3 };
/* Those of 5, 25, 50, 75 and 95 %. */
enum { SG_QUANTILE_COUNT = 5 };
/* Of a block that has more MFs nobody draws them all, and their start is not kept. */
enum { SG_INITIAL_MF_MAX = 4096 };
/* No number of a model is larger: products of three of them stay finite. */
#define SG_MODEL_MAX_ABS 1e100

typedef struct sg_block {
    const sg_mf_kind *kind;
    size_t inputs; /* width of the view a                            */
    size_t terms;  /* width of the view z                            */
    size_t outputs;
    size_t mfs, rules;
    size_t rank; /* low-rank terms in a rule's log firing, 0 to 3  */
    double weight;
    double firing_scale;  /* scale of the log firing: 1, or 1 / inputs      */
    bool sees_z;          /* conditions see z as well; both views are as wide as the inputs then */
    uint32_t *input_of;   /* (mfs): the input that an MF is about           */
    int32_t *mf_of;       /* (rules, inputs): -1 where a rule does not ask  */
    double *mf;           /* (arity, mfs)                                   */
    double *low_rank;     /* (rules, rank, inputs)                          */
    double *conseq;       /* (rules, terms + 1, outputs); term 0 is b_r0    */
    double *firing_share; /* (rules): of all firing on the training rows; NULL: nobody counted */
    double *centroid; /* (rules, inputs of the model): means of these rows, by how much a rule fires; with share, NULL
                         as that */
    double *mean_prediction; /* (rules, outputs): what is predicted of these rows, their mean by how much a rule fires;
                                NULL: nobody counted */
    double *initial_mf;      /* (arity, mfs): what mf was before training, for people; NULL: nobody knows */
} sg_block;

/* A fact of the training record. */
typedef struct sg_record_entry {
    char *name, *value;
    bool number; /* written without quotes */
} sg_record_entry;

/* One point of the learning curve; valid is NaN where there was none. */
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

/* The inputs here are features: what the views see. They are those that the user knows, unless there is a
 * coding, which makes them of these: then low and high of a category's features are 0 and 1, and the mean is the
 * level's share. The last ones may be effects of inputs. */
struct sg_model {
    size_t features, outputs;
    char **feature_name, **output_name;
    sg_encoder *encoder;  /* NULL: neither categories nor effects     */
    double *low, *high;   /* (inputs): the range of the training rows */
    double *feature_mean; /* (inputs): what a missing one counts as in consequents */
    double
        *quantile; /* (inputs, SG_QUANTILE_COUNT): of the training rows, of inputs of numbers; NULL: nobody counted */
    sg_pipeline a, z;
    bool shared_pipeline;         /* z is a: computed once                    */
    double *mean, *scale;         /* (outputs): of the target                 */
    double *y0;                   /* (outputs)                                */
    double *clip_low, *clip_high; /* (outputs): predictions are kept within; +-DBL_MAX where nothing limits them */
    size_t blocks;
    sg_block *block;
    size_t parameters;
    double *theta;
    sg_calibration calibration;
    sg_record record;
};

/* Empty views, unit target transform, no blocks. Names are copied. */
sg_status sg_model_new(const char *const *input_names, size_t inputs, const char *const *output_names, size_t outputs,
                       sg_model **out);
sg_status sg_model_copy(const sg_model *m, sg_model **out);
/* All of it but the blocks: there are none. */
sg_status sg_model_copy_without_blocks(const sg_model *m, sg_model **out);

/* Adds a block of the given shape (kind, mfs, rules, rank; weight and h 1) with empty index: every
 * condition -1. The views must be complete. Pointers into theta are set by sg_model_alloc_theta. */
sg_status sg_model_add_block(sg_model *m, const sg_mf_kind *kind, size_t mfs, size_t rules, size_t rank);
/* Room for what is known of the training rows, zeroed: quantiles; shares and places of a block's rules, for a model of
 * so many inputs; what is predicted where they fire. What was there is lost. False without memory. */
bool sg_model_alloc_quantiles(sg_model *m);
bool sg_block_alloc_firing_shares(sg_block *b, size_t inputs);
bool sg_block_alloc_mean_predictions(sg_block *b);
/* Room for the MFs before training, which are those of now. False without memory. */
bool sg_block_save_initial_mfs(sg_block *b);
void sg_block_free_initial_mfs(sg_block *b);
/* Whether a feature is an input of numbers, no level of a category and no effect: those have quantiles. */
bool sg_model_is_numeric_feature(const sg_model *m, size_t feature);
/* Allocates theta, zeroed, for all blocks. */
sg_status sg_model_alloc_theta(sg_model *m);
/* Numbers of theta that the block takes. */
size_t sg_block_parameters(const sg_block *b);

/* Whether predictions of output o are limited. */
bool sg_model_is_clipped(const sg_model *m, size_t o);

/* What the block's conditions see. */
static inline const sg_pipeline *sg_block_pipeline(const sg_model *m, const sg_block *b)
{
    return b->sees_z ? &m->z : &m->a;
}

/* The width of the view z. */
static inline size_t sg_model_terms(const sg_model *m) { return m->shared_pipeline ? m->a.out : m->z.out; }

/* Returns the first feature of an input; a numeric input has no other, except effects. */
static inline size_t sg_model_first_feature(const sg_model *m, size_t input)
{
    return m->encoder ? m->encoder->input[input].first_feature : input;
}

/* MF i's parameters, gathered from and put back to (arity, mfs). */
static inline void sg_mf_get(const sg_block *b, size_t i, double p[SG_MF_MAX_PARAMETERS])
{
    for (size_t k = 0; k < b->kind->arity; k++) p[k] = b->mf[k * b->mfs + i];
}
static inline void sg_mf_put(sg_block *b, size_t i, const double *p)
{
    for (size_t k = 0; k < b->kind->arity; k++) b->mf[k * b->mfs + i] = p[k];
}

/* It is empty then. */
void sg_record_release(sg_record *r);
/* Adds a fact to the record; false without memory. */
bool sg_record_add(sg_record *r, const char *name, const char *value, bool number);
/* The same, in the place of one of that name, if there is one. */
bool sg_record_set(sg_record *r, const char *name, const char *value);
bool sg_record_add_point(sg_record *r, size_t iteration, double train, double valid);

#endif
