/* additive_text.h: describes the additive part of a model as text, Markdown and JSON. */
#pragma once

#include "explain/text/text_writer.h"
#include "model/model.h"

/* Writes the heading, how to read the page, and for each output the curves and then the tables of pairs, by decreasing
 * importance. top: maximum number of curves and of pairs; 0 for all. */
sg_status sg_additive_text(sg_text_writer *p, const sg_model *m, size_t top);
/* Writes the tables of pairs of output o. */
sg_status sg_pair_tables_text(sg_text_writer *p, const sg_model *m, size_t o, size_t top);
/* Writes the members "curves" and "pairs" of a JSON object, each followed by a comma. Writes nothing if the model has
 * no additive part. */
sg_status sg_additive_json(sg_text *t, const sg_model *m);
