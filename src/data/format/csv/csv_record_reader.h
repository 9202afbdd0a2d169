/* csv_record_reader.h: an input, record by record. */
#ifndef SG_DATA_FORMAT_CSV_CSV_RECORD_READER_H
#define SG_DATA_FORMAT_CSV_CSV_RECORD_READER_H

#include "data/format/csv/csv_scanner.h"
#include "data/ingest/byte_reader.h"

enum {
    SG_READ_BLOCK_BYTES = 1 << 18,
    SG_CSV_RECORD_BYTES_MAX = 1 << 27 /* bytes: longer than any record of SG_COLUMNS_MAX numbers */
};

typedef struct sg_record_reader sg_record_reader;

/* Reads from `in` in blocks of `block` bytes. The input must outlive it. */
sg_status sg_record_reader_new(sg_byte_reader *in, char delimiter, size_t block, sg_record_reader **out);
void sg_record_reader_free(sg_record_reader *r);
/* The next record; *count 0 after the last. *fields are valid until the next call. */
sg_status sg_record_reader_next(sg_record_reader *r, const sg_field **fields, size_t *count);
/* The next record as sg_csv_scan_fast_row takes it, with the cells that are no numbers in *fields; false
 * where sg_record_reader_next has to. Records have been of `width` fields so far. */
bool sg_record_reader_next_fast_row(sg_record_reader *r, const bool *used, size_t width, double *row,
                                    const sg_field **fields, size_t *unparsed);
/* How much of the input has been taken, 0 to 1, as far as that is known. */
double sg_record_reader_progress(const sg_record_reader *r);

#endif
