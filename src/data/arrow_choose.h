/* arrow_choose.h: which columns of an Arrow stream, and beside it, are read, and as what. */
#ifndef SG_DATA_ARROW_CHOOSE_H
#define SG_DATA_ARROW_CHOOSE_H

#include "data/arrow_beside.h"

typedef struct sg_arrow_columns {
    sg_arrow_column
        *column;   /* (columns.read_count of the store); child: behind those of the stream come those beside it */
    size_t beside; /* how many stand beside it */
} sg_arrow_columns;

/* Starts the store. The schema was checked; how must outlive the store. c is to be released, also on failure. */
sg_status sg_arrow_choose(sg_store *s, const sg_csv_how *how, const struct ArrowSchema *schema,
                          const sg_arrow_beside *beside, sg_arrow_columns *c);
void sg_arrow_columns_release(sg_arrow_columns *c);

#endif
