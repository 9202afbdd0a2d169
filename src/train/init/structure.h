/* structure.h: builds the initial rule base. A structure (grid, cluster, linear) is one row of a table. */
#pragma once

#include "train/fit/preprocess.h"
#include "train/init/clusters.h"

typedef struct sg_structure_config sg_structure_config;

typedef struct sg_structure {
    const char *name;
    /* Adds the block to the model and allocates theta: MFs are initialised, consequents are 0. */
    sg_status (*build)(const sg_structure_config *c, const sg_source *s, sg_preprocessed *p);
    bool has_low_rank; /* supports low-rank terms (--low-rank) */
} sg_structure;

/* How the cluster structure finds the centres of its rules. */
typedef struct sg_center_method {
    const char *name;
    sg_status (*find_clusters)(sg_clusters *c, uint64_t seed);
    bool with_targets; /* targets count in distances */
} sg_center_method;

/* The structure of that name. "auto" is cluster if the number of rules is given, else grid. */
const sg_structure *sg_structure_find(const char *name, size_t rules);
const sg_center_method *sg_center_method_find(const char *name);
/* The name of structure or method i; NULL after the last. */
const char *sg_structure_name(size_t i);
const char *sg_center_method_name(size_t i);

/* Checks the options and adds the block that they describe to p->model. */
sg_status sg_structure_build(const sg_structure_config *c, const sg_source *s, sg_preprocessed *p);

/* Fails if training this many rules on these rows needs too much memory. `formula` says how the number came about
 * ("4^12"), or is "". */
sg_status sg_structure_check_size(bool needs_lse, const sg_source *s, const sg_model *m, const char *formula,
                                  double rules);
/* Fails if least squares on all inputs, with one set of coefficients, need too much memory. `what` needs them. */
sg_status sg_structure_check_lse(const sg_source *s, const sg_model *m, const char *what);
/* Adds one block to the model and allocates theta. rank: low-rank terms of a rule. */
sg_status sg_structure_add_block(const sg_structure_config *c, sg_model *m, size_t mfs, size_t rules, size_t rank);

extern const sg_structure sg_structure_grid, sg_structure_cluster;
