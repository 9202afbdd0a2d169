/* duplicate_rules.h: rules for rows with duplicate inputs. If rows with exactly equal inputs have similar residuals, a
 * rule for each distinct row predicts them better than rules for regions. */
#ifndef SG_AUTO_ENSEMBLE_DUPLICATE_RULES_H
#define SG_AUTO_ENSEMBLE_DUPLICATE_RULES_H

#include "auto/search/search.h"

/* Adds such a block to *m, the ensemble trained on the search data, if it improves the leave-one-out error of the
 * duplicates, and then sets s->duplicate_rules_error to the error over all rows. */
sg_status sg_duplicate_rules_add(sg_search *s, sg_model **m);

#endif
