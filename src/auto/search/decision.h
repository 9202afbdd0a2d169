/* decision.h: what a search ends with, by what it knows. */
#ifndef SG_AUTO_SEARCH_DECISION_H
#define SG_AUTO_SEARCH_DECISION_H

#include "auto/search/search.h"

typedef enum sg_decision {
    SG_DECISION_RIDGE,      /* ridge regression                      */
    SG_DECISION_BEST_RULES, /* the best rules                        */
    SG_DECISION_DISTILLED,  /* a student                             */
    SG_DECISION_ENSEMBLE,   /* the committee itself                */
    SG_DECISION_STOPPED     /* what was known when it was stopped    */
} sg_decision;

/* Whether a student may come to more than is there already. */
bool sg_decision_try_distill(sg_search *s);
/* The student's error is INFINITY where there is none. */
sg_decision sg_decision_make(sg_search *s, const sg_candidate *student);

#endif
