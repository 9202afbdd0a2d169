/* arrow_array_view.h: a validated view of an Arrow array: where its values are and which of them are null.
 *
 * Buffer pointers are trusted, because they cannot be checked. Everything else is checked: buffer counts, lengths,
 * offsets, null counts and the bounds of strings. */
#pragma once

#include "base/status.h"
#include "data/format/arrow/arrow_type_decode.h"

#define SG_ARROW_NAME "Arrow stream" /* name of the input in messages */

typedef struct sg_arrow_array_view {
    sg_arrow_format format;
    size_t first, length;          /* position of the first value in the buffers, and number of values */
    const unsigned char *validity; /* bitmap; NULL: no value is null                                    */
    const char *values;            /* numbers, or the offsets or views of strings                       */
    const void *const *buffers;    /* all buffers; used for strings                                     */
    size_t buffer_count;
} sg_arrow_array_view;

/* Checks the length, offset and null count of an array. column: name for messages, or NULL for a record batch. */
sg_status sg_arrow_array_check(const struct ArrowArray *a, const char *column);
/* Validates an array, which may be NULL, and creates a view of it. The array must outlive the view. */
sg_status sg_arrow_array_view_open(const struct ArrowArray *a, sg_arrow_format format, const char *column,
                                   sg_arrow_array_view *out);

static inline bool sg_arrow_bit(const unsigned char *bits, size_t i) { return bits[i / 8] >> i % 8 & 1; }
static inline bool sg_arrow_array_view_is_valid(const sg_arrow_array_view *v, size_t i)
{
    return !v->validity || sg_arrow_bit(v->validity, v->first + i);
}

/* Gets string i, which must not be null. Returns false if the string is not within its buffer. */
bool sg_arrow_array_view_string(const sg_arrow_array_view *v, size_t i, const char **text, size_t *n);
