/* distill.h: knowledge distillation: trains one rule base (the student) on the predictions of an ensemble (the teacher)
 * for real and synthetic rows. */
#ifndef SG_AUTO_ENSEMBLE_DISTILL_H
#define SG_AUTO_ENSEMBLE_DISTILL_H

#include "auto/search/search.h"

/* Cross-validates students of the search's ensemble on some folds. Neither they nor their teachers have seen the
 * held-out rows. The caller releases *out, also on failure. */
sg_status sg_distill_try(sg_search *s, sg_candidate *out);
/* Trains the teacher on all rows, and a student for the best number of steps. */
sg_status sg_distill_train(sg_search *s, const sg_candidate *student, sg_model **out);

#endif
