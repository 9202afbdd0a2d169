/* arrow_string.c: texts of Arrow's arrays: offsets of 4 or 8 bytes into one buffer, or views, which hold short texts
 * and say of others where in which buffer they lie. */
#include "data/format/arrow/arrow_array_view.h"

#include <string.h>

static int64_t offset_at(const sg_arrow_array_view *v, size_t i)
{
    int64_t large;
    int32_t small;
    if (*v->format.type->format == 'U') {
        memcpy(&large, v->values + i * sizeof large, sizeof large);
        return large;
    }
    memcpy(&small, v->values + i * sizeof small, sizeof small);
    return small;
}

/* Offsets never fall, so none is beyond the last one, where the buffer ends. */
static bool string_from_offsets(const sg_arrow_array_view *v, size_t i, const char **text, size_t *n)
{
    int64_t from = offset_at(v, v->first + i), to = offset_at(v, v->first + i + 1);
    const char *bytes = v->buffers[2];
    if (from < 0 || to < from || to > offset_at(v, v->first + v->length) || (to > from && !bytes)) return false;
    *text = to > from ? bytes + from : "";
    *n = (size_t)(to - from);
    return true;
}

/* Behind the bitmap and the views come the buffers, and at last one with the bytes of each of them. */
static bool string_from_view(const sg_arrow_array_view *v, size_t i, const char **text, size_t *n)
{
    enum { VIEW = 16, INLINE = 12, FIRST_DATA_BUFFER = 2 };
    const char *view = v->values + (v->first + i) * VIEW;
    const char *sizes = v->buffers[v->buffer_count - 1];
    int32_t length, place[2]; /* buffer and offset */
    int64_t size;
    memcpy(&length, view, sizeof length);
    if (length < 0) return false;
    *n = (size_t)length;
    *text = view + 4;
    if (length <= INLINE) return true;
    memcpy(place, view + 8, sizeof place);
    if ((size_t)place[0] >= v->buffer_count - FIRST_DATA_BUFFER - 1 || place[1] < 0 || !sizes)
        return false; /* a negative one is large */
    memcpy(&size, sizes + (size_t)place[0] * sizeof size, sizeof size);
    const char *bytes = v->buffers[FIRST_DATA_BUFFER + place[0]];
    if (!bytes || place[1] > size - length) return false;
    *text = bytes + place[1];
    return true;
}

bool sg_arrow_array_view_string(const sg_arrow_array_view *v, size_t i, const char **text, size_t *n)
{
    return *v->format.type->format == 'v' ? string_from_view(v, i, text, n) : string_from_offsets(v, i, text, n);
}
