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

const char *sg_drop_name(size_t i) { return i < sizeof kinds / sizeof *kinds ? kinds[i].name : NULL; }

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
    uint32_t p = (uint32_t)(uint64_t)(keep * 0x1p32);
    if (p == 0) return (rate){0, 0};
    size_t zeros = (size_t)__builtin_ctz(p);
    return (rate){p >> zeros, 32 - zeros};
}

/* Things are decided upon 32 at a time. */
static size_t groups(const sg_drop *d, const sg_block *b) { return (sg_things_count(d->kind->things, b) + 31) / 32; }

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
 * P(0.1d) = (1 + P(0.d)) / 2 and P(0.0d) = P(0.d) / 2. The last digit is always a 1. */
static void add_digit(rate r, size_t k, const uint32_t *word, size_t n, uint32_t *kept)
{
    if (k == 0) memcpy(kept, word, n * sizeof *kept);
    else if (r.p >> k & 1)
        for (size_t i = 0; i < n; i++) kept[i] |= word[i];
    else
        for (size_t i = 0; i < n; i++) kept[i] &= word[i];
}

/* Where random words of some rows come from. */
typedef struct origin {
    const sg_drop *d;
    uint32_t iteration, first;
    const size_t *rows;
    size_t n;
} origin;

/* Words [at, at + count) of each row; at is a multiple of 4. */
static void draw(const origin *o, size_t at, size_t count, uint32_t *words)
{
    sg_random_rows(o->d->seed, SG_RANDOM_DROP, o->iteration, o->rows, o->n, o->first + (uint32_t)(at / 4),
                   count < 4 ? count : 4, words);
}

/* Any number of digits and groups. */
static void draw_groups(const origin *o, rate r, size_t things, size_t words, uint32_t *bits)
{
    const size_t n = o->n, in_all = (things + 31) / 32 * r.digits;
    uint32_t random[4 * SG_DROP_ROWS], kept[SG_DROP_ROWS];
    for (size_t g = 0, at = 0; at < in_all; g++) {
        uint32_t used = in_use(things, g);
        for (size_t k = 0; k < r.digits; k++, at++) {
            if (at % 4 == 0) draw(o, at, in_all - at, random);
            add_digit(r, k, random + at % 4 * n, n, kept);
        }
        for (size_t i = 0; i < n; i++) bits[i * words + g] = kept[i] & used;
    }
}

/* P = 1/2 and at most 32 things, as in the paper: the random words are the bits. */
static void draw_one(const origin *o, size_t things, uint32_t *bits)
{
    const uint32_t used = in_use(things, 0);
    draw(o, 0, 1, bits);
    if (used != UINT32_MAX)
        for (size_t i = 0; i < o->n; i++) bits[i] &= used;
}

bool sg_drop_bits(const sg_drop *d, const sg_model *m, size_t block, uint32_t iteration, const size_t *rows, size_t n,
                  uint32_t *bits)
{
    const size_t things = sg_things_count(d->kind->things, &m->block[block]);
    if (d->keep >= 1 || things == 0) return false;
    const rate r = rate_of(d->keep);
    const size_t words = sg_drop_words(d, m);
    const origin o = {d, iteration, first_random(d, m, block, r.digits), rows, n};
    if (words == 1 && r.digits == 1) {
        draw_one(&o, things, bits);
        return true;
    }
    memset(bits, 0, n * words * sizeof *bits);
    draw_groups(&o, r, things, words, bits);
    return true;
}
