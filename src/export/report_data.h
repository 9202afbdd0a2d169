/* report_data.h: what a report shows of data: its rows, or some that are evenly spread, what the model predicts of
 * them, and how much each input matters there. */
#ifndef SG_EXPORT_REPORT_DATA_H
#define SG_EXPORT_REPORT_DATA_H

#include "model/model.h"

/* Rows that a page holds, at most; fewer where they would be more than so many numbers, but not below the last. */
enum { SG_REPORT_MAX_ROWS = 20000, SG_REPORT_MAX_CELLS = 400000, SG_REPORT_MIN_ROWS = 2000 };

typedef struct sg_report_data {
    size_t rows, inputs, outputs; /* inputs as the user knows them                                       */
    size_t *row_index;            /* (rows): their numbers in the source, from 0                         */
    double *x;                    /* (rows, inputs): of a category the number of its level; NaN: missing */
    double *y, *predicted;        /* (rows, outputs); NaN where a target is missing                      */
    /* (inputs, outputs): RMSE of the predictions with the input shuffled against those without: how far they move. */
    double *importance;
} sg_report_data;

/* The source must have the model's inputs and targets. */
sg_status sg_report_data_init(sg_report_data *r, const sg_model *m, const sg_source *source);
void sg_report_data_release(sg_report_data *r);

#endif
