/* schema_wire.h: encodes the column names and levels of a source as bytes to send to other ranks. */
#pragma once

#include "data/source/source_util.h"
#include "data/string_table.h"

/* Appends, for each column, its name, its levels and an empty string, all NUL-terminated. */
sg_status sg_schema_encode(const sg_source *s, sg_text *out);

typedef struct sg_schema {
    size_t columns;
    const char **names;      /* (columns) pointers into the text */
    sg_string_table *levels; /* (columns), or NULL if no column is categorical */
} sg_schema;

/* Decodes the text of sg_schema_encode, which must outlive h. Release h even on failure. */
sg_status sg_schema_decode(const char *text, size_t columns, sg_schema *h);
void sg_schema_release(sg_schema *h);
