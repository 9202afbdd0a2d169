/* npy_columns.h: the columns of a .npy file that are read: their names, positions and types. */
#pragma once

#include "data/format/csv/csv.h"
#include "data/format/npy/npy_header.h"
#include "data/ingest/table_builder.h"

typedef struct sg_npy_columns {
    const sg_read_options *options; /* NULL after the file has been opened */
    const char *file;
    size_t count, dropped;
    sg_npy_column *column;       /* (count) */
    const char **names;          /* (count + dropped) names of dropped columns are last */
    sg_text name_text;           /* storage of the names */
    size_t text_columns;         /* number of string columns */
    size_t level_bytes;          /* memory that their levels use */
    sg_column_builder **builder; /* (count) evidence about a string column; NULL for a numeric one */
    sg_column_spec *spec;        /* (count) requested types */
} sg_npy_columns;

/* Selects columns as for a CSV file. If there are string columns, the caller must add all rows with sg_npy_levels_add
 * and then call sg_npy_levels_infer_types. Release c even on failure. */
sg_status sg_npy_columns_select(const sg_npy_header *h, const char *file, const sg_read_options *options,
                                sg_npy_columns *c);
void sg_npy_columns_release(sg_npy_columns *c);

/* npy_levels.c: adds the strings of `rows` rows to the levels. `bytes` points to row number `first`, counted from 0. */
sg_status sg_npy_levels_add(sg_npy_columns *c, const char *bytes, size_t first, size_t rows);
/* Infers the types of string columns, and drops dates and identifiers. */
sg_status sg_npy_levels_infer_types(sg_npy_columns *c);
