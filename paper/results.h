/* results.h: the table of results that is checked in: cell -> test RMSE at a few iterations. */
#ifndef PAPER_RESULTS_H
#define PAPER_RESULTS_H

#include "plan.h"

/* FOLDER/results.csv. */
sg_status results_write(const plan *p, const char *folder);
/* Compares the plan's cells with that table, and says on standard output what differs and how much;
 * *code is 1 then. whole: rows of the table that the plan does not have are differences, too.
 * Datasets whose file is another one are not compared. */
sg_status results_check(const plan *p, const char *path, int whole, int *code);

#endif
