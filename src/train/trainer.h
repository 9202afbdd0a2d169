/* trainer.h: the state of a training, shared by the files that implement it: trainer.c (construction and steps),
 * trainer_warm_start.c (training a model further), checkpoint.c (saving and resuming), trainer_finish.c (the result),
 * training_record.c (the training record). */
#pragma once

#include "train/balance_penalty.h"
#include "train/eval/validation.h"
#include "train/fit/lse.h"
#include "train/fit/preprocess.h"
#include "train/fit/rule_stats.h"
#include "train/train_config.h"

/* --- the training record: everything that determines the numbers of a model, and the learning curve --- */

enum { SG_LEARNING_CURVE_POINTS = 128 };

/* The learning curve, thinned to about a hundred points. */
typedef struct sg_learning_curve {
    size_t every, points;
    sg_curve_point point[SG_LEARNING_CURVE_POINTS];
} sg_learning_curve;

void sg_learning_curve_init(sg_learning_curve *c, size_t iterations);
/* valid: NaN if not evaluated, which repeats the last value. last: always adds the point. */
void sg_learning_curve_add(sg_learning_curve *c, size_t iteration, bool last, double train, double valid);

/* Records version, options and data. */
sg_status sg_record_start(sg_record *r, const sg_train_config *config, const sg_preprocessed *p);
/* Replaces the data of a started record. */
sg_status sg_record_set_data(sg_record *r, const sg_preprocessed *p);
/* Records the validation rows, which select the iterate. */
sg_status sg_record_add_validation(sg_record *r, size_t rows, uint64_t fingerprint);
/* Records the number of iterations, the selected one, and the curve. valid_rmse may be NaN. */
sg_status sg_record_finish(sg_record *r, size_t iterations, size_t best, double valid_rmse, const sg_learning_curve *c);

/* --- the trainer --- */

/* Least squares for the consequents after the last step (--refit). */
typedef struct sg_refit {
    sg_model *model; /* with the refitted consequents */
    sg_lse lse;
    bool done;
} sg_refit;

struct sg_trainer {
    sg_train_config config;   /* its options and texts are valid during construction only */
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
    double sigma_floor; /* no MF gets narrower        */
    size_t k, iterations;
    size_t start_iteration; /* steps made before, on other rows */
    bool is_continued;      /* made by sg_trainer_continue */
    sg_iterate_average average;
    double *lambda;    /* (8, terms + 1, outputs): penalties of eight rules, 0 for biases */
    double *l2_center; /* (8, terms + 1, outputs): the values that the penalty pulls towards */
    sg_validation validation;
    sg_learning_curve curve;
    sg_row_sample rule_stats; /* rows for the statistics of rules */
};

/* Allocates everything that steps need. The rows and the model must be set; valid may be NULL. */
sg_status sg_trainer_init_buffers(sg_trainer *t, const sg_source *valid);

/* Returns whether theta may be stored in a model file: finite, with valid MFs. */
bool sg_trainer_theta_is_valid(const sg_trainer *t, const double *theta);

/* Like sg_trainer_model, without the statistics of rules. */
sg_status sg_trainer_copy_model(const sg_trainer *t, sg_model **out);

/* Allocates the refit. Collective if the source is distributed. */
sg_status sg_refit_init(sg_trainer *t);
void sg_refit_release(sg_refit *r);
/* Refits the consequents if the options ask for it and the last step was made. Collective if the source is distributed.
 * Allocates nothing. */
sg_status sg_refit_run(sg_trainer *t);
