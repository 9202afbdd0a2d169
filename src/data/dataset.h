/* dataset.h: data from files, for those who know what they want of them. */
#ifndef SG_DATA_DATASET_H
#define SG_DATA_DATASET_H

#include "base/status.h"

#include <stdbool.h>

/* As sg_dataset_open; a wanted column with words[i] is read as categories, whatever it looks like, any other as
 * numbers, where a word is an error that names file, line and column. words NULL: each is what most of its
 * cells are. weights: the weights that a file itself gives its rows are read, too. */
sg_status sg_dataset_open_typed(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                                const bool *categorical, size_t wanted_count, bool weights, sg_dataset **out);

/* arrow_read.c: the same of an Arrow stream; see sg_dataset_open_arrow. */
sg_status sg_dataset_open_arrow_typed(struct ArrowArrayStream *stream, const sg_source *extra, const sg_options *o,
                                      const char *const *wanted, const bool *categorical, size_t wanted_count,
                                      sg_dataset **out);
void sg_arrow_stream_release(struct ArrowArrayStream *stream);

/* Takes the table over, also on failure. */
sg_status sg_dataset_from_table(sg_table *table, sg_dataset **out);

#endif
