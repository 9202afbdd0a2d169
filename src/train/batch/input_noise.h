/* input_noise.h: adds random noise to the inputs of training rows (--noise). */
#ifndef SG_TRAIN_BATCH_INPUT_NOISE_H
#define SG_TRAIN_BATCH_INPUT_NOISE_H

#include "predict/chunk_loader.h"
#include "prep/moments.h"

#include <stdint.h>

typedef struct sg_input_noise {
    uint64_t seed;
    double sigma;              /* in standard deviations; 0: no noise */
    const sg_moments *moments; /* of the view a                       */
} sg_input_noise;

/* Adds noise to the n loaded rows with these numbers. Conditions ignore missing inputs as before. */
void sg_input_noise_add(const sg_input_noise *noise, uint32_t iteration, const size_t *row, size_t n,
                        sg_chunk_loader *l);

#endif
