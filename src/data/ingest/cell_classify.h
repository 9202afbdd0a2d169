/* cell_classify.h: decides whether a text cell is a number, a missing value or text. */
#pragma once

#include "data/format/csv/csv_scanner.h"

typedef enum sg_cell_class {
    SG_CELL_NUMBER,
    SG_CELL_OUT_OF_RANGE, /* a number too large for a double      */
    SG_CELL_COMMAS,       /* a number written with commas: 1,5 or 1,234.5 */
    SG_CELL_MISSING,      /* empty, or a word for a missing value */
    SG_CELL_TEXT
} sg_cell_class;

/* Classifies a cell. `missing` lists the words of sg_read_options.missing, or is NULL for SG_DEFAULT_MISSING. */
sg_cell_class sg_cell_classify(const sg_field *f, const char *missing);

/* Parses the i-th number in the list `missing`, counted from 0. Returns false if there is none. */
bool sg_missing_code_parse(const char *missing, size_t i, double *out);

/* looks_like_date.c: returns whether a text looks like a date: 2019-08-31, 2019/8/31, 31/8/2019, 8/31/19, 31.8.2019 or
 * 31-08-2019. A time of day and a time zone may follow: 2019-08-31T17:05:33.25Z, 31.8.2019 17:05, 8/31/2019 5:05 PM,
 * 2019-08-31 17:05 +02:00. */
bool sg_looks_like_date(const char *text, size_t n);
