/* encoded_source.h: a source of numeric features: the columns of another source, encoded with an encoder. */
#pragma once

#include "data/source/source_util.h"
#include "prep/encoder.h"

/* Maps the cells of one column to the levels of an encoder input. */
typedef struct sg_level_map {
    const sg_encoded_input *input;
    size_t column, codes;
    unsigned char *level; /* (codes) the level of each code of the column; NULL if the column is numeric */
} sg_level_map;

/* Returns the level of a cell; NaN if the cell is missing, input->levels or more if its value is not a known level. */
double sg_level_map_find(const sg_level_map *l, double cell);
/* Returns the text of a cell. Uses buf if the source has no text for it. */
const char *sg_level_map_text(const sg_level_map *l, const sg_source *s, double cell, char buf[32]);

typedef struct sg_encoded_source sg_encoded_source;

/* Makes a source of the features of the encoder, followed by extra_count columns of the base source. Input i of the
 * encoder is column[i] of the base source. Base source and encoder must outlive the result; the arrays are copied. */
sg_status sg_encoded_source_new(const sg_source *base, const sg_encoder *encoder, const size_t *column,
                                const size_t *extra, size_t extra_count, sg_encoded_source **out);
/* Uses the cross-fitted effects of f, as for training rows, or the usual ones if f is NULL. f must outlive e. */
void sg_encoded_source_set_folds(sg_encoded_source *e, const sg_effect_folds *f);
sg_source sg_encoded_source_rows(const sg_encoded_source *e);
const sg_source *sg_encoded_source_base(const sg_encoded_source *e);
/* Returns the level map of the i-th categorical input, or NULL after the last one. */
const sg_level_map *sg_encoded_source_level_map(const sg_encoded_source *e, size_t i);
void sg_encoded_source_free(sg_encoded_source *e);
