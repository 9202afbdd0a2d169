/* rule_stats.h: what a model remembers of its training rows, so that its rules can be told in words: quantiles of the
 * inputs, how much of all firing is a rule's (its share), the mean of the rows that it governs (its place), and what is
 * predicted of them.
 *
 * Made of all rows, or of as many as are worth it, spread evenly, one after the other, by the plain functions of
 * src/model: the same bits whatever the threads, kernels and members of a team. */
#ifndef SG_TRAIN_FIT_RULE_STATS_H
#define SG_TRAIN_FIT_RULE_STATS_H

#include "train/fit/preprocess.h"

/* Rows at most: of a single training, which may take milliseconds; of what took longer. */
enum { SG_RULE_STATS_ROWS = 1024, SG_RULE_STATS_MAX_ROWS = 65536 };

/* Rows of features. */
typedef struct sg_rule_stats {
    size_t rows, inputs;
    double *x; /* (rows, inputs), NaN where one is missing */
} sg_rule_stats;

/* Some rows of s, features as p's model has them. Collective for rows of a team, all of whose members get the same. */
sg_status sg_rule_stats_sample(sg_rule_stats *f, const sg_source *s, const sg_preprocessed *p);
/* Some rows of s, as the user has them, for this model; they are here. */
sg_status sg_rule_stats_sample_raw(sg_rule_stats *f, const sg_source *s, const sg_model *m);
void sg_rule_stats_release(sg_rule_stats *f);
/* A number for people: six digits. */
double sg_round_digits(double value);
/* The model remembers them. */
sg_status sg_rule_stats_store(const sg_rule_stats *f, sg_model *m);

#endif
