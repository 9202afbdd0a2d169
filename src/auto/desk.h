/* desk.h: rows in memory that have the columns of another source. */
#ifndef SG_AUTO_DESK_H
#define SG_AUTO_DESK_H

#include "data/source.h"

typedef struct sg_desk {
    sg_source of; /* names, levels of categories */
    sg_source rows;
    double *value; /* (rows, columns) */
} sg_desk;

/* Rows of zeros. `of` must outlive it, and the desk stay where it is. */
sg_status sg_desk_init(sg_desk *d, const sg_source *of, size_t rows);
void sg_desk_release(sg_desk *d);

#endif
