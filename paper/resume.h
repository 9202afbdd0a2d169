/* resume.h: which cells are finished: the list that a run leaves for the next one. */
#ifndef PAPER_RESUME_H
#define PAPER_RESUME_H

#include "plan.h"

/* Drops the cells that can't be run, computes keys, takes what the folder has already. */
sg_status resume_plan(plan *p, const char *folder);
/* Writes FOLDER/finished.csv: the plan's finished cells, and those of before that it does not have.
 */
sg_status resume_note(const plan *p, const char *folder);

#endif
