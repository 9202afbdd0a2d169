/* cell.h: one dataset under one preprocessing with one algorithm, repeated: the unit that is saved,
 * found again after a stop, and reported. */
#ifndef PAPER_CELL_H
#define PAPER_CELL_H

#include "catalogue.h"

typedef enum preprocessing {
    OURS,    /* transforms are fitted on the training rows               */
    AUTHORS, /* on all rows, before the split, as in the authors' program */
    PREPROCESSINGS
} preprocessing;
extern const char *const preprocessing_names[PREPROCESSINGS];

typedef struct cell {
    dataset *data;
    const algorithm *algorithm;
    const experiment *experiment;
    preprocessing preprocessing;
    char *name;   /* "ours/wine-red.unique/mbgd-rda" */
    char key[65]; /* equal keys: equal numbers */
    size_t repeats, iterations, every, points;
    double *test, *train, *rate; /* (points, repeats): RMSE, RMSE, mean effective rate */
    double *seconds, *score;     /* (repeats): CPU time of training, of scoring the test rows */
    size_t diverged;             /* runs that stopped early; their last RMSE stands on */
    int finished;
} cell;

typedef struct plan {
    size_t cells;
    cell *cell;
    size_t left_out; /* cells whose dataset is not there */
} plan;

/* What limits the plan, for tests and quick looks; 0 and NULL: as the tables say. */
typedef struct limits {
    const char *experiments, *datasets, *algorithms, *preprocessing; /* words by spaces */
    size_t repeats, iterations;
} limits;

/* Every cell of the experiments, each once. Marks in wanted[dataset][variant] what has to be open.
 */
sg_status plan_make(const catalogue *c, const limits *l, plan *out, int (*wanted)[VARIANTS]);
/* Drops the cells whose dataset is not there, computes keys, takes what the folder has already. */
sg_status plan_resume(plan *p, const char *folder);
void plan_free(plan *p);
/* NULL where it was not run. */
const cell *plan_find(const plan *p, preprocessing pre, const char *data, variant v,
                      const char *by);

size_t cell_iteration(const cell *c, size_t point);
/* The table that the cell's rows come from. */
const sg_table *cell_table(const cell *c);
/* Writes curves/NAME.csv; the plan's list of what is finished is written by plan_note. */
sg_status cell_save(const cell *c, const char *folder);
sg_status plan_note(const plan *p, const char *folder);

#endif
