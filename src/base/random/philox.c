/* philox.c: Philox4x32-10 for many counters at once, in portable C. */
#include "base/random/philox.h"

#include <string.h>

enum { LANES = 16 };

/* word[k][i] is word k of counter i. */
typedef struct lanes {
    uint32_t word[4][LANES];
} lanes;

/* Returns the counters of n <= LANES rows. Unused lanes repeat the first row. */
static lanes load_counters(const sg_philox_prefix *s, const size_t *rows, size_t n)
{
    lanes x;
    for (size_t i = 0; i < LANES; i++) {
        uint64_t row = rows[i < n ? i : 0];
        x.word[0][i] = s->counter[0];
        x.word[1][i] = s->counter[1];
        x.word[2][i] = (uint32_t)row;
        x.word[3][i] = (uint32_t)(row >> 32);
    }
    return x;
}

static lanes run_rounds(lanes c, uint32_t k0, uint32_t k1)
{
    for (int round = 0; round < SG_PHILOX_ROUNDS; round++) {
        for (int i = 0; i < LANES; i++) {
            uint64_t a = (uint64_t)SG_PHILOX_MULTIPLIER_0 * c.word[0][i];
            uint64_t b = (uint64_t)SG_PHILOX_MULTIPLIER_1 * c.word[2][i];
            c.word[0][i] = (uint32_t)(b >> 32) ^ c.word[1][i] ^ k0;
            c.word[1][i] = (uint32_t)b;
            c.word[2][i] = (uint32_t)(a >> 32) ^ c.word[3][i] ^ k1;
            c.word[3][i] = (uint32_t)a;
        }
        k0 += SG_PHILOX_WEYL_0;
        k1 += SG_PHILOX_WEYL_1;
    }
    return c;
}

void sg_philox_portable(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words)
{
    for (size_t i = 0; i < n; i += LANES) {
        size_t lanes_used = n - i < LANES ? n - i : LANES;
        lanes x = run_rounds(load_counters(s, rows + i, lanes_used), s->key[0], s->key[1]);
        for (size_t k = 0; k < count; k++) memcpy(words + k * n + i, x.word[k], lanes_used * sizeof *words);
    }
}

void sg_philox_rows(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words)
{
    if (!sg_philox_avx2(s, rows, n, count, words)) sg_philox_portable(s, rows, n, count, words);
}
