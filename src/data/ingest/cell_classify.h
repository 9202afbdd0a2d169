/* cell_classify.h: decides whether a text cell is a number, a missing value or text. */
#ifndef SG_DATA_INGEST_CELL_CLASSIFY_H
#define SG_DATA_INGEST_CELL_CLASSIFY_H

#include "data/format/csv/csv_scanner.h"

typedef enum sg_cell_class {
    SG_CELL_NUMBER,
    SG_CELL_OUT_OF_RANGE, /* a number too large for a double      */
    SG_CELL_COMMAS,       /* a number written with commas: 1,5 or 1,234.5 */
    SG_CELL_MISSING,      /* empty, or a word for a missing value */
    SG_CELL_TEXT
} sg_cell_class;

/* missing: the words of sg_read_options.missing, or NULL for SG_DEFAULT_MISSING. */
sg_cell_class sg_cell_classify(const sg_field *f, const char *missing);

/* Gets number i in the list `missing`. Returns false after the last one. */
bool sg_missing_code_parse(const char *missing, size_t i, double *out);

#endif
