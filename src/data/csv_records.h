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

#endif
