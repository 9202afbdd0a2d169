/* unlisted.h: values that tables of effects do not list, in rows that are predicted or scored. */
#ifndef SG_TRAIN_UNLISTED_H
#define SG_TRAIN_UNLISTED_H

#include "base/options.h"
#include "data/source.h"
#include "prep/coding.h"

/* Counts rows that hold such values (sg_effect_lacks), in a pass over them if there are tables that list any, and says
 * so in one notice. column[i] of the source is input i of the coding. Collective for rows of a team. */
sg_status sg_tell_unlisted(const sg_options *o, const sg_source *rows, const sg_coding *c, const size_t *column);

#endif
