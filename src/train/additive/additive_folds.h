/* additive_folds.h: assigns rows to the folds of additive models.
 *
 * All rows of a group are in the same fold. The rows of a group have equal values in the column named by --group or,
 * without that option, equal inputs. Many groups are assigned by a hash, so that a pass over the rows needs no memory
 * for them. A few groups are assigned so that the folds have about the same number of rows. */
#pragma once

#include "train/eval/row_groups.h"

#include "data/source/source_util.h"

enum { SG_ADDITIVE_FOLDS = 10 };

typedef struct sg_additive_grouping {
    uint64_t seed;
    const size_t *column; /* columns that identify a group */
    size_t columns;
    sg_group_table table; /* empty, or all groups of a sample of the rows */
} sg_additive_grouping;

/* Finds the groups of `rows`, a local sample that is the same on all ranks, if there are few groups. column must
 * outlive *g. Release *g with sg_additive_grouping_release. */
sg_status sg_additive_grouping_init(sg_additive_grouping *g, uint64_t seed, const size_t *column, size_t columns,
                                    const sg_source *rows);
void sg_additive_grouping_release(sg_additive_grouping *g);
/* Returns the fold of a row of the source. */
size_t sg_additive_fold(const sg_additive_grouping *g, const double *row);
