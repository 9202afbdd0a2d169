/* expanded.h: a source whose columns of categories are the features of a coding, so that whoever reads it sees
 * plain numbers. */
#ifndef SG_DATA_EXPANDED_H
#define SG_DATA_EXPANDED_H

#include "data/source.h"
#include "prep/coding.h"

/* How the numbers of one column of a source become levels. */
typedef struct sg_level_map {
    const sg_coded *input;
    size_t column, codes;
    unsigned char *level; /* (codes): the level of each number of the column; NULL: a number stands for itself */
} sg_level_map;

/* Which level of the input a number of the column is: NaN where it is missing, input->levels or more where it is
 * none that is listed. */
double sg_level_map_find(const sg_level_map *l, double number);
/* The text of a number of the column, which needs buf where the source has no text for it. */
const char *sg_level_map_text(const sg_level_map *l, const sg_source *s, double number, char buf[32]);

/* The i-th level of a column of the source, or NULL. */
const char *sg_source_level(const sg_source *s, size_t column, size_t i);
/* A sentence where the column is one of categories. */
sg_status sg_source_numbers(const sg_source *s, size_t column);

typedef struct sg_expanded sg_expanded;

/* The columns are the features of the coding, whose input i is column[i] of the source, then `more` columns as
 * they are. Source and coding must outlive it; the arrays may go. */
sg_status sg_expanded_new(const sg_source *of, const sg_coding *c, const size_t *column, const size_t *more,
                          size_t more_count, sg_expanded **out);
/* From now on effects are those of the rows' folds, which must outlive it; f may be NULL. For rows to train on. */
void sg_expanded_by_folds(sg_expanded *e, const sg_effect_folds *f);
sg_source sg_expanded_source(const sg_expanded *e);
/* What it is over. */
const sg_source *sg_expanded_of(const sg_expanded *e);
/* The i-th category, NULL after the last. */
const sg_level_map *sg_expanded_levels(const sg_expanded *e, size_t i);
void sg_expanded_free(sg_expanded *e);

#endif
