/* structure.h: which rules a system starts with. A structure is one file and one row of a table. */
#ifndef SG_TRAIN_INIT_STRUCTURE_H
#define SG_TRAIN_INIT_STRUCTURE_H

#include "base/options.h"
#include "train/fit/preprocess.h"

typedef struct sg_structure {
    const char *name;
    /* Adds the block, bound and with its MFs in place; consequents are 0. */
    sg_status (*build)(const sg_options *o, const sg_source *s, sg_preprocessed *p);
    bool has_low_rank; /* its rules may ask for combinations of inputs, --low-rank */
} sg_structure;

/* Adds the block that the options ask for, once it is known that it can be had. */
sg_status sg_structure_build(const sg_options *o, const sg_source *s, sg_preprocessed *p);
/* The i-th structure's name, NULL after the last. */
const char *sg_structure_name(size_t i);

/* Where starts of rules that own their MFs come from: the i-th name, NULL after the last. */
const char *sg_center_method_name(size_t i);

/* Whether so many rules are not too many for training on these rows; `how` says where the number comes from ("4^12").
 */
sg_status sg_structure_check_size(const sg_options *o, const sg_source *s, const sg_model *m, const char *how,
                                  double rules);
/* Whether least squares on all inputs of these rows, of one rule or none, take not too much; `what` needs them. */
sg_status sg_structure_check_lse(const sg_source *s, const sg_model *m, const char *what);
/* Adds one block to the model and binds theta; rank: combinations of inputs that a rule asks for. */
sg_status sg_structure_add_block(const sg_options *o, sg_model *m, size_t mfs, size_t rules, size_t rank);

extern const sg_structure sg_structure_grid, sg_structure_cluster, sg_structure_linear;

#endif
