/* csv_records.h: an input, record by record. */
#ifndef SG_DATA_CSV_RECORDS_H
#define SG_DATA_CSV_RECORDS_H

#include "data/csv_scan.h"
#include "data/input.h"

enum {
    SG_CSV_BLOCK = 1 << 18,
    SG_CSV_RECORD = 1 << 27 /* bytes: longer than any record of SG_CSV_COLUMNS numbers */
};

typedef struct sg_records sg_records;

/* Reads from `in` in blocks of `block` bytes. The input must outlive it. */
sg_status sg_records_new(sg_input *in, char delimiter, size_t block, sg_records **out);
void sg_records_free(sg_records *r);
/* The next record; *count 0 after the last. *fields are valid until the next call. */
sg_status sg_records_next(sg_records *r, const sg_field **fields, size_t *count);
/* The next record as sg_scan_row takes it, with the cells that are no numbers in *fields; false
 * where sg_records_next has to. Records have been of `width` fields so far. */
bool sg_records_row(sg_records *r, const bool *used, size_t width, double *row, const sg_field **fields, size_t *odd);
/* How much of the input has been taken, 0 to 1, as far as that is known. */
double sg_records_share(const sg_records *r);

#endif
