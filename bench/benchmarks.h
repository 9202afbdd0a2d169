/* benchmarks.h: the benchmarks of a full run. Each adds its times to the results. */
#pragma once

#include "benchmark_cases.h"

/* Steps, gradients, predictions and single rows of one case, by all kernels of this machine. */
void measure_case(const bench_case *c);
/* Prediction by the number of rows in one call; prediction and cross-validation by the number of threads. */
void measure_rows(void);
void measure_threads(void);

/* Writes CSV files with long and short numbers to a folder; times reading them. */
void csv_write(const char *folder);
void measure_csv(const char *folder);

/* The paper's protocol on Protein: 500 iterations, each followed by the RMSE of the test rows. `data`: the folder with
 * protein.csv; if it is NULL or has no such file, rows of the same size are generated. */
void protocol_open(const char *data);
/* Writes the preprocessed rows for peers. */
void protocol_write(const char *folder);
void measure_protocol(void);
void protocol_close(void);

/* Writes what peers need to do the same work as a case, and to check their results: raw doubles in FOLDER/CASE/. */
void peer_files_write_case(const bench_case *c, const char *folder);
/* Writes FOLDER/NAME.f64. */
void peer_file_write(const char *folder, const char *name, const double *values, size_t n);
