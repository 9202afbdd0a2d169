/* schema_wire.h: what the columns of a source are called, and the levels of those that hold words, as one text that
 * can be sent to somebody else. */
#ifndef SG_DATA_SHARD_SCHEMA_WIRE_H
#define SG_DATA_SHARD_SCHEMA_WIRE_H

#include "data/source/source.h"
#include "data/string_table.h"

/* Appends the text: of each column its name, its levels and an empty one, each with its final zero. */
sg_status sg_schema_encode(const sg_source *s, sg_text *out);

typedef struct sg_schema {
    size_t columns;
    const char **names;      /* (columns), in the text                          */
    sg_string_table *levels; /* (columns), or NULL: all hold numbers            */
} sg_schema;

/* Of a text that sg_schema_encode made, which must outlive it. h is to be released, also on failure. */
sg_status sg_schema_decode(const char *text, size_t columns, sg_schema *h);
void sg_schema_release(sg_schema *h);

#endif
