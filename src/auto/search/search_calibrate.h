/* search_calibrate.h: intervals for what was trained. */
#ifndef SG_AUTO_SEARCH_SEARCH_CALIBRATE_H
#define SG_AUTO_SEARCH_SEARCH_CALIBRATE_H

#include "auto/search/search_report.h"

/* From what a search predicted of rows left out: nothing is trained. A model of which it has no such predictions stays
 * as it is. */
sg_status sg_search_calibrate(const sg_search_report *t, sg_model *m);
/* From trainings of ridge regression with these options, where rows are too few to search. A model of too few rows for
 * that stays as it is. */
sg_status sg_ridge_calibrate(const sg_options *o, const sg_source *rows, sg_model *m);

#endif
