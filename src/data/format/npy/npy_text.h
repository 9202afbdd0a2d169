/* npy_text.h: the texts of .npy files, and their way to codes. */
#ifndef SG_DATA_FORMAT_NPY_NPY_TEXT_H
#define SG_DATA_FORMAT_NPY_NPY_TEXT_H

#include "data/format/npy/npy_type.h"

enum { SG_NPY_TEXT_INVALID = -1, SG_NPY_TEXT_MAX = 16384 }; /* bytes of a cell: a longer one is no category */

/* The cell's text as UTF-8, at most c->size bytes, without blanks around it and with blanks for control characters,
 * as everywhere; its length, or SG_NPY_TEXT_INVALID for bytes that are none. */
ptrdiff_t sg_npy_text_decode(const sg_npy_column *c, const char *cell, char *to);

/* As sg_npy_decode, for a column of texts: codes of c->levels; NaN where a text is none of them. */
void sg_npy_decode_levels(const sg_npy_column *c, const char *from, const size_t *row, size_t n, double *out,
                          size_t pitch);

#endif
