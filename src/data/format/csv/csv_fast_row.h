/* csv_fast_row.h: one row of numbers, straight from the bytes. */
#ifndef SG_DATA_FORMAT_CSV_CSV_FAST_ROW_H
#define SG_DATA_FORMAT_CSV_CSV_FAST_ROW_H

#include "data/format/csv/csv_scanner.h"

/* The next record, if it has `width` fields and its end is at hand: takes it and says true. The
 * numbers of columns with used[] go to row, one behind the other; for any other cell of theirs NaN,
 * and the cell to s->fields by its place in the file: *odd counts them. Otherwise false, and
 * nothing is taken: sg_csv_scan_record finds out what is there. A record of `width` fields must have
 * been scanned before: that made room for the cells. */
bool sg_csv_scan_fast_row(sg_csv_scanner *s, const bool *used, size_t width, double *row, size_t *unparsed);

#endif
