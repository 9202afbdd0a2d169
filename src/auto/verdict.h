/* verdict.h: what a search ends with, by what it knows. */
#ifndef SG_AUTO_VERDICT_H
#define SG_AUTO_VERDICT_H

#include "auto/search.h"

typedef enum sg_verdict {
    SG_LINE,     /* ridge regression                      */
    SG_BEST,     /* the best rules                        */
    SG_TAUGHT,   /* a student                             */
    SG_TOGETHER, /* the committee itself                */
    SG_STOPPED   /* what was known when it was stopped    */
} sg_verdict;

/* Whether a student may come to more than is there already. */
bool sg_worth_teaching(sg_search *s);
/* The student's error is INFINITY where there is none. */
sg_verdict sg_verdict_of(sg_search *s, const sg_candidate *student);

#endif
