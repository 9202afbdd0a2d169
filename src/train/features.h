/* features.h: from the columns of a source to what a model's views see: categories, if there are any, are coded. */
#ifndef SG_TRAIN_FEATURES_H
#define SG_TRAIN_FEATURES_H

#include "data/expanded.h"
#include "model/model.h"
#include "prep/tally.h"
#include "train/roles.h"

/* Adds what `columns` columns hold in the rows [first, last) to a tally each. Parts of the rows may be counted by
 * several, and added up. */
sg_status sg_features_count(const sg_source *s, const size_t *column, size_t columns, size_t first, size_t last,
                            sg_tally *tally);

/* The coding of the inputs by the rows of s; *out is NULL where none is a category. Categories without any value
 * leave the roles, with a notice. */
sg_status sg_features_fit(const sg_options *o, const sg_source *s, sg_roles *roles, sg_coding **out);

/* The columns of s that a model takes; with targets, and weights unless NULL or "". */
sg_status sg_features_find(const sg_model *m, const sg_source *s, bool targets, const char *weights, sg_roles *out);

/* Makes *s a source of features, then targets, then the weight, and roles those in it. c may be NULL: then s and
 * roles stay as they are, and *out is NULL. What lies below s, and the coding, must outlive *out, and it the source. */
sg_status sg_features_open(const sg_coding *c, sg_source *s, sg_roles *roles, sg_expanded **out);

#endif
