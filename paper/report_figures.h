/* report_figures.h: the paper's figures, drawn from the plan into FOLDER/figures. */
#ifndef PAPER_REPORT_FIGURES_H
#define PAPER_REPORT_FIGURES_H

#include "claims.h"

/* *drawn is 0 where there is no gnuplot. Figures without any dataset are left out. */
sg_status figures_draw(const catalogue *c, const plan *p, const char *folder, int *drawn);

#endif
