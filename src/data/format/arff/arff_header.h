/* arff_header.h: the declarations before the rows of an ARFF or KEEL file, and the tokens of its lines. */
#pragma once

#include "base/text.h"
#include "data/ingest/columns_to_read.h"
#include "data/ingest/line_reader.h"
#include "data/string_table.h"

typedef enum sg_arff_role { SG_ARFF_ROLE_NONE, SG_ARFF_ROLE_INPUT, SG_ARFF_ROLE_OUTPUT } sg_arff_role;

typedef struct sg_arff_attribute {
    size_t name, name_length; /* offset and length of the name in sg_arff_header.names */
    size_t line;
    sg_column_spec spec;    /* declared type; SG_SPEC_INFER for a string */
    sg_string_table levels; /* declared values, for SG_SPEC_FIXED_LEVELS */
    sg_arff_role role;
} sg_arff_attribute;

typedef struct sg_arff_header {
    sg_arff_attribute *attribute;
    size_t count, capacity;
    bool has_inputs, has_outputs; /* the file has @inputs or @outputs (KEEL) */
    sg_text names;                /* names of the attributes, each followed by NUL */
    size_t level_bytes;           /* memory that all levels use */
} sg_arff_header;

/* Reads the lines up to @data. h must be zeroed. Release it even on failure. */
sg_status sg_arff_header_read(sg_line_reader *lines, const char *file, sg_arff_header *h);
void sg_arff_header_release(sg_arff_header *h);

/* Finds the code of a declared value; numbers are compared by value. Returns false if the value is not declared. */
bool sg_arff_level_find(const sg_string_table *levels, const char *text, size_t n, uint32_t *code);

/* --- tokens --- */

/* A name or a value. */
typedef struct sg_arff_token {
    const char *text; /* points into the line or into *unescaped */
    size_t length;
    bool quoted;
} sg_arff_token;

/* Gets the next token. A quoted token may contain escapes (\). Any other token ends before one of `stops` or at the end
 * of the line, and is trimmed. `unescaped` is storage for a token with escapes. */
sg_status sg_arff_next_token(sg_line *line, const char *stops, sg_text *unescaped, sg_arff_token *out);
/* Skips blanks, and consumes c if it is next. Reports whether c was next. */
bool sg_arff_accept(sg_line *line, char c);
/* Fails with "expected <what>" and the current position in the line, which begins at `start`. */
sg_status sg_arff_fail_expected(const sg_line *line, const char *start, const char *what);
/* Skips blanks, and reports whether only a comment or nothing follows. */
bool sg_arff_at_end(sg_line *line);
