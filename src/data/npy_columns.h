/* npy_columns.h: the columns of a .npy file: which are read, where they lie, what they are called. */
#ifndef SG_DATA_NPY_COLUMNS_H
#define SG_DATA_NPY_COLUMNS_H

#include "data/csv.h"
#include "data/npy_header.h"

typedef struct sg_npy_columns {
    size_t count, left_out;
    sg_npy_column *column; /* (count): those that are read, as they lie in the file */
    const char **names;    /* (count), then those left out                          */
    sg_text text;          /* of the names                                          */
} sg_npy_columns;

/* Chosen as those of a CSV file are: of `how` counts what it says about columns. c is to be released,
 * also on failure. */
sg_status sg_npy_columns_choose(const sg_npy_header *h, const char *file, const sg_csv_how *how,
                                sg_npy_columns *c);
void sg_npy_columns_release(sg_npy_columns *c);

#endif
