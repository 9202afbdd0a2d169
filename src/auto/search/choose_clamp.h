/* choose_clamp.h: whether inputs beyond the rows that were trained on shall count as the end of their range. */
#ifndef SG_AUTO_SEARCH_CHOOSE_CLAMP_H
#define SG_AUTO_SEARCH_CHOOSE_CLAMP_H

#include "auto/search/search.h"

typedef struct sg_clamp_choice {
    double unclamped_error, clamped_error; /* errors of the best rules on rows left out; 0: nobody asked */
    bool chosen;
} sg_clamp_choice;

/* Taken, it is an option of the best rules and of `user`, which the search was made with: so of a student and of ridge
 * regression, too. Nothing is trained. */
sg_status sg_clamp_choose(sg_search *s, sg_options *user, sg_clamp_choice *out);

#endif
