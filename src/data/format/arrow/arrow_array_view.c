/* arrow_array_view.c: validates Arrow arrays and gets their strings. */
#include "data/format/arrow/arrow_array_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *describe_location(const char *column, char *buf, size_t size)
{
    if (!column) return SG_ARROW_NAME;
    snprintf(buf, size, "%s: column \"%s\"", SG_ARROW_NAME, SG_EXCERPT(column));
    return buf;
}

sg_status sg_arrow_array_check(const struct ArrowArray *a, const char *column)
{
    const int64_t max_length = PTRDIFF_MAX / 16 - 2; /* values have at most 16 bytes, so byte offsets cannot overflow */
    char buf[96];
    const char *where = describe_location(column, buf, sizeof buf);
    if (a->length < 0 || a->offset < 0 || a->offset > max_length || a->length > max_length - a->offset)
        return sg_fail(SG_EDATA, "%s: invalid array length %" PRId64 " or offset %" PRId64, where, a->length,
                       a->offset);
    if (a->null_count < -1 || a->null_count > a->length)
        return sg_fail(SG_EDATA, "%s: an array has %" PRId64 " nulls but length %" PRId64, where, a->null_count,
                       a->length);
    if (a->n_buffers < 0 || (a->n_buffers > 0 && !a->buffers))
        return sg_fail(SG_EDATA, "%s: an array has no buffers", where);
    return SG_OK;
}

static sg_status check_buffers(const struct ArrowArray *a, const sg_arrow_type *t, const char *where)
{
    bool views = strcmp(t->format, "vu") == 0;
    if (views ? a->n_buffers < t->buffers : a->n_buffers != t->buffers)
        return sg_fail(SG_EDATA, "%s: an array has %" PRId64 " buffers; expected %s%" PRId64, where, a->n_buffers,
                       views ? "at least " : "", t->buffers);
    if (a->null_count > 0 && !a->buffers[0])
        return sg_fail(SG_EDATA, "%s: an array has %" PRId64 " nulls but no validity bitmap", where, a->null_count);
    if (a->length > 0 && !a->buffers[1])
        return sg_fail(SG_EDATA, "%s: an array has %" PRId64 " values but no value buffer", where, a->length);
    return SG_OK;
}

sg_status sg_arrow_array_view_open(const struct ArrowArray *a, sg_arrow_format format, const char *column,
                                   sg_arrow_array_view *out)
{
    char buf[96];
    const char *where = describe_location(column, buf, sizeof buf);
    if (!a) return sg_fail(SG_EDATA, "%s: an array is missing", where);
    sg_status st = sg_arrow_array_check(a, column);
    if (st != SG_OK) return st;
    *out = (sg_arrow_array_view){.format = format, .first = (size_t)a->offset, .length = (size_t)a->length};
    if (format.type->type_class == SG_ARROW_NULL) return SG_OK;
    st = check_buffers(a, format.type, where);
    if (st != SG_OK) return st;
    out->validity = a->null_count == 0 ? NULL : a->buffers[0];
    out->values = a->buffers[1];
    out->buffers = a->buffers;
    out->buffer_count = (size_t)a->n_buffers;
    return SG_OK;
}

/* --- strings --- */

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

/* Gets a string from 4- or 8-byte offsets into a buffer. Offsets must not decrease, so the last is the buffer size. */
static bool string_from_offsets(const sg_arrow_array_view *v, size_t i, const char **text, size_t *n)
{
    int64_t from = offset_at(v, v->first + i), to = offset_at(v, v->first + i + 1);
    const char *bytes = v->buffers[2];
    if (from < 0 || to < from || to > offset_at(v, v->first + v->length) || (to > from && !bytes)) return false;
    *text = to > from ? bytes + from : "";
    *n = (size_t)(to - from);
    return true;
}

/* Gets the string of a string view. The view of a short string contains the string; others contain a position in one of
 * several data buffers, whose sizes are in the last buffer. */
static bool string_from_view(const sg_arrow_array_view *v, size_t i, const char **text, size_t *n)
{
    enum { VIEW = 16, INLINE = 12, FIRST_DATA_BUFFER = 2 };
    const char *view = v->values + (v->first + i) * VIEW;
    const char *sizes = v->buffers[v->buffer_count - 1];
    int32_t length, position[2]; /* buffer and offset */
    int64_t size;
    memcpy(&length, view, sizeof length);
    if (length < 0) return false;
    *n = (size_t)length;
    *text = view + 4;
    if (length <= INLINE) return true;
    memcpy(position, view + 8, sizeof position);
    if ((size_t)position[0] >= v->buffer_count - FIRST_DATA_BUFFER - 1 || position[1] < 0 || !sizes)
        return false; /* the cast makes a negative index large */
    memcpy(&size, sizes + (size_t)position[0] * sizeof size, sizeof size);
    const char *bytes = v->buffers[FIRST_DATA_BUFFER + position[0]];
    if (!bytes || position[1] > size - length) return false;
    *text = bytes + position[1];
    return true;
}

bool sg_arrow_array_view_string(const sg_arrow_array_view *v, size_t i, const char **text, size_t *n)
{
    return *v->format.type->format == 'v' ? string_from_view(v, i, text, n) : string_from_offsets(v, i, text, n);
}
