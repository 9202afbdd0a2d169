/* check_levels.h: levels that a coding does not know, in rows that are predicted or scored. */
#ifndef SG_PREDICT_CHECK_LEVELS_H
#define SG_PREDICT_CHECK_LEVELS_H

#include "base/options.h"
#include "data/source/encoded_source.h"

/* Counts them, in a pass over the rows if there may be any, and says so in one notice. Where rare levels were pooled
 * nobody knows which those were, and all others count among them: no notice. validation: of which rows it is said. */
sg_status sg_check_levels(const sg_options *o, const sg_encoded_source *e, bool validation);

#endif
