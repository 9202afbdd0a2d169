/* dataset_open.h: rows from one or more files of any format, opened by this process or by several ranks. */
#pragma once

#include "data/distributed/shard_source.h"
#include "data/format/npy/npy_source.h"
#include "data/read_options.h"
#include "data/source/concat_source.h"

/* Like sg_dataset_open, with column types. Column wanted[i] is read as categories if categorical[i], otherwise as
 * numbers; text in place of a number is an error that names the file, line and column. If categorical is NULL, types
 * are inferred. If `weights` is set, the row weights that a file contains are read too. */
sg_status sg_dataset_open_typed(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                                const bool *categorical, size_t wanted_count, bool weights, sg_dataset **out);

/* arrow_read.c: like sg_dataset_open_typed, for an Arrow stream; see sg_dataset_open_arrow. */
sg_status sg_dataset_open_arrow_typed(struct ArrowArrayStream *stream, const sg_source *extra, const sg_options *o,
                                      const char *const *wanted, const bool *categorical, size_t wanted_count,
                                      sg_dataset **out);
void sg_arrow_stream_release(struct ArrowArrayStream *stream);

/* Makes a dataset from a table. Takes ownership of the table, even on failure. */
sg_status sg_dataset_from_table(sg_table *table, sg_dataset **out);

/* --- for shard_open.c --- */

/* Consecutive files that are read into one table, or one .npy file that is read in place. */
typedef struct sg_dataset_part {
    sg_table *table;
    sg_npy *npy;
    sg_source source;
} sg_dataset_part;

struct sg_dataset {
    sg_dataset_part *part;
    size_t parts;
    sg_concat *concat; /* NULL if there is only one part */
    sg_shard *shard;   /* NULL if rows are not distributed */
};

typedef struct sg_dataset_files {
    const char *const *paths;
    size_t count;
    size_t memory; /* bytes that the rows may use */
    sg_read_options options;
} sg_dataset_files;

/* Opens the files in this process. */
sg_status sg_dataset_open_local(const sg_dataset_files *files, sg_dataset **out);
/* Returns a source of the rows of all parts in this process. */
sg_source sg_dataset_local_source(const sg_dataset *d);
/* Return whether all files are CSV, and whether all are in formats that are read in place. */
bool sg_dataset_files_are_csv(const sg_dataset_files *files);
bool sg_dataset_files_are_in_place(const sg_dataset_files *files);
