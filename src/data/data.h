/* data.h: data from files, for those who know what they want of them. */
#ifndef SG_DATA_DATA_H
#define SG_DATA_DATA_H

#include "base/status.h"

#include <stdbool.h>

/* As sg_data_open; a wanted column with words[i] is read as categories, whatever it looks like, any other as
 * numbers, where a word is an error that names file, line and column. words NULL: each is what most of its
 * cells are. weights: the weights that a file itself gives its rows are read, too. */
sg_status sg_data_open_kinds(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                             const bool *words, size_t wanted_count, bool weights, sg_data **out);

/* arrow.c: the same of an Arrow stream; see sg_data_open_arrow. */
sg_status sg_data_open_arrow_kinds(struct ArrowArrayStream *stream, const sg_source *beside, const sg_options *o,
                                   const char *const *wanted, const bool *words, size_t wanted_count, sg_data **out);
void sg_arrow_release(struct ArrowArrayStream *stream);

/* Takes the table over, also on failure. */
sg_status sg_data_of_table(sg_table *table, sg_data **out);

#endif
