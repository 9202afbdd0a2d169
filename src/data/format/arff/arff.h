/* arff.h: reads ARFF files (Weka) and the similar .dat files of KEEL.
 *
 *     % a comment                               @relation abalone
 *     @attribute sex {M, F, I}                  @attribute 'whole weight' real [0, 3]
 *     @inputs sex, 'whole weight'               @outputs rings          (KEEL only)
 *     @data
 *     M, 0.455, ?, {0.5}
 *
 * A row may be sparse: {0 F, 2 15}. The values that it omits are 0, or the first value of a nominal attribute. A row
 * may end with its weight in braces. */
#pragma once

#include "data/format/csv/csv.h"

/* Read one file; count must be 1. The options `header` and `delimiter` are ignored. If the first row has a weight, the
 * first column is named `weight`, holds 1 for rows without a weight, and is the weight column of the table's source. */
sg_status sg_arff_read(sg_byte_reader *in, const sg_read_options *options, sg_table **out);
sg_status sg_arff_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out);
