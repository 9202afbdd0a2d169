/* check.h: are these rows that can be trained on, or scored? */
#ifndef SG_TRAIN_CHECK_H
#define SG_TRAIN_CHECK_H

#include "train/roles.h"

/* Values that are trained on lie within this, so that their spread lies within SG_LARGEST. */
#define SG_LARGEST_VALUE 1e99

/* Rows that can't be used. */
typedef struct sg_unusable {
    size_t lacking; /* a target, or the weight */
    size_t zeros;   /* of weight 0             */
} sg_unusable;

/* One pass: targets and, with `inputs`, inputs are missing or within SG_LARGEST_VALUE; weights are missing
 * or at least 0, and not all 0; there is a row that lacks nothing. The failure names the row, so give it the
 * source that the user knows, not a part of it. */
sg_status sg_check_rows(const sg_source *s, const sg_roles *roles, bool inputs, sg_unusable *out);
/* Those of s that lack nothing, and without `zeros` weigh something; s must outlive *out. */
sg_status sg_usable_rows(const sg_source *s, const sg_roles *roles, bool zeros, sg_subset **out);
/* Says that so many rows are left out; which: "", or "validation ". */
void sg_tell_lacking(const sg_options *o, const sg_roles *roles, size_t lacking, const char *which);

#endif
