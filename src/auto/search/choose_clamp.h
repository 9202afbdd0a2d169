/* choose_clamp.h: decides whether inputs outside the range of the training rows are clamped to it (--limit range). */
#ifndef SG_AUTO_SEARCH_CHOOSE_CLAMP_H
#define SG_AUTO_SEARCH_CHOOSE_CLAMP_H

#include "auto/search/search.h"

typedef struct sg_clamp_choice {
    double unclamped_error, clamped_error; /* out-of-fold errors of the best rules; 0: not tried */
    bool chosen;
} sg_clamp_choice;

/* If clamping is chosen, sets it in the options of all finalists and in `user`, the options of the search, so that a
 * student or ridge regression has it too. Trains nothing. */
sg_status sg_clamp_choose(sg_search *s, sg_options *user, sg_clamp_choice *out);

#endif
