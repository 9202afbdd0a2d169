/* column_roles.h: the roles of columns: inputs, targets and the row weight. */
#pragma once

#include "base/options.h"
#include "data/source/source_util.h"

#define SG_NO_COLUMN ((size_t)-1)

typedef struct sg_column_roles {
    size_t inputs, targets;
    size_t *input, *target; /* one allocation, which `input` points to */
    size_t weight;          /* or SG_NO_COLUMN */
} sg_column_roles;

/* Assigns roles by the options `targets`, `ignore`, `group` and `weights`. Without the option `weights`, the source's
 * own weight column is used, if it has one. Targets and weights must be numeric; inputs may be categorical. */
sg_status sg_column_roles_from_options(const sg_options *o, const sg_source *s, sg_column_roles *out);
/* Assigns roles by name. targets may be NULL if target_count is 0. If weights is NULL or "" and there are targets, the
 * source's own weight column is used, unless it is an input. */
sg_status sg_column_roles_by_name(const sg_source *s, char *const *inputs, size_t input_count, char *const *targets,
                                  size_t target_count, const char *weights, sg_column_roles *out);
/* Finds the column that the option `group` names, or SG_NO_COLUMN if the option is not set. */
sg_status sg_group_column(const sg_options *o, const sg_source *s, size_t *out);
sg_status sg_column_roles_copy(const sg_column_roles *c, sg_column_roles *out);
void sg_column_roles_release(sg_column_roles *c);

/* Returns whether a column is categorical: it has levels, or the option `categorical` names it. */
bool sg_column_is_category(const sg_options *o, const sg_source *s, size_t column);
