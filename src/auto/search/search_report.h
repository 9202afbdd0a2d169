/* search_report.h: what a search says of itself, in the training record of the model that came of it. */
#ifndef SG_AUTO_SEARCH_SEARCH_REPORT_H
#define SG_AUTO_SEARCH_SEARCH_REPORT_H

#include "auto/search/choose_clamp.h"
#include "auto/search/decision.h"
#include "data/source/subset_source.h"

typedef struct sg_search_report {
    const sg_search *search;
    const sg_candidate *distilled;
    const sg_clamp_choice *clamp;
    sg_decision decision;
    const sg_subset *usable; /* that the search's rows are, or NULL: all of the user's */
} sg_search_report;

/* valid_rmse; tried_...: the table, the best first; chosen; note_...: what its user should know. */
sg_status sg_search_report_write(const sg_search_report *t, sg_model *m);
/* Notes alone: whether the error is known well and the choice is no luck, whether a few rows make up most of the error.
 */
sg_status sg_search_report_warn_unstable(const sg_search_report *t, sg_record *r);
sg_status sg_search_report_warn_worst_rows(const sg_search_report *t, sg_record *r);
/* In the target's units where there is one. */
double sg_search_error_to_rmse(const sg_search *s, double error);

#endif
