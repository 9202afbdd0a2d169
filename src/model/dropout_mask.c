/* dropout_mask.c: unpacks bit masks of kept rules, MFs or memberships. */
#include "model/dropout_mask.h"

size_t sg_drop_target_count(sg_drop_target target, const sg_block *b)
{
    switch (target) {
    case SG_DROP_RULES:
        return b->rules;
    case SG_DROP_MFS:
        return b->mfs;
    case SG_DROP_MEMBERSHIPS:
        return b->rules * b->inputs;
    default:
        return 0;
    }
}

size_t sg_keep_mask_size(sg_drop_target target, const sg_block *b)
{
    return (sg_drop_target_count(target, b) + 31) / 32 * 32;
}

sg_dropout_mask sg_keep_mask_unpack(sg_drop_target target, const sg_block *b, const uint32_t *bits,
                                    unsigned char *bytes)
{
    size_t words = sg_keep_mask_size(target, b) / 32;
    for (size_t w = 0; w < words; w++)
        for (size_t i = 0; i < 32; i++) bytes[32 * w + i] = bits[w] >> i & 1;
    return (sg_dropout_mask){.rule = target == SG_DROP_RULES ? bytes : NULL,
                             .mf = target == SG_DROP_MFS ? bytes : NULL,
                             .membership = target == SG_DROP_MEMBERSHIPS ? bytes : NULL};
}
