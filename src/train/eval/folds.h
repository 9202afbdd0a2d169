/* folds.h: assigns rows to the folds of cross-validation, at random, in order, or by groups. The folds do not depend on
 * threads, ranks or the size of reads. */
#pragma once

#include "base/thread/thread_pool.h"
#include "data/source/subset_source.h"
#include "model/model.h"

#include <stdbool.h>

/* Copies the source; its data must outlive the folds. */
typedef struct sg_folds sg_folds;

#define SG_NO_FOLD ((size_t)-1)

/* k random parts. */
sg_status sg_folds_random(const sg_source *rows, size_t k, uint64_t seed, sg_folds **out);
/* k + 1 consecutive parts. Fold i holds out part i + 1 and is trained on the parts before it. */
sg_status sg_folds_ordered(const sg_source *rows, size_t k, sg_folds **out);
/* Rows with equal values in these columns form a group; groups are not split. Folds have nearly the same size if groups
 * are small. There must be at least k groups, and k is at most 65,535. Reads the rows twice. Needs two bytes per local
 * row, and up to 112 bytes per group during construction. Collective if the source is distributed. */
sg_status sg_folds_grouped(const sg_source *rows, const size_t *columns, size_t count, size_t k, uint64_t seed,
                           sg_folds **out);
void sg_folds_free(sg_folds *f);

/* The fold that holds out a local row, 0 .. k-1; SG_NO_FOLD for the first part of ordered folds. */
size_t sg_folds_find(const sg_folds *f, size_t row);
/* The number of rows with missing values in all group columns. */
size_t sg_folds_rows_without_group(const sg_folds *f);
/* Selects the rows that fold i holds out, or is trained on. Collective if the source is distributed. */
sg_status sg_folds_rows(const sg_folds *f, size_t i, bool held_out, sg_subset **out);
