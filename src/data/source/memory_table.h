/* memory_table.h: rows in memory that look like those of another source. */
#pragma once

#include "data/source/source_util.h"

/* Rows in memory with the columns of another source. */
typedef struct sg_memory_table {
    sg_source schema; /* provides names and category levels */
    sg_source rows;
    double *values; /* (rows, columns) */
} sg_memory_table;

/* Allocates rows of zeros. The source `schema` must outlive the table, and the table must not be moved. */
sg_status sg_memory_table_init(sg_memory_table *t, const sg_source *schema, size_t rows);
void sg_memory_table_release(sg_memory_table *t);
