/* arrow_array_view.h: an array of a batch, once it was checked: where its values lie.
 *
 * Whoever made it is in the same process, and its pointers are taken as they are. What can be checked is: numbers of
 * buffers, lengths, offsets, counts; see also arrow_string.c. */
#ifndef SG_DATA_FORMAT_ARROW_ARROW_ARRAY_VIEW_H
#define SG_DATA_FORMAT_ARROW_ARROW_ARRAY_VIEW_H

#include "base/status.h"
#include "data/format/arrow/arrow_type.h"

#define SG_ARROW_NAME "Arrow stream" /* in messages */

typedef struct sg_arrow_array_view {
    sg_arrow_format format;
    size_t first, length;          /* where its values begin in the buffers, and how many there are */
    const unsigned char *validity; /* a bit each, NULL: all are                                     */
    const char *values;            /* numbers; of texts their offsets or views                      */
    const void *const *buffers;    /* of texts all of them                                          */
    size_t buffer_count;
} sg_arrow_array_view;

/* Lengths, offset and null count; column NULL: of a batch. */
sg_status sg_arrow_array_check(const struct ArrowArray *a, const char *column);
sg_status sg_arrow_array_view_open(const struct ArrowArray *a, sg_arrow_format format, const char *column,
                                   sg_arrow_array_view *out);

static inline bool sg_arrow_bit(const unsigned char *bits, size_t i) { return bits[i / 8] >> i % 8 & 1; }
static inline bool sg_arrow_array_view_is_valid(const sg_arrow_array_view *v, size_t i)
{
    return !v->validity || sg_arrow_bit(v->validity, v->first + i);
}

/* arrow_string.c: the i-th text, which is valid. False: it lies outside of its buffer. */
bool sg_arrow_array_view_string(const sg_arrow_array_view *v, size_t i, const char **text, size_t *n);

#endif
