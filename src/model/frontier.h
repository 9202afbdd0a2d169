/* frontier.h: the points of the search that led to a model. Each has an error and a reading cost. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_frontier {
    sg_frontier_point *point;
    size_t points, capacity;
} sg_frontier;

/* Frees the contents; the frontier is empty afterwards. */
void sg_frontier_release(sg_frontier *f);
/* Appends a point and copies its texts. Returns false if memory is exhausted. */
bool sg_frontier_add(sg_frontier *f, const sg_frontier_point *point);
/* Appends copies of all points of `from`. Returns false if memory is exhausted. */
bool sg_frontier_copy(const sg_frontier *from, sg_frontier *to);
