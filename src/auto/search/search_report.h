/* search_report.h: describes the result of a search in the model's training record, and calibrates the model. */
#ifndef SG_AUTO_SEARCH_SEARCH_REPORT_H
#define SG_AUTO_SEARCH_SEARCH_REPORT_H

#include "auto/search/search.h"

typedef struct sg_search_report {
    const sg_search *search;
    const sg_candidate *distilled; /* its error is INFINITY if there is no student          */
    const sg_clamp_choice *clamp;
    sg_decision decision;
    const sg_subset *usable; /* the rows of the search as a subset of the user's; NULL: all */
} sg_search_report;

/* Writes to the record: valid_rmse; tried_...: the candidates, best first; chosen; note_...: warnings for the user. */
sg_status sg_search_report_write(const sg_search_report *report, sg_model *m);
/* Warns if errors differ much between folds, or if the choice of the best rules is optimistically biased. */
sg_status sg_search_report_warn_unstable(const sg_search_report *report, sg_record *r);
/* Warns if a few rows cause most of the squared error. */
sg_status sg_search_report_warn_worst_rows(const sg_search_report *report, sg_record *r);
/* Converts an error to an RMSE in units of the target or, for several targets, to a relative error. */
double sg_search_error_to_rmse(const sg_search *s, double error);
const char *sg_search_metric_name(const sg_search *s);

/* Fits intervals to the out-of-fold residuals of the search, without training. A model without out-of-fold predictions
 * gets no intervals. */
sg_status sg_search_calibrate(const sg_search_report *report, sg_model *m);

#endif
