/* trends_text.h: describes how predictions depend on the inputs, over all rows and for the rows of a rule, as text and
 * as JSON. Nothing is written for a model without rule statistics. */
#pragma once

#include "explain/global/rule_centroid_pd.h"
#include "explain/text/wrapped_text.h"

/* The name of a trend in JSON. */
extern const char *const sg_trend_name[];

/* Formats a value of a feature with the digits needed to distinguish it within the training rows. Returns buf. */
const char *sg_format_input_value(const sg_model *m, size_t feature, double value, char buf[SG_NUMBER_BUFFER_SIZE]);

/* Describes the partial dependence on each input, in order of decreasing span. Sets f->span and f->net_change. */
sg_status sg_global_trends_text(sg_text_writer *p, sg_centroid_pd *f);
/* The same as a member of an object, followed by a comma. */
sg_status sg_global_trends_json(sg_text *t, sg_centroid_pd *f);

/* Writes the mean prediction and the clearest trends of a rule. Call after the global trends. */
sg_status sg_rule_trends_text(sg_text_writer *p, sg_centroid_pd *f, const sg_ranked_rule *g);
/* Writes members of an object, each preceded by a comma; the trends only with `details`. */
sg_status sg_rule_trends_json(sg_text *t, sg_centroid_pd *f, const sg_ranked_rule *g, bool details);
/* Writes "; centroid: heat 21.3, load 1040". Returns false and writes nothing if there are too many inputs. */
bool sg_rule_centroid_text(sg_text_writer *p, const sg_model *m, const sg_ranked_rule *g);
