/* search_data.h: the rows that a search works on, in memory: all that can be trained on, or some of them that are
 * spread evenly; and the parts in which it validates. */
#ifndef SG_AUTO_SEARCH_SEARCH_DATA_H
#define SG_AUTO_SEARCH_SEARCH_DATA_H

#include "auto/search/memory_table.h"
#include "predict/column_roles.h"

/* Trains on some rows and looks at the others. */
typedef struct sg_cv_fold {
    sg_subset *train_subset, *valid_subset;
    sg_source train, valid;
    size_t *valid_row; /* of the ground, that `valid` holds */
} sg_cv_fold;

typedef struct sg_search_data {
    sg_memory_table table;
    sg_column_roles roles;
    size_t outputs, inputs;
    size_t features; /* what inputs become: levels of categories are one each */
    size_t rows;
    bool *is_category;                       /* (inputs)                                    */
    double *targets;                         /* (rows, outputs)                             */
    double *row_weight;                      /* (rows)                                      */
    double *clip_low, *clip_high, *variance; /* (outputs): of y                */
    bool has_all_rows;                       /* no row of the source is missing here        */
    size_t folds;
    sg_cv_fold *fold;
} sg_search_data;

/* `of` must hold usable rows only, and outlive it. Collective for rows of a team, all of whose members get the same. */
sg_status sg_search_data_init(sg_search_data *g, const sg_options *o, const sg_source *of);
/* Folds: rows whose inputs are alike lie in the same, or those that are alike in the column of --group. SG_EDATA: there
 * are fewer kinds of rows than folds. */
sg_status sg_search_data_split(sg_search_data *g, const sg_options *o, size_t folds, uint64_t seed);
void sg_search_data_release(sg_search_data *g);

/* The row of its source that one of its rows is. */
size_t sg_search_data_source_row(const sg_search_data *g, size_t row);
/* Predictions as they count: within the range of y, and so much more as --clip says. */
void sg_search_data_clip(const sg_search_data *g, double *y, size_t rows);
/* Sum of squared errors of y (outputs) for a row, each in the target's variance, times the row's weight. */
double sg_search_data_row_error(const sg_search_data *g, size_t row, const double *y);

#endif
