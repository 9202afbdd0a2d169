/* csv_sniff.h: what a CSV file does not say about itself, guessed from its first bytes. */
#ifndef SG_DATA_FORMAT_CSV_CSV_SNIFF_H
#define SG_DATA_FORMAT_CSV_CSV_SNIFF_H

#include "data/format/csv/csv_scanner.h"
#include "data/ingest/byte_reader.h"

/* Takes a UTF-8 byte order mark; fails for what is no CSV in UTF-8 at all. */
sg_status sg_csv_check_encoding(sg_byte_reader *in);
/* ',' ';' or tab. */
sg_status sg_csv_sniff_delimiter(sg_byte_reader *in, char *out);
/* Is the first record a header? second may be NULL: there is none. missing: see sg_read_options. */
bool sg_csv_sniff_header(const sg_field *first, const sg_field *second, size_t columns, const char *missing);

#endif
