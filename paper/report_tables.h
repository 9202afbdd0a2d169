/* report_tables.h: the tables of the report. Each is put into the document under its own name. */
#ifndef PAPER_REPORT_TABLES_H
#define PAPER_REPORT_TABLES_H

#include "claims.h"
#include "document.h"

sg_status table_datasets(document *d, const sight *s);
sg_status table_parameters(document *d, const sight *s, const char *algorithms);
/* One row for each dataset of the last algorithm, one column an algorithm: test RMSE, mean ±
 * standard deviation over the splits; at BEST with the iteration, at FINAL with the paper's figure
 * in brackets where it is known. */
sg_status table_rmse(document *d, const char *name, const sight *s, variant v, const char *algorithms, when w);
/* Training RMSE at the end. */
sg_status table_train(document *d, const char *name, const sight *s, const char *algorithms);
/* CPU seconds of a run; with the scoring of the test rows the paper's in brackets. */
sg_status table_seconds(document *d, const char *name, const sight *s, const char *algorithms, int scoring);
/* Test RMSE at a few iterations, under both preprocessings, beside the paper's. */
sg_status table_course(document *d, const char *name, const sight s[PREPROCESSINGS], const char *data, const char *by);
sg_status table_sensitivity(document *d, const sight s[PREPROCESSINGS]);
/* The claims, or (ablations != 0) those with one thing changed. */
sg_status table_claims(document *d, const char *name, int ablations, const catalogue *c, const plan *p);

#endif
