/* heading.h: what the columns of a source are called, and the levels of those that hold words, as one text that
 * can be sent to somebody else. */
#ifndef SG_DATA_HEADING_H
#define SG_DATA_HEADING_H

#include "data/levels.h"
#include "data/source.h"

/* Appends the text: of each column its name, its levels and an empty one, each with its final zero. */
sg_status sg_heading_write(const sg_source *s, sg_text *out);

typedef struct sg_heading {
    size_t columns;
    const char **names; /* (columns), in the text                          */
    sg_levels *levels;  /* (columns), or NULL: all hold numbers            */
} sg_heading;

/* Of a text that sg_heading_write made, which must outlive it. h is to be released, also on failure. */
sg_status sg_heading_read(const char *text, size_t columns, sg_heading *h);
void sg_heading_release(sg_heading *h);

#endif
