/* npy_columns.h: the columns of a .npy file: which are read, where they lie, what they are called. */
#ifndef SG_DATA_FORMAT_NPY_NPY_COLUMNS_H
#define SG_DATA_FORMAT_NPY_NPY_COLUMNS_H

#include "data/format/csv/csv.h"
#include "data/format/npy/npy_header.h"
#include "data/ingest/table_builder.h"

typedef struct sg_npy_columns {
    const sg_read_options *options; /* while columns are chosen */
    const char *file;
    size_t count, dropped;
    sg_npy_column *column;       /* (count): those that are read, as they lie in the file */
    const char **names;          /* (count), then those left out                          */
    sg_text name_text;           /* of the names                                          */
    size_t text_columns;         /* how many of them hold texts                           */
    size_t level_bytes;          /* bytes of their levels                                 */
    sg_column_builder **builder; /* (count) what those hold, or NULL                    */
    sg_column_spec *spec;        /* (count) what they are to be                           */
} sg_npy_columns;

/* Chosen as those of a CSV file are: of `how` counts what it says about columns. Where there are texts, all their
 * cells are to be added, and what they are to be judged. c is to be released, also on failure. */
sg_status sg_npy_columns_select(const sg_npy_header *h, const char *file, const sg_read_options *options,
                                sg_npy_columns *c);
void sg_npy_columns_release(sg_npy_columns *c);

/* npy_levels.c: the texts of `rows` rows, the first of which is row `first`; its bytes begin at `bytes`. */
sg_status sg_npy_levels_add(sg_npy_columns *c, const char *bytes, size_t first, size_t rows);
/* After the last row: leaves dates and identifiers out. */
sg_status sg_npy_levels_infer_types(sg_npy_columns *c);

#endif
