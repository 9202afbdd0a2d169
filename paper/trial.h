/* trial.h: one training of a cell: split, transform, train, score after each iteration. */
#ifndef PAPER_TRIAL_H
#define PAPER_TRIAL_H

#include "cell.h"

/* The options of the cell's algorithm, to be freed; with the iterations of the cell. */
sg_status trial_options(const cell *c, sg_options **out);
/* Whether the algorithm is support vector regression ("search", "default"), else NULL. */
const char *trial_svr(const algorithm *a);
/* Of the system that the cell's algorithm trains: parameters, and inputs that its rules see. */
sg_status trial_size(const cell *c, size_t *parameters, size_t *inputs);
/* What is done, in examples trained on and scored. */
size_t trial_cost(const cell *c);

/* Fills column `repeat` of the cell's arrays. tell is called with the cost of what was done since
 * the last call; where it returns non-zero the trial ends early, with *stopped 1. */
typedef int trial_tell(void *arg, size_t cost);
sg_status trial_run(cell *c, size_t repeat, trial_tell *tell, void *arg, int *stopped);

#endif
