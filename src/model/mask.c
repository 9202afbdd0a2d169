/* mask.c: see mask.h. */
#include "model/mask.h"

size_t sg_things_count(sg_things things, const sg_block *b)
{
    switch (things) {
    case SG_RULES:
        return b->rules;
    case SG_MFS:
        return b->mfs;
    case SG_MEMBERSHIPS:
        return b->rules * b->inputs;
    default:
        return 0;
    }
}

size_t sg_mask_room(sg_things things, const sg_block *b) { return (sg_things_count(things, b) + 31) / 32 * 32; }

sg_mask sg_mask_of(sg_things things, const sg_block *b, const uint32_t *bits, unsigned char *bytes)
{
    size_t words = sg_mask_room(things, b) / 32;
    for (size_t w = 0; w < words; w++)
        for (size_t i = 0; i < 32; i++) bytes[32 * w + i] = bits[w] >> i & 1;
    return (sg_mask){.rule = things == SG_RULES ? bytes : NULL,
                     .mf = things == SG_MFS ? bytes : NULL,
                     .membership = things == SG_MEMBERSHIPS ? bytes : NULL};
}
