/* arff.h: ARFF files and KEEL's .dat, which are almost the same.
 *
 *     % a comment                               @relation abalone
 *     @attribute sex {M, F, I}                  @attribute 'whole weight' real [0, 3]
 *     @inputs sex, 'whole weight'               @outputs rings          (KEEL alone)
 *     @data
 *     M, 0.455, ?, {0.5}
 *
 * A row may be sparse, {0 F, 2 15}, where what is not there is 0, or the first value of a nominal attribute; and
 * it may end with its weight in braces. */
#ifndef SG_DATA_FORMAT_ARFF_ARFF_H
#define SG_DATA_FORMAT_ARFF_ARFF_H

#include "data/format/csv/csv.h"

/* Of `how` counts what it says about columns and missing values. Where the first row has a weight, the table
 * begins with a column `weight`, 1 where a row has none, which is that of its source's weights. */
sg_status sg_arff_read(sg_byte_reader *in, const sg_read_options *options, sg_table **out);
sg_status sg_arff_read_file(const char *path, const sg_read_options *options, sg_table **out);

/* All rows of a source: words are nominal attributes, with all their levels. */
sg_status sg_arff_save(const sg_source *rows, const char *path);
/* The same for KEEL: the last column of numbers is the output. */
sg_status sg_keel_save(const sg_source *rows, const char *path);

#endif
