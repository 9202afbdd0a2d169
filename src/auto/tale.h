/* tale.h: what a search says of itself, in the training record of the model that came of it. */
#ifndef SG_AUTO_TALE_H
#define SG_AUTO_TALE_H

#include "auto/outside.h"
#include "auto/verdict.h"
#include "data/subset.h"

typedef struct sg_tale {
    const sg_search *search;
    const sg_candidate *student;
    const sg_outside *outside;
    sg_verdict verdict;
    const sg_subset *usable; /* that the search's rows are, or NULL: all of the user's */
} sg_tale;

/* valid_rmse; tried_...: the table, the best first; chosen; note_...: what its user should know. */
sg_status sg_tale_write(const sg_tale *t, sg_model *m);
/* Notes alone: whether the error is known well and the choice is no luck, whether a few rows make up most of the error.
 */
sg_status sg_tale_unstable(const sg_tale *t, sg_record *r);
sg_status sg_tale_worst_rows(const sg_tale *t, sg_record *r);
/* In the target's units where there is one. */
double sg_tale_units(const sg_search *s, double error);

#endif
