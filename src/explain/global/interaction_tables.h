/* interaction_tables.h: tables of mean predictions over pairs of inputs that interact. Nothing is written for a model
 * without rule statistics or without interactions. */
#pragma once

#include "explain/global/rule_centroid_pd.h"
#include "explain/text/wrapped_text.h"

/* Call after the global trends, which set f->span. */
sg_status sg_interactions_text(sg_text_writer *p, sg_centroid_pd *f);
/* The same as a member of an object, followed by a comma. */
sg_status sg_interactions_json(sg_text *t, sg_centroid_pd *f);
