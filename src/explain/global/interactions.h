/* interactions.h: inputs whose effect depends on another one: predictions over both, as small tables. Nothing is said
 * where a model does not know its rows, or where its inputs act one by one. */
#ifndef SG_EXPLAIN_GLOBAL_INTERACTIONS_H
#define SG_EXPLAIN_GLOBAL_INTERACTIONS_H

#include "explain/global/centroid_pd.h"
#include "explain/text/text_writer.h"

/* After what is said of single inputs, which sets f->span. */
sg_status sg_interactions_text(sg_text_writer *p, sg_centroid_pd *f);
/* A member of an object, with a comma after it. */
sg_status sg_interactions_json(sg_text *t, sg_centroid_pd *f);

#endif
