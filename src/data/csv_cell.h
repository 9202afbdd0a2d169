/* csv_cell.h: what a field of a CSV file is meant to be. */
#ifndef SG_DATA_CSV_CELL_H
#define SG_DATA_CSV_CELL_H

#include "data/csv_scan.h"

typedef enum sg_cell {
    SG_CELL_NUMBER,
    SG_CELL_RANGE,   /* a number beyond the largest double */
    SG_CELL_COMMAS,  /* a number written with commas: 1,5 or 1,234.5 */
    SG_CELL_MISSING, /* nothing, or a mark that stands for nothing */
    SG_CELL_TEXT
} sg_cell;

/* missing: see sg_csv_how. */
sg_cell sg_cell_kind(const sg_field *f, const char *missing);

/* The i-th of the words that is a number; false after the last. */
bool sg_cell_code(const char *missing, size_t i, double *out);

#endif
