/* arff_header.h: what stands before the rows of an ARFF file. */
#ifndef SG_DATA_FORMAT_ARFF_ARFF_HEADER_H
#define SG_DATA_FORMAT_ARFF_ARFF_HEADER_H

#include "data/format/arff/arff_lexer.h"
#include "data/ingest/column_select.h"
#include "data/string_table.h"

typedef enum sg_arff_role { SG_ARFF_ROLE_NONE, SG_ARFF_ROLE_INPUT, SG_ARFF_ROLE_OUTPUT } sg_arff_role;

typedef struct sg_arff_attribute {
    size_t name, name_length; /* in the header's text */
    size_t line;
    sg_column_spec spec;    /* what it is declared as; SG_SPEC_INFER: texts */
    sg_string_table levels; /* of SG_SPEC_FIXED_LEVELS                           */
    sg_arff_role role;
} sg_arff_attribute;

typedef struct sg_arff_header {
    sg_arff_attribute *attribute;
    size_t count, capacity;
    bool has_inputs, has_outputs; /* KEEL: there is such a line */
    sg_text names;                /* each NUL-ended             */
    size_t level_bytes;           /* bytes of all levels        */
} sg_arff_header;

/* Up to the line @data. h is zeroed, and to be released, also on failure. */
sg_status sg_arff_header_read(sg_line_reader *lines, const char *file, sg_arff_header *h);
void sg_arff_header_release(sg_arff_header *h);

/* A value as a level: a number by its value. False: there is no such level; *code is it otherwise. */
bool sg_arff_level_find(const sg_string_table *levels, const char *text, size_t n, uint32_t *code);

#endif
