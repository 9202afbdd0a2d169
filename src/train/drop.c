/* drop.c: DropRule, DropMF and DropMembership (sections II-D and III-G of the paper). */
#include "train/drop.h"

#include "base/random.h"

#include <string.h>

static size_t no_bits(const sg_block *b)
{
    (void)b;
    return 0;
}
static size_t a_rule(const sg_block *b) { return b->rules; }
static size_t an_mf(const sg_block *b) { return b->mfs; }
static size_t a_membership(const sg_block *b) { return b->rules * b->inputs; }

static void attach_none(sg_mask *m, const unsigned char *keep)
{
    (void)m;
    (void)keep;
}
static void attach_rule(sg_mask *m, const unsigned char *keep) { m->rule = keep; }
static void attach_mf(sg_mask *m, const unsigned char *keep) { m->mf = keep; }
static void attach_membership(sg_mask *m, const unsigned char *keep) { m->membership = keep; }

static const sg_drop_kind kinds[] = {
    {"none", no_bits, attach_none},
    {"rule", a_rule, attach_rule},
    {"mf", an_mf, attach_mf},
    {"membership", a_membership, attach_membership},
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

size_t sg_drop_room(const sg_drop *d, const sg_model *m)
{
    size_t most = 0;
    for (size_t b = 0; b < m->blocks; b++) {
        size_t bits = d->kind->bits(&m->block[b]);
        if (bits > most) most = bits;
    }
    return most;
}

sg_mask sg_drop_draw(const sg_drop *d, const sg_model *m, size_t b, uint32_t iteration,
                     uint64_t row, unsigned char *bits)
{
    sg_mask mask = {0};
    size_t n = d->kind->bits(&m->block[b]), before = 0;
    if (n == 0 || d->keep >= 1) return mask;
    for (size_t i = 0; i < b; i++) before += (d->kind->bits(&m->block[i]) + 3) / 4;
    uint64_t threshold = (uint64_t)(d->keep * 0x1p32);
    for (size_t i = 0; i < n; i += 4) {
        sg_words four =
            sg_random(d->seed, SG_RANDOM_DROP, iteration, row, (uint32_t)(before + i / 4));
        for (size_t k = 0; k < 4 && i + k < n; k++) bits[i + k] = four.word[k] < threshold;
    }
    d->kind->attach(&mask, bits);
    return mask;
}
