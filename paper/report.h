/* report.h: the figures, tables and claims of a finished plan. */
#ifndef PAPER_REPORT_H
#define PAPER_REPORT_H

#include "plan.h"

/* figures/, tables/, RESULTS.md and index.html in the folder. *drawn is 0 where there is no
 * gnuplot. */
sg_status report_write(const catalogue *c, const plan *p, const char *folder, int *drawn);
/* Copies what is checked in: RESULTS.md, results.csv and the figures it shows. */
sg_status report_publish(const char *folder, const char *to);

#endif
