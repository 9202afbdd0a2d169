/* view_of_model.c: what the rules see of a row, through the public API. */
#include "base/memory.h"
#include "model/model.h"

#include <stdlib.h>

size_t sg_model_view_width(const sg_model *m) { return m->a.out; }

sg_status sg_model_view(const sg_model *m, const double *x, size_t rows, double *a)
{
    double *scratch = sg_alloc(sg_view_scratch(&m->a), sizeof *scratch);
    if (!scratch) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t r = 0; r < rows; r++)
        sg_view_apply(&m->a, x + r * m->inputs, a + r * m->a.out, scratch);
    free(scratch);
    return SG_OK;
}
