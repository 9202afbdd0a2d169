/* feature_encode.h: from the columns of a source to what a model's views see: categories, if there are any, are coded.
 */
#ifndef SG_PREDICT_FEATURE_ENCODE_H
#define SG_PREDICT_FEATURE_ENCODE_H

#include "data/source/encoded_source.h"
#include "model/model.h"
#include "predict/column_roles.h"
#include "prep/value_counts.h"

/* Adds what `columns` columns hold in the rows [first, last) to a tally each. Parts of the rows may be counted by
 * several, and added up. */
sg_status sg_features_count_values(const sg_source *s, const size_t *column, size_t columns, size_t first, size_t last,
                                   sg_value_counts *tally);

/* The coding of the inputs by the rows of s; *out is NULL where none is a category. Categories without any value
 * leave the roles, with a notice. */
sg_status sg_features_fit_encoder(const sg_options *o, const sg_source *s, sg_column_roles *roles, sg_encoder **out);

/* The columns of s that a model takes; with targets, and weights unless NULL or "". */
sg_status sg_features_find_columns(const sg_model *m, const sg_source *s, bool targets, const char *weights,
                                   sg_column_roles *out);

/* Makes *s a source of features, then targets, then the weight, and roles those in it. c may be NULL: then s and
 * roles stay as they are, and *out is NULL. What lies below s, and the coding, must outlive *out, and it the source. */
sg_status sg_features_encode_source(const sg_encoder *c, sg_source *s, sg_column_roles *roles, sg_encoded_source **out);

/* The rows of a source as features of a model: both steps above in one. */
typedef struct sg_feature_source {
    sg_source source;
    sg_column_roles columns;
    sg_encoded_source *encoded; /* NULL if the model has no encoder */
} sg_feature_source;

/* m and rows must outlive *f. Release it with sg_feature_source_close; nothing is held after a failure. */
sg_status sg_feature_source_open(sg_feature_source *f, const sg_model *m, const sg_source *rows, bool targets,
                                 const char *weights);
void sg_feature_source_close(sg_feature_source *f);
/* Reads the features x[n * features] of the rows [first, first + n). */
sg_status sg_feature_source_read(const sg_feature_source *f, size_t first, size_t n, double *x);

#endif
