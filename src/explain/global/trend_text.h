/* trend_text.h: where predictions go, in sentences and as JSON. Nothing is said where a model does not know its rows.
 */
#ifndef SG_EXPLAIN_GLOBAL_TREND_TEXT_H
#define SG_EXPLAIN_GLOBAL_TREND_TEXT_H

#include "explain/global/centroid_pd.h"
#include "explain/text/text_writer.h"

/* A value of an input, as exact as it need be among those of the training rows. Returns buf. */
const char *sg_format_input_value(const sg_model *m, size_t feature, double value, char buf[SG_NUMBER_BUFFER_SIZE]);
/* A list; null where one is none. */
void sg_json_number_list(sg_text *t, const double *x, size_t n);

/* Over all rows: a line for each input that matters, the one that moves predictions most comes first. */
sg_status sg_global_trends_text(sg_text_writer *p, sg_centroid_pd *f);
/* A member of an object, with a comma after it. */
sg_status sg_global_trends_json(sg_text *t, sg_centroid_pd *f);

/* Where a rule governs: "There y is about 3.1, and mostly rises with heat." */
sg_status sg_rule_trends_text(sg_text_writer *p, sg_centroid_pd *f, const sg_ranked_rule *g);
/* Members of an object, each with a comma before it; details: with where predictions go. */
sg_status sg_rule_trends_json(sg_text *t, sg_centroid_pd *f, const sg_ranked_rule *g, bool details);
/* ", on average with heat 21.3, load 1040": false, and nothing, where there are too many inputs. */
bool sg_rule_centroid_text(sg_text_writer *p, const sg_model *m, const sg_ranked_rule *g);

#endif
