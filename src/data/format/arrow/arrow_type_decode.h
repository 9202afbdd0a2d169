/* arrow_type_decode.h: the types of Arrow columns, and their conversion to double. */
#pragma once

#include "data/format/arrow/arrow_abi.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum sg_arrow_class {
    SG_ARROW_NUMERIC,
    SG_ARROW_NULL, /* the null type: it has no buffers, and all values are missing */
    SG_ARROW_STRING,
    SG_ARROW_TEMPORAL, /* dates, times, durations */
    SG_ARROW_OTHER     /* nested, binary, unknown */
} sg_arrow_class;

typedef struct sg_arrow_type {
    const char *format; /* the format string, or its beginning if !exact */
    bool exact;
    bool may_index; /* can be the index type of a dictionary */
    sg_arrow_class type_class;
    int64_t buffers;         /* number of buffers; a minimum for string views */
    const char *number_type; /* name of the sg_number_type of the values, or NULL */
    /* Converts values like sg_arrow_decode. NULL if number_type is set or the values are not stored as numbers. */
    size_t (*decode)(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch);
} sg_arrow_type;

/* A type with its parameters. */
typedef struct sg_arrow_format {
    const sg_arrow_type *type;
    int scale; /* scale of a decimal type */
} sg_arrow_format;

sg_arrow_format sg_arrow_format_parse(const char *format);
/* Reports whether the values are stored as numbers, as those of numeric types and of most temporal types are. */
bool sg_arrow_format_is_number(const sg_arrow_format *f);
/* Converts the numbers [first, first + n) to out[i * pitch]. Returns how many of them are not finite. */
size_t sg_arrow_decode(const sg_arrow_format *f, const char *values, size_t first, size_t n, double *out, size_t pitch);
