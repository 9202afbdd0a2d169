/* trainer.h: the state of a training, shared by the files that implement it: trainer.c (construction and steps),
 * trainer_continue.c (training a model further), checkpoint.c (saving and resuming), trainer_finish.c (the result). */
#ifndef SG_TRAIN_TRAINER_H
#define SG_TRAIN_TRAINER_H

#include "train/balance_penalty.h"
#include "train/eval/validation.h"
#include "train/fit/lse.h"
#include "train/fit/rule_stats.h"
#include "train/train_config.h"
#include "train/training_record.h"

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

#endif
