/* trainer.h: a training as it lies in memory, for the files that make it up: trainer.c steps, trainer_resume.c saves
 * and goes on, trainer_finish.c says what came of it. */
#ifndef SG_TRAIN_TRAINER_H
#define SG_TRAIN_TRAINER_H

#include "train/balance_penalty.h"
#include "train/batch/batch_prefetch.h"
#include "train/eval/validation.h"
#include "train/fit/lse.h"
#include "train/fit/rule_stats.h"
#include "train/fit/training_set.h"
#include "train/optim/iterate_average.h"
#include "train/optim/optimiser.h"
#include "train/optim/rate_schedule.h"
#include "train/training_record.h"

/* Least squares after the last step. */
typedef struct sg_refit {
    double l2;       /* 0: there is none */
    sg_model *model; /* of it            */
    sg_lse lse;
    bool done;
} sg_refit;

struct sg_trainer {
    sg_preprocessed prepared; /* its model is the one that is trained */
    sg_model *model;
    sg_thread_pool *pool;
    sg_training_set training_set;
    sg_source train; /* the chosen rows' features */
    sg_batch batch;
    sg_batch_prefetch prefetch;
    sg_dropout drop;
    sg_gradient gradient;
    sg_balance_penalty balance;
    sg_optimiser optimiser;
    sg_lse lse;
    sg_refit refit;
    bool use_lse, mean_loss, diverged;
    bool step_complete;     /* the last step was made to its end */
    double l2, sigma_floor; /* floor: no MF gets narrower */
    uint64_t seed;
    size_t k, iterations;
    size_t start_iteration; /* steps that were made before, on other rows */
    bool is_continued;      /* of a model that was there: its rows alone do not say what it is */
    sg_rate_schedule schedule;
    sg_iterate_average average; /* of the iterates */
    double *lambda;             /* (8, terms + 1, outputs): the penalty of eight rules, 0 for biases */
    double *l2_center;          /* the same: what it pulls to */
    sg_validation validation;
    sg_learning_curve curve;
    sg_rule_stats rule_stats; /* rows that the rules' shares are counted on */
};

/* All that steps need, once there are rows and a system; valid may be NULL. */
sg_status sg_trainer_init_buffers(const sg_options *o, const sg_source *valid, sg_trainer *t);
/* What o says of the training itself. */
void sg_trainer_read_options(const sg_options *o, sg_trainer *t);

/* Whether the system would be one that a model file may hold. */
bool sg_trainer_theta_is_valid(const sg_trainer *t, const double *theta);

/* sg_trainer_model, of which nobody wants to know how much of the rows its rules govern. */
sg_status sg_trainer_copy_model(const sg_trainer *t, sg_model **out);

/* Makes room for a refit. Collective for rows of a team. */
sg_status sg_refit_init(sg_trainer *t);
void sg_refit_release(sg_refit *r);
/* Does it, where there is one, and the last step was made. Collective for rows of a team. Allocates nothing. */
sg_status sg_refit_run(sg_trainer *t);

#endif
