/* sentences.h: where predictions go, in sentences and as JSON. Nothing is said where a model does not know its rows. */
#ifndef SG_EXPLAIN_SENTENCES_H
#define SG_EXPLAIN_SENTENCES_H

#include "explain/findings.h"
#include "explain/pen.h"

/* A value of an input, as exact as it need be among those of the training rows. Returns buf. */
const char *sg_near_input(const sg_model *m, size_t feature, double value, char buf[SG_NUMBER_SIZE]);
/* A list; null where one is none. */
void sg_numbers_json(sg_text *t, const double *x, size_t n);

/* Over all rows: a line for each input that matters, the one that moves predictions most comes first. */
sg_status sg_overall_words(sg_pen *p, sg_findings *f);
/* A member of an object, with a comma after it. */
sg_status sg_overall_json(sg_text *t, sg_findings *f);

/* Where a rule governs: "There y is about 3.1, and mostly rises with heat." */
sg_status sg_there_words(sg_pen *p, sg_findings *f, const sg_governor *g);
/* Members of an object, each with a comma before it; details: with where predictions go. */
sg_status sg_there_json(sg_text *t, sg_findings *f, const sg_governor *g, bool details);
/* ", on average with heat 21.3, load 1040": false, and nothing, where there are too many inputs. */
bool sg_place_words(sg_pen *p, const sg_model *m, const sg_governor *g);

#endif
