/* summary.h: what the repeats of a cell say together, and whether two cells differ. */
#ifndef PAPER_SUMMARY_H
#define PAPER_SUMMARY_H

#include "cell.h"

typedef enum when {
    BEST, /* where the mean test curve is lowest */
    FINAL /* after the last iteration            */
} when;

typedef struct stat {
    double mean, sd; /* over the repeats */
} stat;

double mean(const double *x, size_t n);
stat cell_test(const cell *c, size_t point);
stat cell_train(const cell *c, size_t point);
double cell_rate(const cell *c, size_t point);
/* CPU seconds of a run: training, and scoring the test rows. */
stat cell_time(const cell *c, int scoring);

size_t cell_point_of(const cell *c, size_t iteration);
size_t cell_point_when(const cell *c, when w);
stat cell_when(const cell *c, when w);
/* The first iteration whose mean test RMSE is at most this; 0 where there is none. */
size_t cell_reaches(const cell *c, double rmse);

/* Paired over the repeats, which share their splits: how a's test RMSE differs from b's. */
typedef struct difference {
    double mean; /* of a - b */
    double half; /* of the 95 % interval of that mean */
    int sign;    /* of mean */
    int clear;   /* the interval leaves 0 out: the difference is beyond the spread */
} difference;
difference compare(const cell *a, const cell *b, when w);
/* The same for any figure of n runs each. */
difference compare_runs(const double *a, const double *b, size_t n);

#endif
