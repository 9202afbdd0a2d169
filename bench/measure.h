/* measure.h: the races that a full run holds. Each adds to the results. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "cases.h"

/* Step, gradient, prediction and single rows of one case, by all kernels of this machine. */
void measure_case(const bench_case *c);
/* Prediction against the number of rows in one call, and threads where they pay. */
void measure_rows(void);
void measure_threads(void);

/* CSV files of long and short numbers in a folder; reading them. */
void csv_write(const char *folder);
void measure_csv(const char *folder);

/* The paper's protocol on Protein: 500 iterations, each followed by the RMSE of the test rows. data
 * names the folder with protein.csv; NULL, or a folder without it: generated rows of the same size.
 */
void protocol_open(const char *data);
/* The rows as the rules see them, for peers. */
void protocol_write(const char *folder);
void measure_protocol(void);
void protocol_close(void);

/* What peers need of a case to do the same work, and to check that they do: raw doubles in
 * FOLDER/CASE/. */
void share_case(const bench_case *c, const char *folder);
/* One file of it. */
void share(const char *folder, const char *name, const double *values, size_t n);

#endif
