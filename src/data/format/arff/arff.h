/* arff.h: reads ARFF files (Weka) and the similar .dat files of KEEL.
 *
 *     % a comment                               @relation abalone
 *     @attribute sex {M, F, I}                  @attribute 'whole weight' real [0, 3]
 *     @inputs sex, 'whole weight'               @outputs rings          (KEEL alone)
 *     @data
 *     M, 0.455, ?, {0.5}
 *
 * A row may be sparse, {0 F, 2 15}: omitted values are 0, or the first value of a nominal attribute. A row may end with
 * its weight in braces. */
#pragma once

#include "data/format/csv/csv.h"

/* Read a file (count must be 1); of the options, those about columns and missing values apply. If the first row has a
 * weight, the first column of the table is `weight` (1 for rows without one) and the weight column of its source. */
sg_status sg_arff_read(sg_byte_reader *in, const sg_read_options *options, sg_table **out);
sg_status sg_arff_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out);
