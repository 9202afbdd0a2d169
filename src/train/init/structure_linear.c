/* structure_linear.c: one rule without conditions: a linear system. */
#include "train/init/structure.h"

static sg_status build_linear(const sg_options *o, const sg_source *s, sg_preprocessed *p)
{
    sg_status st = sg_structure_check_size(o, s, p->model, "", 1);
    return st == SG_OK ? sg_structure_add_block(o, p->model, 0, 1, 0) : st;
}

const sg_structure sg_structure_linear = {"linear", build_linear, false};
