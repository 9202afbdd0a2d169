/* feature_source.h: maps the columns of a source to the features of a model: numeric inputs, one-hot levels of
 * categories, and univariate effects. */
#pragma once

#include "base/options.h"
#include "data/source/encoded_source.h"
#include "model/model.h"
#include "prep/value_counts.h"
#include "rows/column_roles.h"

/* Counts the values of the given columns in the rows [first, last), in one table per column. */
sg_status sg_features_count_values(const sg_source *s, const size_t *column, size_t columns, size_t first, size_t last,
                                   sg_value_counts *counts);

/* Fits an encoder to the rows of s. *out is NULL if no input is a category. Removes categorical inputs without values
 * from the roles, with a notice. Collective if the source is distributed. */
sg_status sg_features_fit_encoder(const sg_options *o, const sg_source *s, sg_column_roles *roles, sg_encoder **out);

/* Finds a model's inputs in s, its targets if `targets` is set, and the column `weights` unless it is NULL or "". */
sg_status sg_features_find_columns(const sg_model *m, const sg_source *s, bool targets, const char *weights,
                                   sg_column_roles *out);

/* Replaces *s with a source of features, targets and the weight, and *roles with the roles of its columns. If c is
 * NULL, only checks that inputs are numeric, and *out is NULL. The original source and c must outlive *out, and *out
 * must outlive *s. */
sg_status sg_features_encode_source(const sg_encoder *c, sg_source *s, sg_column_roles *roles, sg_encoded_source **out);

/* Like sg_features_encode_source, but appends the `count` columns of *s listed in `extra` to the new source. */
sg_status sg_features_encode_source_and(const sg_encoder *c, sg_source *s, sg_column_roles *roles, const size_t *extra,
                                        size_t count, sg_encoded_source **out);

/* The rows of a source as features of a model. Opening one calls sg_features_find_columns and
 * sg_features_encode_source. */
typedef struct sg_feature_source {
    sg_source source;
    sg_column_roles columns;
    sg_encoded_source *encoded; /* NULL if the model has no encoder */
} sg_feature_source;

/* m and rows must outlive *f. Close *f with sg_feature_source_close, which is not needed after a failure. */
sg_status sg_feature_source_open(sg_feature_source *f, const sg_model *m, const sg_source *rows, bool targets,
                                 const char *weights);
void sg_feature_source_close(sg_feature_source *f);
/* Reads the rows [first, first + n) as features: x[n * features]. */
sg_status sg_feature_source_read(const sg_feature_source *f, size_t first, size_t n, double *x);

/* --- notices about values that did not occur in training (notify_unseen.c) --- */

/* Counts unknown levels and sends one notice if there are any. Reads the rows only if they may contain any; categorical
 * inputs with a pooled level have no unknown levels. validation: the rows are validation rows. Collective if the source
 * is distributed. */
sg_status sg_notify_unseen_levels(const sg_options *o, const sg_encoded_source *e, bool validation);

/* Counts rows with values that the tables of effects do not list, if any table lists values, and sends one notice.
 * column[i] of the source is input i of the encoder. Collective if the source is distributed. */
sg_status sg_notify_unseen_values(const sg_options *o, const sg_source *rows, const sg_encoder *c,
                                  const size_t *column);
