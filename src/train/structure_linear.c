/* structure_linear.c: one rule without conditions: a linear system. */
#include "train/structure.h"

static sg_status build(const sg_options *o, const sg_source *s, sg_prepared *p)
{
    sg_status st = sg_structure_fits(o, s, p->model, "", 1);
    return st == SG_OK ? sg_structure_room(o, p->model, 0, 1, 0) : st;
}

const sg_structure sg_structure_linear = {"linear", build, false};
