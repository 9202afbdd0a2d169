/* mask.c: see mask.h. */
#include "model/mask.h"

size_t sg_things_count(sg_things things, const sg_block *b)
{
    switch (things) {
    case SG_RULES: return b->rules;
    case SG_MFS: return b->mfs;
    case SG_MEMBERSHIPS: return b->rules * b->inputs;
    default: return 0;
    }
}

sg_mask sg_mask_of(sg_things things, const sg_block *b, const uint32_t *bits, unsigned char *bytes)
{
    size_t n = sg_things_count(things, b);
    for (size_t i = 0; i < n; i++) bytes[i] = bits[i / 32] >> i % 32 & 1;
    return (sg_mask){.rule = things == SG_RULES ? bytes : NULL,
                     .mf = things == SG_MFS ? bytes : NULL,
                     .membership = things == SG_MEMBERSHIPS ? bytes : NULL};
}
