/* arrow_array_view.c: see arrow_array_view.h. */
#include "data/format/arrow/arrow_array_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The stream, and the column, where there is one. */
static const char *describe_location(const char *column, char *buf, size_t size)
{
    char name[64];
    if (!column) return SG_ARROW_NAME;
    snprintf(buf, size, "%s: column \"%s\"", SG_ARROW_NAME,
             sg_quote_excerpt(column, strlen(column), name, sizeof name));
    return buf;
}

sg_status sg_arrow_array_check(const struct ArrowArray *a, const char *column)
{
    const int64_t most = PTRDIFF_MAX / 16 - 2; /* a value has 16 bytes at most: what is multiplied fits */
    char buf[96];
    const char *where = describe_location(column, buf, sizeof buf);
    if (a->length < 0 || a->offset < 0 || a->offset > most || a->length > most - a->offset)
        return sg_fail(SG_EDATA, "%s: an array of length %" PRId64 " at offset %" PRId64, where, a->length, a->offset);
    if (a->null_count < -1 || a->null_count > a->length)
        return sg_fail(SG_EDATA, "%s: %" PRId64 " nulls in an array of length %" PRId64, where, a->null_count,
                       a->length);
    if (a->n_buffers < 0 || (a->n_buffers > 0 && !a->buffers))
        return sg_fail(SG_EDATA, "%s: an array without its buffers", where);
    return SG_OK;
}

static sg_status check_buffers(const struct ArrowArray *a, const sg_arrow_type *t, const char *where)
{
    bool views = strcmp(t->format, "vu") == 0;
    if (views ? a->n_buffers < t->buffers : a->n_buffers != t->buffers)
        return sg_fail(SG_EDATA, "%s: an array of %" PRId64 " buffers, expected %s%" PRId64, where, a->n_buffers,
                       views ? "at least " : "", t->buffers);
    if (a->null_count > 0 && !a->buffers[0])
        return sg_fail(SG_EDATA, "%s: %" PRId64 " nulls, but no bitmap that says which they are", where, a->null_count);
    if (a->length > 0 && !a->buffers[1])
        return sg_fail(SG_EDATA, "%s: %" PRId64 " values, but no buffer that holds them", where, a->length);
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
