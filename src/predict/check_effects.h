/* check_effects.h: values that tables of effects do not list, in rows that are predicted or scored. */
#ifndef SG_PREDICT_CHECK_EFFECTS_H
#define SG_PREDICT_CHECK_EFFECTS_H

#include "base/options.h"
#include "data/source/source.h"
#include "prep/encoder.h"

/* Counts rows that hold such values (sg_effect_is_unlisted), in a pass over them if there are tables that list any, and
 * says so in one notice. column[i] of the source is input i of the coding. Collective for rows of a team. */
sg_status sg_check_effect_values(const sg_options *o, const sg_source *rows, const sg_encoder *c, const size_t *column);

#endif
