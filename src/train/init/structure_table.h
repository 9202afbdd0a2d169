/* structure_table.h: builds the initial rule base. Each structure (grid, cluster, linear) is one row of a table. */
#pragma once

#include "train/fit/preprocess.h"
#include "train/init/clusters.h"

typedef struct sg_structure_config sg_structure_config;

typedef struct sg_structure {
    const char *name;
    /* Adds a block with initial MFs to the model and allocates theta. Consequents are 0, except biases from fcm. */
    sg_status (*build)(const sg_structure_config *c, const sg_source *s, sg_preprocessed *p);
    bool has_low_rank; /* supports low-rank terms (--low-rank) */
} sg_structure;

/* How the cluster structure finds the centres of its rules. */
typedef struct sg_center_method {
    const char *name;
    sg_status (*find_clusters)(sg_clusters *c, uint64_t seed);
    bool with_targets; /* distances include the targets */
} sg_center_method;

/* Returns the structure of this name, which must exist. "auto" is cluster if rules is above 0, otherwise grid. */
const sg_structure *sg_structure_find(const char *name, size_t rules);
const sg_center_method *sg_center_method_find(const char *name);
/* Return the name of structure or method i, or NULL after the last one. */
const char *sg_structure_name(size_t i);
const char *sg_center_method_name(size_t i);

/* Checks the options and adds the block that they describe to p->model. */
sg_status sg_structure_build(const sg_structure_config *c, const sg_source *s, sg_preprocessed *p);

/* Fails if training a model with this many rules on these rows needs too much memory. `formula` shows how the number of
 * rules is computed ("4^12"), or is "". */
sg_status sg_structure_check_size(bool needs_lse, const sg_source *s, const sg_model *m, const char *formula,
                                  double rules);
/* Fails if least squares for one rule with all inputs needs too much memory. `what` is the purpose in the message. */
sg_status sg_structure_check_lse(const sg_source *s, const sg_model *m, const char *what);
/* Adds one block to the model and allocates theta. rank: number of low-rank terms per rule. */
sg_status sg_structure_add_block(const sg_structure_config *c, sg_model *m, size_t mfs, size_t rules, size_t rank);

extern const sg_structure sg_structure_grid, sg_structure_cluster;
