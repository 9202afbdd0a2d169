/* level_union.h: common levels of several sources that are read as one. Each source has its own codes. If a column is
 * categorical in one source and numeric in another, the numbers become levels. */
#pragma once

#include "data/source/source_util.h"
#include "data/string_table.h"

typedef struct sg_level_union {
    size_t parts, columns;
    sg_string_table *levels; /* (columns) empty for numeric ones; NULL: no column is categorical */
    uint32_t **code_map;     /* (parts, columns) maps the codes of a part; NULL: numeric there */
} sg_level_union;

/* Merges the levels of sources with the same columns. A part with numbers in a categorical column is read once. Release
 * u even on failure. */
sg_status sg_level_union_build(sg_level_union *u, const sg_source *part, size_t parts);
void sg_level_union_release(sg_level_union *u);

/* Maps the codes in rows of a part to the common ones. */
void sg_level_union_map(const sg_level_union *u, size_t part, double *values, size_t rows);
