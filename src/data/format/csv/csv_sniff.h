/* csv_sniff.h: detects the encoding, delimiter and header of a CSV file from its first bytes. */
#pragma once

#include "data/format/csv/csv_scanner.h"
#include "data/ingest/byte_reader.h"

/* Skips a UTF-8 byte order mark. Fails if the first bytes are those of another encoding or a binary format. */
sg_status sg_csv_check_encoding(sg_byte_reader *in);
/* Sets *out to ',', ';' or a tab. */
sg_status sg_csv_sniff_delimiter(sg_byte_reader *in, char *out);
/* Reports whether the first record is a header. second: the second record, or NULL. missing: see sg_read_options. */
bool sg_csv_sniff_header(const sg_field *first, const sg_field *second, size_t columns, const char *missing);
