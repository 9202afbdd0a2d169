/* cell_classify.h: what a field of a CSV file is meant to be. */
#ifndef SG_DATA_INGEST_CELL_CLASSIFY_H
#define SG_DATA_INGEST_CELL_CLASSIFY_H

#include "data/format/csv/csv_scanner.h"

typedef enum sg_cell_class {
    SG_CELL_NUMBER,
    SG_CELL_OUT_OF_RANGE, /* a number beyond the largest double */
    SG_CELL_COMMAS,       /* a number written with commas: 1,5 or 1,234.5 */
    SG_CELL_MISSING,      /* nothing, or a mark that stands for nothing */
    SG_CELL_TEXT
} sg_cell_class;

/* missing: see sg_read_options. */
sg_cell_class sg_cell_classify(const sg_field *f, const char *missing);

/* The i-th of the words that is a number; false after the last. */
bool sg_missing_code_parse(const char *missing, size_t i, double *out);

#endif
