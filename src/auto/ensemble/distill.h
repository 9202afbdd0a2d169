/* distill.h: one system that learns what a committee says, on the rows that there are and on many between them. */
#ifndef SG_AUTO_ENSEMBLE_DISTILL_H
#define SG_AUTO_ENSEMBLE_DISTILL_H

#include "auto/search/search.h"

/* Trains students of the search's committee on some parts: how they do on rows that neither they nor their teachers
 * saw. */
sg_status sg_distill_try(sg_search *s, sg_candidate *out);
/* One that is taught by the committee of all rows, trained as long as was best. */
sg_status sg_distill_train(sg_search *s, const sg_candidate *student, sg_model **out);

#endif
