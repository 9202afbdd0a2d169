/* schedule.h: how the rate of steps changes in the course of a training. */
#ifndef SG_TRAIN_SCHEDULE_H
#define SG_TRAIN_SCHEDULE_H

#include "base/options.h"

typedef struct sg_schedule {
    double iterations, warm; /* how many there are, and in which of them the rate rises */
    bool cosine;
} sg_schedule;

sg_schedule sg_schedule_of(const sg_options *o);
/* What the rate of iteration k, from 1 on, is multiplied by. */
double sg_schedule_factor(const sg_schedule *s, size_t k);

#endif
