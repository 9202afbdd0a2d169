/* outside.h: whether inputs beyond the rows that were trained on shall count as the end of their range. */
#ifndef SG_AUTO_OUTSIDE_H
#define SG_AUTO_OUTSIDE_H

#include "auto/search.h"

typedef struct sg_outside {
    double as_is, limited; /* errors of the best rules on rows left out; 0: nobody asked */
    bool taken;
} sg_outside;

/* Taken, it is an option of the best rules and of `user`, which the search was made with: so of a student and of ridge
 * regression, too. Nothing is trained. */
sg_status sg_outside_choose(sg_search *s, sg_options *user, sg_outside *out);

#endif
