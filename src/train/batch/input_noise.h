/* input_noise.h: noise on the inputs of training rows, another one whenever a row is drawn. */
#ifndef SG_TRAIN_BATCH_INPUT_NOISE_H
#define SG_TRAIN_BATCH_INPUT_NOISE_H

#include "predict/chunk_loader.h"
#include "prep/moments.h"

#include <stdint.h>

typedef struct sg_input_noise {
    uint64_t seed;
    double sigma;              /* in standard deviations; 0: none */
    const sg_moments *moments; /* of the view a                   */
} sg_input_noise;

/* On the n rows that were fed, whose numbers are `row`. What is missing stays as it is for conditions. */
void sg_input_noise_add(const sg_input_noise *noise, uint32_t iteration, const size_t *row, size_t n,
                        sg_chunk_loader *f);

#endif
