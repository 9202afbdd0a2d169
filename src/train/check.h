/* check.h: are these rows that can be trained on, or scored? */
#ifndef SG_TRAIN_CHECK_H
#define SG_TRAIN_CHECK_H

#include "train/roles.h"

/* Values that are trained on lie within this, so that their spread lies within SG_LARGEST. */
#define SG_LARGEST_VALUE 1e99

/* One pass: targets and, with `inputs`, inputs are within SG_LARGEST_VALUE; weights are at least
 * 0, and not all 0. The failure names the row, so give it the source that the user knows, not a
 * part of it. *zeros, if not NULL: rows of weight 0. */
sg_status sg_check_rows(const sg_source *s, const sg_roles *roles, bool inputs, size_t *zeros);

#endif
