/* dropout.c: DropRule, DropMF and DropMembership (sections II-D and III-G of the paper). */
#include "train/batch/dropout.h"

#include "base/random/random.h"

#include <string.h>

static const sg_dropout_kind kinds[] = {
    {"none", SG_DROP_NOTHING},
    {"rule", SG_DROP_RULES},
    {"mf", SG_DROP_MFS},
    {"membership", SG_DROP_MEMBERSHIPS},
};

const char *sg_dropout_name(size_t i) { return i < sizeof kinds / sizeof *kinds ? kinds[i].name : NULL; }

const sg_dropout_kind *sg_dropout_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

/* P in binary: the digits after the point, up to the last 1. */
typedef struct keep_prob_bits {
    uint32_t p;
    size_t digits;
} keep_prob_bits;

static keep_prob_bits keep_prob_bits_of(double keep)
{
    uint32_t p = (uint32_t)(uint64_t)(keep * 0x1p32);
    if (p == 0) return (keep_prob_bits){0, 0};
    size_t zeros = (size_t)__builtin_ctz(p);
    return (keep_prob_bits){p >> zeros, 32 - zeros};
}

/* Returns the number of words in a mask, each of which covers 32 items. */
static size_t word_count(const sg_dropout *d, const sg_block *b)
{
    return (sg_drop_target_count(d->kind->target, b) + 31) / 32;
}

size_t sg_dropout_words(const sg_dropout *d, const sg_model *m)
{
    size_t most = 0;
    for (size_t b = 0; b < m->blocks; b++) {
        size_t words = word_count(d, &m->block[b]);
        if (words > most) most = words;
    }
    return most;
}

/* Returns a mask of the bits that are used in word `group`: the last word may have fewer than 32 items. */
static uint32_t used_bits(size_t items, size_t group)
{
    size_t rest = items - 32 * group;
    return rest < 32 ? (UINT32_C(1) << rest) - 1 : UINT32_MAX;
}

/* Returns the number of a row's first random block for this block of the model. */
static uint32_t first_random_block(const sg_dropout *d, const sg_model *m, size_t block, size_t digits)
{
    size_t before = 0;
    for (size_t i = 0; i < block; i++) before += (word_count(d, &m->block[i]) * digits + 3) / 4;
    return (uint32_t)before;
}

/* Applies one more digit of P to 32 items of each row. Digits are applied from the last to the first:
 * P(0.1d) = (1 + P(0.d)) / 2 and P(0.0d) = P(0.d) / 2. The last digit is always 1. */
static void apply_probability_digit(keep_prob_bits r, size_t k, const uint32_t *word, size_t n, uint32_t *kept)
{
    if (k == 0) memcpy(kept, word, n * sizeof *kept);
    else if (r.p >> k & 1)
        for (size_t i = 0; i < n; i++) kept[i] |= word[i];
    else
        for (size_t i = 0; i < n; i++) kept[i] &= word[i];
}

/* The random words of some rows. */
typedef struct random_source {
    const sg_dropout *d;
    uint32_t iteration, first;
    const size_t *rows;
    size_t n;
} random_source;

/* Draws words [at, at + count), but at most four, of each row. `at` must be a multiple of 4. */
static void draw_words(const random_source *o, size_t at, size_t count, uint32_t *words)
{
    sg_random_rows(o->d->seed, SG_RANDOM_DROP, o->iteration, o->rows, o->n, o->first + (uint32_t)(at / 4),
                   count < 4 ? count : 4, words);
}

/* Draws masks for any P and any number of items. */
static void draw_groups(const random_source *o, keep_prob_bits r, size_t items, size_t words, uint32_t *bits)
{
    const size_t n = o->n, total = (items + 31) / 32 * r.digits;
    uint32_t random[4 * SG_DROPOUT_ROWS], kept[SG_DROPOUT_ROWS];
    for (size_t g = 0, at = 0; at < total; g++) {
        uint32_t used = used_bits(items, g);
        for (size_t k = 0; k < r.digits; k++, at++) {
            if (at % 4 == 0) draw_words(o, at, total - at, random);
            apply_probability_digit(r, k, random + at % 4 * n, n, kept);
        }
        for (size_t i = 0; i < n; i++) bits[i * words + g] = kept[i] & used;
    }
}

/* Draws masks for P = 1/2 and at most 32 items, as in the paper: the random words are the masks. */
static void draw_single_word(const random_source *o, size_t items, uint32_t *bits)
{
    const uint32_t used = used_bits(items, 0);
    draw_words(o, 0, 1, bits);
    if (used != UINT32_MAX)
        for (size_t i = 0; i < o->n; i++) bits[i] &= used;
}

bool sg_dropout_draw(const sg_dropout *d, const sg_model *m, size_t block, uint32_t iteration, const size_t *rows,
                     size_t n, uint32_t *bits)
{
    const size_t items = sg_drop_target_count(d->kind->target, &m->block[block]);
    if (d->keep_prob >= 1 || items == 0) return false;
    const keep_prob_bits r = keep_prob_bits_of(d->keep_prob);
    const size_t words = sg_dropout_words(d, m);
    const random_source o = {d, iteration, first_random_block(d, m, block, r.digits), rows, n};
    if (words == 1 && r.digits == 1) {
        draw_single_word(&o, items, bits);
        return true;
    }
    memset(bits, 0, n * words * sizeof *bits);
    draw_groups(&o, r, items, words, bits);
    return true;
}
