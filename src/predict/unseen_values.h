/* unseen_values.h: notices about values that did not occur in training: levels of categories and values of effects. */
#ifndef SG_PREDICT_UNSEEN_VALUES_H
#define SG_PREDICT_UNSEEN_VALUES_H

#include "base/options.h"
#include "data/source/encoded_source.h"

/* Counts unknown levels, in a pass over the rows if there may be any, and sends one notice. Pooled categories have no
 * unknown levels. validation: the rows are validation rows. Collective if the source is distributed. */
sg_status sg_notify_unseen_levels(const sg_options *o, const sg_encoded_source *e, bool validation);

/* Counts rows with values that the tables of effects do not list, in a pass over the rows if any table lists values,
 * and sends one notice. column[i] of the source is input i of the encoder. Collective if the source is distributed. */
sg_status sg_notify_unseen_values(const sg_options *o, const sg_source *rows, const sg_encoder *c,
                                  const size_t *column);

#endif
