/* arff_header.h: what stands before the rows of an ARFF file. */
#ifndef SG_DATA_ARFF_HEADER_H
#define SG_DATA_ARFF_HEADER_H

#include "data/arff_line.h"
#include "data/csv_columns.h"
#include "data/levels.h"

typedef enum sg_role { SG_ROLE_NONE, SG_ROLE_INPUT, SG_ROLE_OUTPUT } sg_role;

typedef struct sg_attribute {
    size_t name, name_length; /* in the header's text */
    size_t line;
    sg_kind kind;     /* what it is declared as; SG_KIND_JUDGED: texts */
    sg_levels levels; /* of SG_KIND_DECLARED                           */
    sg_role role;
} sg_attribute;

typedef struct sg_arff_header {
    sg_attribute *attribute;
    size_t count, room;
    bool inputs, outputs; /* KEEL: there is such a line */
    sg_text names;        /* each NUL-ended             */
    size_t words;         /* bytes of all levels        */
} sg_arff_header;

/* Up to the line @data. h is zeroed, and to be released, also on failure. */
sg_status sg_arff_header_read(sg_lines *lines, const char *file, sg_arff_header *h);
void sg_arff_header_release(sg_arff_header *h);

/* A value as a level: a number by its value. False: there is no such level; *code is it otherwise. */
bool sg_arff_level(const sg_levels *levels, const char *text, size_t n, uint32_t *code);

#endif
