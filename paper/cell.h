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

size_t cell_iteration(const cell *c, size_t point);
/* The table that the cell's rows come from; NULL where there is none. */
const sg_table *cell_table(const cell *c);
void cell_release(cell *c);

/* FOLDER/curves/NAME.csv: iteration, means and spreads, then every run. */
sg_status cell_save(const cell *c, const char *folder);
/* Whether the file was there and fits the cell's shape. */
int cell_load(cell *c, const char *folder);

#endif
