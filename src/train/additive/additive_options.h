/* additive_options.h: reads the options of additive models that name columns. */
#pragma once

#include "train/additive/additive_structure.h"

/* Reads directions such as "cement:+,water:-" into monotone (curves of fine): 1, -1 or 0. */
sg_status sg_additive_parse_monotone(const sg_additive_config *c, const sg_source *rows, const sg_model *m,
                                     const sg_additive *fine, int *monotone);
/* Reads a number of pairs, or pairs such as "a:b,c:d", into the fields of s. The caller frees s->forced. */
sg_status sg_additive_parse_pairs(const sg_additive_config *c, const sg_source *rows, const sg_model *m,
                                  sg_structure_search *s);
