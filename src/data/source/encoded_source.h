/* encoded_source.h: a source whose columns of categories are the features of a coding, so that whoever reads it sees
 * plain numbers. */
#ifndef SG_DATA_SOURCE_ENCODED_SOURCE_H
#define SG_DATA_SOURCE_ENCODED_SOURCE_H

#include "data/source/source.h"
#include "prep/encoder.h"

/* How the numbers of one column of a source become levels. */
typedef struct sg_level_map {
    const sg_encoded_input *input;
    size_t column, codes;
    unsigned char *level; /* (codes): the level of each number of the column; NULL: a number stands for itself */
} sg_level_map;

/* Which level of the input a number of the column is: NaN where it is missing, input->levels or more where it is
 * none that is listed. */
double sg_level_map_find(const sg_level_map *l, double number);
/* The text of a number of the column, which needs buf where the source has no text for it. */
const char *sg_level_map_text(const sg_level_map *l, const sg_source *s, double number, char buf[32]);

typedef struct sg_encoded_source sg_encoded_source;

/* The columns are the features of the coding, whose input i is column[i] of the source, then `more` columns as
 * they are. Source and coding must outlive it; the arrays may go. */
sg_status sg_encoded_source_new(const sg_source *of, const sg_encoder *c, const size_t *column, const size_t *more,
                                size_t more_count, sg_encoded_source **out);
/* From now on effects are those of the rows' folds, which must outlive it; f may be NULL. For rows to train on. */
void sg_encoded_source_set_folds(sg_encoded_source *e, const sg_effect_folds *f);
sg_source sg_encoded_source_rows(const sg_encoded_source *e);
/* What it is over. */
const sg_source *sg_encoded_source_base(const sg_encoded_source *e);
/* The i-th category, NULL after the last. */
const sg_level_map *sg_encoded_source_level_map(const sg_encoded_source *e, size_t i);
void sg_encoded_source_free(sg_encoded_source *e);

#endif
