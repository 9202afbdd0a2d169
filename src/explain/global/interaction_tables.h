/* interaction_tables.h: writes tables of mean predictions over pairs of inputs that interact. Writes nothing for a
 * model without rule statistics. */
#pragma once

#include "explain/global/rule_centroid_pd.h"
#include "explain/text/text_writer.h"

/* Writes a section with the tables, if there are any. Requires f->span, which the global trends set. */
sg_status sg_interactions_text(sg_text_writer *p, sg_centroid_pd *f);
/* Writes the tables as the member "together" of a JSON object, followed by a comma. Requires f->span. */
sg_status sg_interactions_json(sg_text *t, sg_centroid_pd *f);
