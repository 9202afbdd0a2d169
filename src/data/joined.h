/* joined.h: rows of several sources, one after the other, as one. */
#ifndef SG_DATA_JOINED_H
#define SG_DATA_JOINED_H

#include "data/source.h"

typedef struct sg_joined sg_joined;

/* count > 0 sources with the same columns in the same order, which must outlive it. */
sg_status sg_joined_new(const sg_source *parts, size_t count, sg_joined **out);
sg_source sg_joined_source(const sg_joined *j);
void sg_joined_free(sg_joined *j);

#endif
