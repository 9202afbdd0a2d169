/* npy_columns.h: the columns of a .npy file: which are read, where they lie, what they are called. */
#ifndef SG_DATA_NPY_COLUMNS_H
#define SG_DATA_NPY_COLUMNS_H

#include "data/csv.h"
#include "data/npy_header.h"
#include "data/store.h"

typedef struct sg_npy_columns {
    const sg_csv_how *how; /* while columns are chosen */
    const char *file;
    size_t count, left_out;
    sg_npy_column *column;   /* (count): those that are read, as they lie in the file */
    const char **names;      /* (count), then those left out                          */
    sg_text text;            /* of the names                                          */
    size_t texts;            /* how many of them hold texts                           */
    size_t words;            /* bytes of their levels                                 */
    sg_column_tally **tally; /* (count) what those hold, or NULL                    */
    sg_kind *kind;           /* (count) what they are to be                           */
} sg_npy_columns;

/* Chosen as those of a CSV file are: of `how` counts what it says about columns. Where there are texts, all their
 * cells are to be added, and what they are to be judged. c is to be released, also on failure. */
sg_status sg_npy_columns_choose(const sg_npy_header *h, const char *file, const sg_csv_how *how, sg_npy_columns *c);
void sg_npy_columns_release(sg_npy_columns *c);

/* npy_words.c: the texts of `rows` rows, the first of which is row `first`; its bytes begin at `bytes`. */
sg_status sg_npy_words_add(sg_npy_columns *c, const char *bytes, size_t first, size_t rows);
/* After the last row: leaves dates and identifiers out. */
sg_status sg_npy_words_judge(sg_npy_columns *c);

#endif
