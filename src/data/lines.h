/* lines.h: an input, line by line. */
#ifndef SG_DATA_LINES_H
#define SG_DATA_LINES_H

#include "data/input.h"

typedef struct sg_line {
    const char *at, *end; /* without its end; at moves on as it is read */
    size_t number;        /* from 1                                     */
    const char *file;
} sg_line;

typedef struct sg_lines sg_lines;

/* Skips a byte order mark; fails for what is no UTF-8. Reads blocks of `block` bytes; the lines do not depend on
 * it. The input must outlive it. */
sg_status sg_lines_new(sg_input *in, size_t block, sg_lines **out);
void sg_lines_free(sg_lines *l);
/* The next line, valid until the one after; *got is false after the last. */
sg_status sg_lines_next(sg_lines *l, sg_line *line, bool *got);

/* Moves to what is neither blank nor tab; false: the line ends there. */
bool sg_line_skip(sg_line *line);

#endif
