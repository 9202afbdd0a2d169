/* frontier.c: stores the points of the search that led to a model. */
#include "model/frontier.h"

#include "base/memory.h"
#include "model/model.h"

#include <stdlib.h>

static void free_texts(sg_frontier_point *p)
{
    free((char *)p->name);
    free((char *)p->options);
}

void sg_frontier_release(sg_frontier *f)
{
    for (size_t i = 0; i < f->points; i++) free_texts(&f->point[i]);
    free(f->point);
    *f = (sg_frontier){0};
}

bool sg_frontier_add(sg_frontier *f, const sg_frontier_point *point)
{
    if (!sg_array_reserve(&f->point, &f->capacity, f->points + 1, sizeof *f->point)) return false;
    sg_frontier_point own = *point;
    own.name = sg_strdup(point->name);
    own.options = sg_strdup(point->options);
    if (!own.name || !own.options) {
        free_texts(&own);
        return false;
    }
    f->point[f->points++] = own;
    return true;
}

bool sg_frontier_copy(const sg_frontier *from, sg_frontier *to)
{
    for (size_t i = 0; i < from->points; i++)
        if (!sg_frontier_add(to, &from->point[i])) return false;
    return true;
}

int sg_model_frontier(const sg_model *m, size_t i, sg_frontier_point *out)
{
    if (i >= m->frontier.points) return 0;
    *out = m->frontier.point[i];
    return 1;
}
