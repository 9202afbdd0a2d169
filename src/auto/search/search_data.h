/* search_data.h: loads the rows that a search uses into memory (all usable rows, or an evenly spaced sample of them),
 * splits them into folds for cross-validation, and applies models to them. */
#pragma once

#include "data/source/memory_table.h"
#include "data/source/subset_source.h"
#include "model/model.h"
#include "rows/column_roles.h"

typedef struct sg_cv_fold {
    sg_subset *train_subset, *valid_subset;
    sg_source train, valid;
    size_t *valid_row; /* (rows of valid): their row indices in the search data */
} sg_cv_fold;

typedef struct sg_search_data {
    sg_memory_table table;
    sg_column_roles roles;
    size_t outputs, inputs;
    size_t features; /* number of inputs after one-hot encoding */
    size_t rows;
    bool *is_category;                       /* (inputs)                                    */
    double *targets;                         /* (rows, outputs)                             */
    double *row_weight;                      /* (rows)                                      */
    double *clip_low, *clip_high, *variance; /* (outputs): limits, variances of the targets */
    bool has_all_rows;                       /* false if only a sample is loaded            */
    size_t folds;
    sg_cv_fold *fold;
} sg_search_data;

/* Loads rows, which must all be usable. `source` must outlive the data. Collective, and every rank gets all rows. */
sg_status sg_search_data_init(sg_search_data *data, const sg_options *o, const sg_source *source);
/* Makes folds. Rows with equal inputs or, with --group, equal values in the group column are in the same fold. Returns
 * SG_EDATA if there are fewer distinct rows or groups than folds. */
sg_status sg_search_data_split(sg_search_data *data, const sg_options *o, size_t folds, uint64_t seed);
void sg_search_data_release(sg_search_data *data);

/* Clips predictions to the range of the targets, widened by --clip. */
void sg_search_data_clip(const sg_search_data *data, double *y, size_t rows);
/* Returns the weight of a row times the sum of the squared errors of y (outputs), each divided by its variance. */
double sg_search_data_row_error(const sg_search_data *data, size_t row, const double *y);

/* --- models applied to all rows of a source --- */

/* Writes the transformed rows to x (rows, width of the view). If z is set, the view is z, with means in place of
 * missing inputs; otherwise it is a, with NaN. */
sg_status sg_apply_pipeline(const sg_model *m, const sg_source *rows, bool z, double *x);
/* Writes the predictions of a model to y (rows, outputs). */
sg_status sg_apply_model(const sg_model *m, const sg_source *rows, double *y);
