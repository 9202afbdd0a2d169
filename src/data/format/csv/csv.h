/* csv.h: reads CSV files and other CSV inputs into tables. */
#pragma once

#include "data/ingest/byte_reader.h"
#include "data/read_options.h"

/* Reads one input as a table. */
sg_status sg_csv_read(sg_byte_reader *in, const sg_read_options *options, sg_table **out);
/* Reads several files as one table. The first file determines the columns. If it has a header, all other files must
 * have the same one. */
sg_status sg_csv_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out);
