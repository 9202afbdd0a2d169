/* folds.h: which rows each of k folds leaves out. What a fold is does not depend on threads, members of a team or how
 * much is read at a time. */
#ifndef SG_TRAIN_EVAL_FOLDS_H
#define SG_TRAIN_EVAL_FOLDS_H

#include "data/source/subset_source.h"

/* What the source reads from must outlive it. */
typedef struct sg_folds sg_folds;

#define SG_NO_FOLD ((size_t)-1)

/* Rows in a random order by the seed, cut into k parts. */
sg_status sg_folds_random(const sg_source *rows, size_t k, uint64_t seed, sg_folds **out);
/* Rows in their order, cut into k + 1 parts. Fold i leaves out part i + 1, and is trained on the parts before it. */
sg_status sg_folds_ordered(const sg_source *rows, size_t k, sg_folds **out);
/* Rows that are alike in these columns lie in the same fold; folds are of nearly the same size, if groups are small
 * enough. There must be k different ones. Two passes over the rows; takes two bytes for each that is here, and while it
 * is made up to 112 bytes for each group. k is at most 65,535. Collective for rows of a team. */
sg_status sg_folds_grouped(const sg_source *rows, const size_t *columns, size_t count, size_t k, uint64_t seed,
                           sg_folds **out);
void sg_folds_free(sg_folds *f);

/* Which fold leaves a row out, 0 .. k-1, a row that is here; SG_NO_FOLD for the first part of ordered ones. */
size_t sg_folds_find(const sg_folds *f, size_t row);
/* How many rows are alike in that all these columns are missing. */
size_t sg_folds_rows_without_group(const sg_folds *f);
/* The rows that fold i leaves out (left_out), or is trained on. Collective for rows of a team. */
sg_status sg_folds_rows(const sg_folds *f, size_t i, bool held_out, sg_subset **out);

#endif
