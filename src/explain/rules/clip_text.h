/* clip_text.h: what a model does not go beyond, in words and as JSON. */
#ifndef SG_EXPLAIN_RULES_CLIP_TEXT_H
#define SG_EXPLAIN_RULES_CLIP_TEXT_H

#include "base/text.h"
#include "model/model.h"

/* A sentence for each limit, or nothing. */
void sg_clip_text(sg_text *t, const sg_model *m);
/* Members of an object, each with a comma after it; none where nothing is limited. */
void sg_clip_json(sg_text *t, const sg_model *m);

#endif
