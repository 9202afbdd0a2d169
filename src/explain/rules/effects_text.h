/* effects_text.h: tables of effects, in words and as JSON. */
#ifndef SG_EXPLAIN_RULES_EFFECTS_TEXT_H
#define SG_EXPLAIN_RULES_EFFECTS_TEXT_H

#include "base/text.h"
#include "model/model.h"

/* The coarse shape of each; nothing where there are none. */
void sg_effects_text(sg_text *t, const sg_model *m);
/* All numbers: a member of an object, with a comma after it; nothing where there are none. */
void sg_effects_json(sg_text *t, const sg_model *m);

#endif
