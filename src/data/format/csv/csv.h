/* csv.h: reads CSV files and other CSV input into tables. */
#pragma once

#include "data/ingest/byte_reader.h"
#include "data/read_options.h"

/* Reads one input. */
sg_status sg_csv_read(sg_byte_reader *in, const sg_read_options *options, sg_table **out);
/* Reads several files as one table. The first one determines the columns; if it has a header, the others must have the
 * same. */
sg_status sg_csv_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out);
