/* rate_schedule.h: how the rate of steps changes in the course of a training. */
#ifndef SG_TRAIN_OPTIM_RATE_SCHEDULE_H
#define SG_TRAIN_OPTIM_RATE_SCHEDULE_H

#include "base/options.h"

typedef struct sg_rate_schedule {
    double iterations, warmup; /* how many there are, and in which of them the rate rises */
    bool cosine;
} sg_rate_schedule;

sg_rate_schedule sg_rate_schedule_from_options(const sg_options *o);
/* What the rate of iteration k, from 1 on, is multiplied by. */
double sg_rate_schedule_factor(const sg_rate_schedule *s, size_t k);

#endif
