/* level_union.h: the common levels of several sources that are read as one. Each source has codes of its own. If a
 * column is categorical in one source and numeric in another, its numbers become levels. */
#pragma once

#include "data/source/source_util.h"
#include "data/string_table.h"

typedef struct sg_level_union {
    size_t parts, columns;
    sg_string_table *levels; /* (columns) empty for numeric columns; NULL if no column is categorical */
    uint32_t **code_map;     /* (parts, columns) maps the codes of a part; NULL if the column is numeric there */
} sg_level_union;

/* Merges the levels of sources with the same columns. Reads a part once if it has numbers in a categorical column.
 * Release u even on failure. */
sg_status sg_level_union_build(sg_level_union *u, const sg_source *part, size_t parts);
void sg_level_union_release(sg_level_union *u);

/* Replaces the codes or numbers in rows of a part with the common codes. */
void sg_level_union_map(const sg_level_union *u, size_t part, double *values, size_t rows);
