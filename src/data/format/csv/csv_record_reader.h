/* csv_record_reader.h: reads CSV input record by record. */
#pragma once

#include "data/format/csv/csv_scanner.h"
#include "data/ingest/byte_reader.h"

typedef struct sg_record_reader sg_record_reader;

/* block: bytes to read at a time, or 0 for the default. The input must outlive the reader. */
sg_status sg_record_reader_new(sg_byte_reader *in, char delimiter, size_t block, sg_record_reader **out);
void sg_record_reader_free(sg_record_reader *r);
/* Gets the fields of the next record, which are valid until the next call. *count is 0 after the last record. */
sg_status sg_record_reader_next(sg_record_reader *r, const sg_field **fields, size_t *count);
/* Parses the next record with sg_csv_scan_fast_row; *fields holds the cells that are not numbers. Returns false if the
 * record must be read by sg_record_reader_next. At least one record of `width` fields must have been read before. */
bool sg_record_reader_next_fast_row(sg_record_reader *r, const bool *used, size_t width, double *row,
                                    const sg_field **fields, size_t *unparsed);
/* Returns the fraction of the input that has been read, from 0 to 1. It is an estimate if the size is unknown. */
double sg_record_reader_progress(const sg_record_reader *r);
