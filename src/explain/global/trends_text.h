/* trends_text.h: describes how predictions depend on the inputs, over all rows and for the rows of a rule, as text and
 * as JSON. Nothing is written for a model without rule statistics. */
#pragma once

#include "explain/global/rule_centroid_pd.h"
#include "explain/text/text_writer.h"

/* The names of the trends in JSON, indexed by sg_trend. */
extern const char *const sg_trend_name[];

/* Formats a value of a feature with enough digits for its range in the training rows. Returns buf. */
const char *sg_format_input_value(const sg_model *m, size_t feature, double value, char buf[SG_NUMBER_BUFFER_SIZE]);

/* Describes the partial dependence on each input, in order of decreasing span. Sets f->span and f->net_change. */
sg_status sg_global_trends_text(sg_text_writer *p, sg_centroid_pd *f);
/* Writes the curves as the member "overall" of a JSON object, followed by a comma. Sets f->span and f->net_change. */
sg_status sg_global_trends_json(sg_text *t, sg_centroid_pd *f);

/* Writes the mean prediction and the largest clear trends of a rule. Requires f->span and f->net_change. */
sg_status sg_rule_trends_text(sg_text_writer *p, sg_centroid_pd *f, const sg_ranked_rule *g);
/* Writes the statistics of a rule as members of a JSON object, each preceded by a comma. Writes the trends of the rule
 * only if `details` is set. */
sg_status sg_rule_trends_json(sg_text *t, sg_centroid_pd *f, const sg_ranked_rule *g, bool details);
/* Writes "; centroid: heat 21.3, load 1040". Returns false and writes nothing if there are too many inputs. */
bool sg_rule_centroid_text(sg_text_writer *p, const sg_model *m, const sg_ranked_rule *g);
