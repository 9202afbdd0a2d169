/* drop.c: DropRule, DropMF and DropMembership (sections II-D and III-G of the paper). */
#include "train/drop.h"

#include "base/random.h"

#include <string.h>

static const sg_drop_kind kinds[] = {
    {"none", SG_NOTHING},
    {"rule", SG_RULES},
    {"mf", SG_MFS},
    {"membership", SG_MEMBERSHIPS},
};

const char *sg_drop_name(size_t i)
{
    return i < sizeof kinds / sizeof *kinds ? kinds[i].name : NULL;
}

const sg_drop_kind *sg_drop_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

/* P in binary: `digits` digits from the last one that is 1 up to the first after the point. */
typedef struct rate {
    uint32_t p;
    size_t digits;
} rate;

static rate rate_of(double keep)
{
    rate r = {(uint32_t)(uint64_t)(keep * 0x1p32), 32};
    if (r.p == 0) return (rate){0, 0};
    for (; r.p % 2 == 0; r.digits--) r.p /= 2;
    return r;
}

/* Things are decided upon 32 at a time. */
static size_t groups(const sg_drop *d, const sg_block *b)
{
    return (sg_things_count(d->kind->things, b) + 31) / 32;
}

size_t sg_drop_words(const sg_drop *d, const sg_model *m)
{
    size_t most = 0;
    for (size_t b = 0; b < m->blocks; b++) {
        size_t words = groups(d, &m->block[b]);
        if (words > most) most = words;
    }
    return most;
}

/* The bits of a group's word that stand for things: the last group may have fewer than 32. */
static uint32_t in_use(size_t things, size_t group)
{
    size_t rest = things - 32 * group;
    return rest < 32 ? (UINT32_C(1) << rest) - 1 : UINT32_MAX;
}

/* The first of the row's random blocks that are this model block's. */
static uint32_t first_random(const sg_drop *d, const sg_model *m, size_t block, size_t digits)
{
    size_t before = 0;
    for (size_t i = 0; i < block; i++) before += (groups(d, &m->block[i]) * digits + 3) / 4;
    return (uint32_t)before;
}

/* One more digit of P for 32 things of each row: from the last digit to the first,
 * P(0.1d) = (1 + P(0.d)) / 2 and P(0.0d) = P(0.d) / 2. */
static void add_digit(bool one, const uint32_t *word, size_t n, uint32_t *kept)
{
    if (one)
        for (size_t i = 0; i < n; i++) kept[i] |= word[i];
    else
        for (size_t i = 0; i < n; i++) kept[i] &= word[i];
}

bool sg_drop_bits(const sg_drop *d, const sg_model *m, size_t block, uint32_t iteration,
                  const size_t *rows, size_t n, uint32_t *bits)
{
    const sg_block *b = &m->block[block];
    if (d->keep >= 1 || groups(d, b) == 0) return false;
    const rate r = rate_of(d->keep);
    const size_t words = sg_drop_words(d, m), things = sg_things_count(d->kind->things, b);
    const uint32_t first = first_random(d, m, block, r.digits);
    uint32_t random[4 * SG_DROP_ROWS];
    memset(bits, 0, n * words * sizeof *bits);
    for (size_t g = 0, at = 0; g < groups(d, b); g++) {
        uint32_t kept[SG_DROP_ROWS] = {0}, used = in_use(things, g);
        for (size_t k = 0; k < r.digits; k++, at++) {
            if (at % 4 == 0)
                sg_random_rows(d->seed, SG_RANDOM_DROP, iteration, rows, n,
                               first + (uint32_t)(at / 4), random);
            add_digit(r.p >> k & 1, random + at % 4 * n, n, kept);
        }
        for (size_t i = 0; i < n; i++) bits[i * words + g] = kept[i] & used;
    }
    return true;
}
