/* arrow_type.h: the types of Arrow's columns, and their way to doubles. */
#ifndef SG_DATA_ARROW_TYPE_H
#define SG_DATA_ARROW_TYPE_H

#include "data/arrow_abi.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sg_arrow_class {
    SG_ARROW_NUMBERS,
    SG_ARROW_NOTHING, /* the null type: no buffers, all is missing */
    SG_ARROW_TEXTS,   /* see arrow_text.h                          */
    SG_ARROW_TIMES,   /* dates, times, durations                   */
    SG_ARROW_OTHER    /* nested, binary, unknown                   */
} sg_arrow_class;

/* n values from the first-th on to out[i * pitch]; how many of them are not finite. */
typedef size_t sg_arrow_take(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch);

typedef struct sg_arrow_type {
    const char *format; /* all of it, or, of those with something behind, how it begins */
    bool whole;
    bool index; /* may be the indices of a dictionary                           */
    sg_arrow_class is;
    int64_t buffers;     /* how many; views of texts have these at least                 */
    sg_arrow_take *take; /* also of times: the numbers that stand for them, or NULL     */
} sg_arrow_type;

/* A type with what stands behind it. */
typedef struct sg_arrow_format {
    const sg_arrow_type *type;
    int scale; /* of decimals */
} sg_arrow_format;

sg_arrow_format sg_arrow_format_of(const char *format);

/* arrow_decimal.c: whole numbers of 4, 8 and 16 bytes over a power of ten, each to the nearest double. */
sg_arrow_take sg_arrow_take_decimal32, sg_arrow_take_decimal64, sg_arrow_take_decimal128;

#endif
