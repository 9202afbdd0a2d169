/* concat_source.h: the rows of several sources, one after the other, as one source. */
#pragma once

#include "data/source/source_util.h"

typedef struct sg_concat sg_concat;

/* Concatenates count > 0 sources with the same columns in the same order, which must outlive it. */
sg_status sg_concat_new(const sg_source *parts, size_t count, sg_concat **out);
sg_source sg_concat_source(const sg_concat *j);
void sg_concat_free(sg_concat *j);
