/* arrow_type.h: the types of Arrow's columns, and their way to doubles. */
#ifndef SG_DATA_FORMAT_ARROW_ARROW_TYPE_H
#define SG_DATA_FORMAT_ARROW_ARROW_TYPE_H

#include "data/format/arrow/arrow_abi.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sg_arrow_class {
    SG_ARROW_NUMERIC,
    SG_ARROW_NULL,     /* the null type: no buffers, all is missing */
    SG_ARROW_STRING,   /* see arrow_text.h                          */
    SG_ARROW_TEMPORAL, /* dates, times, durations                   */
    SG_ARROW_OTHER     /* nested, binary, unknown                   */
} sg_arrow_class;

/* n values from the first-th on to out[i * pitch]; how many of them are not finite. */
typedef size_t sg_arrow_decode_fn(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch);

typedef struct sg_arrow_type {
    const char *format; /* all of it, or, of those with something behind, how it begins */
    bool exact;
    bool may_index; /* may be the indices of a dictionary                           */
    sg_arrow_class type_class;
    int64_t buffers;            /* how many; views of texts have these at least                 */
    sg_arrow_decode_fn *decode; /* also of times: the numbers that stand for them, or NULL     */
} sg_arrow_type;

/* A type with what stands behind it. */
typedef struct sg_arrow_format {
    const sg_arrow_type *type;
    int scale; /* of decimals */
} sg_arrow_format;

sg_arrow_format sg_arrow_format_parse(const char *format);

/* arrow_decimal.c: whole numbers of 4, 8 and 16 bytes over a power of ten, each to the nearest double. */
sg_arrow_decode_fn sg_arrow_decode_decimal32, sg_arrow_decode_decimal64, sg_arrow_decode_decimal128;

#endif
