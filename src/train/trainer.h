/* trainer.h: the state of a training run, shared by the files that implement it: trainer.c (construction and steps),
 * trainer_warm_start.c (training an existing model further), checkpoint.c (saving and resuming), trainer_finish.c (the
 * result) and training_record.c (the training record). */
#pragma once

#include "train/balance_penalty.h"
#include "train/eval/validation.h"
#include "train/fit/lse.h"
#include "train/fit/preprocess.h"
#include "train/fit/rule_stats.h"
#include "train/train_config.h"

/* --- the training record: everything that determines the values in a model, and the learning curve --- */

enum { SG_LEARNING_CURVE_POINTS = 128 };

/* The learning curve, thinned to about a hundred points. */
typedef struct sg_learning_curve {
    size_t every, points;
    sg_curve_point point[SG_LEARNING_CURVE_POINTS];
} sg_learning_curve;

void sg_learning_curve_init(sg_learning_curve *c, size_t iterations);
/* Adds a point if its iteration is one to keep or `last` is set. If valid is NaN, the previous value is repeated. */
void sg_learning_curve_add(sg_learning_curve *c, size_t iteration, bool last, double train, double valid);

/* Starts a record with the version, the options and the data. */
sg_status sg_record_start(sg_record *r, const sg_train_config *config, const sg_preprocessed *p);
/* Replaces the entries about the data that sg_record_start wrote. */
sg_status sg_record_set_data(sg_record *r, const sg_preprocessed *p);
/* Records the number and the fingerprint of the validation rows. */
sg_status sg_record_add_validation(sg_record *r, size_t rows, uint64_t fingerprint);
/* Records the number of iterations, the selected iteration, its validation RMSE if that is finite, and the curve. */
sg_status sg_record_finish(sg_record *r, size_t iterations, size_t best, double valid_rmse, const sg_learning_curve *c);

/* --- the trainer --- */

/* The least-squares fit of the consequents after the last step (--refit). */
typedef struct sg_refit {
    sg_model *model; /* copy of the trained model, with refitted consequents */
    sg_lse lse;
    bool done;
} sg_refit;

struct sg_trainer {
    sg_train_config config;   /* its options and strings are valid only during construction */
    sg_preprocessed prepared; /* owns the model that is trained */
    sg_model *model;
    sg_thread_pool *pool;
    sg_training_set training_set;
    sg_source train; /* features of the training rows */
    sg_batch batch;
    sg_batch_prefetch prefetch;
    sg_gradient gradient;
    sg_balance_penalty balance;
    sg_optimiser optimiser;
    sg_lse lse;
    sg_refit refit;
    bool diverged;
    bool step_complete; /* the last step did not fail */
    double sigma_floor; /* no MF may become narrower than this */
    size_t k, iterations;
    size_t start_iteration; /* number of steps that the previous trainer made on other rows */
    bool is_continued;      /* the trainer was made by sg_trainer_continue */
    sg_iterate_average average;
    double *lambda;    /* (8, terms + 1, outputs): penalties on the consequents of eight rules; 0 for biases */
    double *l2_center; /* (8, terms + 1, outputs): the values that the penalty pulls towards */
    sg_validation validation;
    sg_learning_curve curve;
    sg_row_sample rule_stats; /* sampled rows for the statistics of rules */
};

/* Selects the rows on which a model is to be trained further, and copies the model to t->prepared, without its
 * calibration and record. t->config must be set, and the rest of *t must be zero. */
sg_status sg_trainer_load_rows(const sg_model *m, const sg_source *all, sg_thread_pool *pool, sg_trainer *t);
/* Allocates everything that the steps need. The rows and the model must be set; valid may be NULL. */
sg_status sg_trainer_init_buffers(sg_trainer *t, const sg_source *valid);

/* Returns whether a model file may store theta: all values are within SG_MODEL_MAX_ABS, and all MFs are valid. */
bool sg_trainer_theta_is_valid(const sg_trainer *t, const double *theta);

/* Like sg_trainer_model, but without computing the statistics of rules. */
sg_status sg_trainer_copy_model(const sg_trainer *t, sg_model **out);

/* Allocates the refit. Collective if the source is distributed. */
sg_status sg_refit_init(sg_trainer *t);
void sg_refit_release(sg_refit *r);
/* Refits the consequents if --refit is set and the last step has been made. Collective if the source is distributed.
 * Allocates nothing. */
sg_status sg_refit_run(sg_trainer *t);
