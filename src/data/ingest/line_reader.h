/* line_reader.h: reads an input line by line. */
#pragma once

#include "data/ingest/byte_reader.h"

typedef struct sg_line {
    const char *at, *end; /* without the line end; parsers advance `at` */
    size_t number;        /* line number, counted from 1 */
    const char *file;
} sg_line;

typedef struct sg_line_reader sg_line_reader;

/* Starts to read lines, after a byte order mark if there is one. Fails if the input is not UTF-8 text. `block` is the
 * number of bytes to read at a time, or 0 for the default. The input must outlive the reader. */
sg_status sg_line_reader_new(sg_byte_reader *in, size_t block, sg_line_reader **out);
void sg_line_reader_free(sg_line_reader *l);
/* Gets the next line, which is valid until the next call. *got is false after the last line. */
sg_status sg_line_reader_next(sg_line_reader *l, sg_line *line, bool *got);

/* Advances to the next character that is not a blank or tab. Returns false at the end of the line. */
bool sg_line_skip_blanks(sg_line *line);
