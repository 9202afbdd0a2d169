/* view_of_model.c: what the rules see of a row, through the public API. */
#include "base/memory.h"
#include "model/model.h"
#include "prep/gaps.h"

#include <stdlib.h>
#include <string.h>

size_t sg_model_view_width(const sg_model *m) { return m->a.out; }

/* A row of the inputs, as features. */
static void take_row(const sg_model *m, const double *x, size_t r, double *to)
{
    if (m->coding) sg_coding_apply(m->coding, x + r * m->coding->inputs, to);
    else memcpy(to, x + r * m->inputs, m->inputs * sizeof *x);
}

sg_status sg_model_view(const sg_model *m, const double *x, size_t rows, double *a)
{
    double *room = sg_alloc(2 * m->inputs + sg_view_scratch(&m->a), sizeof *room);
    if (!room) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    double *filled = room, *missing = filled + m->inputs, *scratch = missing + m->inputs;
    for (size_t r = 0; r < rows; r++, a += m->a.out) {
        take_row(m, x, r, filled);
        bool gaps = sg_gaps_fill(m->inputs, 1, 1, m->input_mean, filled, missing);
        sg_view_apply(&m->a, filled, a, scratch);
        if (gaps && sg_gaps_pass(&m->a)) sg_gaps_open(m->inputs, missing, a);
    }
    free(room);
    return SG_OK;
}
