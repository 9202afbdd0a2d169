/* concat_source.h: concatenates the rows of several sources into one source. */
#pragma once

#include "data/source/source_util.h"

typedef struct sg_concat sg_concat;

/* Concatenates count > 0 sources, which must outlive the result. Fails if their columns differ in name or order. */
sg_status sg_concat_new(const sg_source *parts, size_t count, sg_concat **out);
sg_source sg_concat_source(const sg_concat *j);
void sg_concat_free(sg_concat *j);
