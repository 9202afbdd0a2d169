/* noise.h: noise on the inputs of training rows, another one whenever a row is drawn. */
#ifndef SG_TRAIN_NOISE_H
#define SG_TRAIN_NOISE_H

#include "kernel/feed.h"
#include "prep/moments.h"

#include <stdint.h>

typedef struct sg_noise {
    uint64_t seed;
    double size;            /* in standard deviations; 0: none */
    const sg_moments *seen; /* of the view a                   */
} sg_noise;

/* On the n rows that were fed, whose numbers are `row`. What is missing stays as it is for conditions. */
void sg_noise_add(const sg_noise *noise, uint32_t iteration, const size_t *row, size_t n, sg_feed *f);

#endif
