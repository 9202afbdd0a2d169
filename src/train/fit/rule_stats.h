/* rule_stats.h: statistics of the training rows that a model stores to describe its rules: quantiles of the inputs and,
 * for each rule, its share of all firing, the centroid of its rows and its mean prediction.
 *
 * They are computed from an evenly spaced sample, row by row, with the reference evaluation, so that they are bitwise
 * identical for all threads, kernels and ranks. */
#pragma once

#include "train/fit/even_sample.h"

/* Maximum numbers of sampled rows: after a single training run, which may take milliseconds, and after longer work. */
enum { SG_RULE_STATS_ROWS = 1024, SG_RULE_STATS_MAX_ROWS = 65536 };

/* Samples rows of s, whose columns include the features of p->model. Collective if the source is distributed; all ranks
 * get the same sample. */
sg_status sg_rule_stats_sample(sg_row_sample *f, const sg_source *s, const sg_preprocessed *p);
/* Samples rows of s, which are in original units, as features of m. The source must be local. */
sg_status sg_rule_stats_sample_raw(sg_row_sample *f, const sg_source *s, const sg_model *m);
/* Returns the value rounded to six significant digits. */
double sg_round_digits(double value);
/* Computes the statistics from the sample and stores them in the model. */
sg_status sg_rule_stats_store(const sg_row_sample *f, sg_model *m);
