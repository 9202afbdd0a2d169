/* report_data.h: the data of an HTML report: all rows, or evenly spaced rows, with their predictions, and the
 * permutation importance of the inputs. */
#pragma once

#include "model/model.h"

/* The page shows at most MAX_ROWS rows. If these would hold more than MAX_CELLS values, it shows fewer rows, but not
 * fewer than MIN_ROWS. */
enum { SG_REPORT_MAX_ROWS = 20000, SG_REPORT_MAX_CELLS = 400000, SG_REPORT_MIN_ROWS = 2000 };

typedef struct sg_report_data {
    size_t rows, inputs, outputs;
    size_t *row_index;     /* (rows): index of a row in the source, from 0 */
    double *buffer;        /* holds all arrays below */
    double *x;             /* (rows, inputs): numbers or level indices; NaN if missing */
    double *y, *predicted; /* (rows, outputs); NaN for a missing target */
    double *importance;    /* (inputs, outputs): RMS change of the predictions if the input is permuted */
} sg_report_data;

/* Samples and predicts rows of the source, which must have the model's inputs and targets. */
sg_status sg_report_data_init(sg_report_data *r, const sg_model *m, const sg_source *source);
void sg_report_data_release(sg_report_data *r);
