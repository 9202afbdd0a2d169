/* csv.h: reads CSV files and other CSV input into tables. */
#ifndef SG_DATA_FORMAT_CSV_CSV_H
#define SG_DATA_FORMAT_CSV_CSV_H

#include "data/ingest/byte_reader.h"
#include "data/read_options.h"

/* Reads several inputs as one table. The first one determines the columns; if it has a header, the others must have the
 * same. After a failure, the reader can only be freed. */
typedef struct sg_csv_reader sg_csv_reader;
/* The options must outlive the reader. */
sg_status sg_csv_reader_new(const sg_read_options *options, sg_csv_reader **out);
sg_status sg_csv_reader_add(sg_csv_reader *r, sg_byte_reader *in);
sg_status sg_csv_reader_finish(sg_csv_reader *r, sg_table **out);
void sg_csv_reader_free(sg_csv_reader *r);

/* Reads one input. */
sg_status sg_csv_read(sg_byte_reader *in, const sg_read_options *options, sg_table **out);
/* Reads files. */
sg_status sg_csv_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out);

#endif
