/* structure.h: which rules a system starts with. A structure is one file and one row of a table. */
#ifndef SG_TRAIN_STRUCTURE_H
#define SG_TRAIN_STRUCTURE_H

#include "base/options.h"
#include "train/prepare.h"

typedef struct sg_structure {
    const char *name;
    /* Adds the block, bound and with its MFs in place; consequents are 0. */
    sg_status (*build)(const sg_options *o, const sg_source *s, sg_prepared *p);
} sg_structure;

const sg_structure *sg_structure_find(const char *name);
/* The i-th structure's name, NULL after the last. */
const char *sg_structure_name(size_t i);

/* Adds one block to the model and binds theta, unless it would be too large: then `how` says
 * where the number of rules comes from ("4^12"). */
sg_status sg_structure_room(const sg_options *o, sg_model *m, const char *how, size_t mfs,
                            double rules);

extern const sg_structure sg_structure_grid, sg_structure_cluster, sg_structure_linear;

#endif
