/* csv_layout.h: what a CSV file does not say about itself, guessed from its first bytes. */
#ifndef SG_DATA_CSV_LAYOUT_H
#define SG_DATA_CSV_LAYOUT_H

#include "data/csv_scan.h"
#include "data/input.h"

/* Takes a UTF-8 byte order mark; fails for what is no CSV in UTF-8 at all. */
sg_status sg_csv_encoding(sg_input *in);
/* ',' ';' or tab. */
sg_status sg_csv_delimiter(sg_input *in, char *out);
/* Is the first record a header? second may be NULL: there is none. missing: see sg_csv_how. */
bool sg_csv_header(const sg_field *first, const sg_field *second, size_t columns, const char *missing);

#endif
