/* arrow_select.h: which columns of an Arrow stream, and beside it, are read, and as what. */
#ifndef SG_DATA_FORMAT_ARROW_ARROW_SELECT_H
#define SG_DATA_FORMAT_ARROW_ARROW_SELECT_H

#include "data/format/arrow/arrow_extra.h"

typedef struct sg_arrow_columns {
    sg_arrow_column
        *column;  /* (columns.read_count of the store); child: behind those of the stream come those beside it */
    size_t extra; /* how many stand beside it */
} sg_arrow_columns;

/* Starts the store. The schema was checked; how must outlive the store. c is to be released, also on failure. */
sg_status sg_arrow_columns_select(sg_table_builder *s, const sg_read_options *options, const struct ArrowSchema *schema,
                                  const sg_arrow_extra *extra, sg_arrow_columns *c);
void sg_arrow_columns_release(sg_arrow_columns *c);

#endif
