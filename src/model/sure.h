/* sure.h: what a model knows of how sure it is: how far it is off rows that it was not trained on, and how its rules
 * fire where they were trained. Either may be unknown. */
#ifndef SG_MODEL_SURE_H
#define SG_MODEL_SURE_H

#include "base/status.h"

#include <stdbool.h>

/* Sizes of an output's errors that are kept, however many there were. */
enum { SG_ERRORS_MOST = 512 };

/* Some of the errors of an output by their rank among all: the rank-th smallest is `size`. Both rise; the last rank is
 * that of the largest. */
typedef struct sg_errors {
    size_t points;
    double *rank, *size; /* one allocation, at rank */
} sg_errors;

typedef struct sg_sure {
    size_t rows; /* whose errors they are; of rows that weigh unlike the number of alike ones that say as much */
    size_t outputs;
    sg_errors *errors; /* (outputs), or NULL: nobody knows */
    size_t seen;       /* rows whose firing was looked at; 0: nobody looked */
    double firing;     /* next to none of them has a smaller one: see cover.h */
} sg_sure;

void sg_sure_release(sg_sure *s);
bool sg_sure_copy(const sg_sure *s, sg_sure *out);
/* Without their errors. */
void sg_sure_forget(sg_sure *s);
/* Room for `points` of one output. False without memory. */
bool sg_errors_init(sg_errors *e, size_t points);

/* Errors of rows: each has the absolute ones of `outputs` outputs, then its weight; those whose weight is not above 0
 * do not count. SG_EDATA where none does. What s knew of errors before is forgotten. */
sg_status sg_sure_fit(sg_sure *s, const double *row, size_t rows, size_t outputs);

#endif
