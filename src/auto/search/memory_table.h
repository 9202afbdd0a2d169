/* memory_table.h: rows in memory that have the columns of another source. */
#ifndef SG_AUTO_SEARCH_MEMORY_TABLE_H
#define SG_AUTO_SEARCH_MEMORY_TABLE_H

#include "data/source/source.h"

typedef struct sg_memory_table {
    sg_source schema; /* names, levels of categories */
    sg_source rows;
    double *values; /* (rows, columns) */
} sg_memory_table;

/* Rows of zeros. `of` must outlive it, and the desk stay where it is. */
sg_status sg_memory_table_init(sg_memory_table *d, const sg_source *of, size_t rows);
void sg_memory_table_release(sg_memory_table *d);

#endif
