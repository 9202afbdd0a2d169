/* duplicate_rules.h: rows that come again. Where inputs do, to the last digit, and targets then tell of each other,
 * what is known of such a row is worth more than any rule for its neighbourhood: trees learn it by heart, and here it
 * is one rule for each. */
#ifndef SG_AUTO_ENSEMBLE_DUPLICATE_RULES_H
#define SG_AUTO_ENSEMBLE_DUPLICATE_RULES_H

#include "auto/search/search.h"

/* Adds a block to *m, the committee trained on the ground's rows, if that is worth it: on rows that have others like
 * them, left out one at a time. s->recalled says what the error of all rows is then. */
sg_status sg_duplicate_rules_add(sg_search *s, sg_model **m);

#endif
