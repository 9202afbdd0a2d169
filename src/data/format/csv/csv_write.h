/* csv_write.h: rows as a CSV file. */
#ifndef SG_DATA_FORMAT_CSV_CSV_WRITE_H
#define SG_DATA_FORMAT_CSV_CSV_WRITE_H

#include "base/status.h"

/* A header and a line for each row; numbers are the shortest that read back the same,
 * words stand in quotes where they must. */
sg_status sg_csv_save(const sg_source *rows, const char *path);

#endif
