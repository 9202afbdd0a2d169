/* line_reader.h: an input, line by line. */
#ifndef SG_DATA_INGEST_LINE_READER_H
#define SG_DATA_INGEST_LINE_READER_H

#include "data/ingest/byte_reader.h"

typedef struct sg_line {
    const char *at, *end; /* without its end; at moves on as it is read */
    size_t number;        /* from 1                                     */
    const char *file;
} sg_line;

typedef struct sg_line_reader sg_line_reader;

/* Skips a byte order mark; fails for what is no UTF-8. Reads blocks of `block` bytes; the lines do not depend on
 * it. The input must outlive it. */
sg_status sg_line_reader_new(sg_byte_reader *in, size_t block, sg_line_reader **out);
void sg_line_reader_free(sg_line_reader *l);
/* The next line, valid until the one after; *got is false after the last. */
sg_status sg_line_reader_next(sg_line_reader *l, sg_line *line, bool *got);

/* Moves to what is neither blank nor tab; false: the line ends there. */
bool sg_line_skip_blanks(sg_line *line);

#endif
