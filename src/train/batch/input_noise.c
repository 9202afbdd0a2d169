/* input_noise.c: approximately normal noise, a pure function of seed, iteration and row. */
#include "train/batch/input_noise.h"

#include "base/random/random.h"

/* The standardised sum of the four bytes of a word: nearly normal, and the same on all machines. */
static double approx_normal(uint32_t word)
{
    const double deviation = 147.80110509998635; /* sqrt(4 (256^2 - 1) / 12) */
    uint32_t sum = (word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24);
    return ((double)sum - 510) / deviation;
}

static void add_to_column(double *column, const uint32_t *word, size_t n, double size)
{
    for (size_t i = 0; i < n; i++) column[i] += size * approx_normal(word[i]);
    for (size_t i = n; i < (n + 7) / 8 * 8; i++) column[i] = column[n - 1];
}

void sg_input_noise_add(const sg_input_noise *noise, uint32_t iteration, const size_t *row, size_t n,
                        sg_chunk_loader *l)
{
    const sg_model *m = l->model;
    uint32_t words[4 * SG_CHUNK];
    size_t terms = sg_model_terms(m), widest = m->a.out > terms ? m->a.out : terms;
    for (size_t k = 0; k < widest; k++) {
        if (k % 4 == 0) sg_random_rows(noise->seed, SG_RANDOM_NOISE, iteration, row, n, (uint32_t)(k / 4), 4, words);
        const uint32_t *word = words + k % 4 * n;
        if (k < m->a.out)
            add_to_column(l->a + k * SG_PITCH, word, n, noise->sigma * sg_moments_stddev(noise->moments, k));
        if (!m->shared_pipeline && k < terms) add_to_column(l->z + k * SG_PITCH, word, n, noise->sigma);
    }
}
