/* folds.h: assigns rows to the folds of cross-validation, at random, in order, or by groups. The folds do not depend on
 * threads, ranks or the size of reads. */
#pragma once

#include "base/thread/thread_pool.h"
#include "data/source/subset_source.h"
#include "model/model.h"

#include <stdbool.h>

/* Folds contain a copy of the source, whose data must outlive them. */
typedef struct sg_folds sg_folds;

#define SG_NO_FOLD ((size_t)-1)

/* Makes k folds of random rows. */
sg_status sg_folds_random(const sg_source *rows, size_t k, uint64_t seed, sg_folds **out);
/* Cuts the rows into k + 1 consecutive parts. Fold i holds out part i + 1 and is trained on all parts before it. */
sg_status sg_folds_ordered(const sg_source *rows, size_t k, sg_folds **out);
/* Keeps each group of rows with equal values in these columns in one fold. Folds have nearly the same size if groups
 * are small. There must be at least k groups, and k must be at most 65,535. Reads the rows twice. Needs two bytes per
 * local row, and up to 112 bytes per group during construction. Collective if the source is distributed. */
sg_status sg_folds_grouped(const sg_source *rows, const size_t *columns, size_t count, size_t k, uint64_t seed,
                           sg_folds **out);
void sg_folds_free(sg_folds *f);

/* Returns the fold, 0 .. k-1, that holds out a local row, or SG_NO_FOLD for the first part of ordered folds. */
size_t sg_folds_find(const sg_folds *f, size_t row);
/* Returns the number of rows in which all group columns have missing values. */
size_t sg_folds_rows_without_group(const sg_folds *f);
/* Selects the rows that fold i holds out, or those it is trained on. Collective if the source is distributed. */
sg_status sg_folds_rows(const sg_folds *f, size_t i, bool held_out, sg_subset **out);
