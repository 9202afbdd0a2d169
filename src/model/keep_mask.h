/* keep_mask.h: masks of DropRule, DropMF and DropMembership. */
#pragma once

#include "model/model.h"

/* What a drop technique drops. */
typedef enum sg_drop_target { SG_DROP_NOTHING, SG_DROP_RULES, SG_DROP_MFS, SG_DROP_MEMBERSHIPS } sg_drop_target;

/* Returns the number of such items in a block. */
size_t sg_drop_target_count(sg_drop_target target, const sg_block *b);

/* Non-zero: kept. NULL: all are kept. */
typedef struct sg_keep_mask {
    const unsigned char *rule;       /* (rules): DropRule                      */
    const unsigned char *mf;         /* (mfs): DropMF                          */
    const unsigned char *membership; /* (rules, inputs): DropMembership        */
} sg_keep_mask;

/* Unpacks bits (item i is bit i % 32 of word i / 32) into bytes[sg_keep_mask_size]. */
size_t sg_keep_mask_size(sg_drop_target target, const sg_block *b);
sg_keep_mask sg_keep_mask_unpack(sg_drop_target target, const sg_block *b, const uint32_t *bits, unsigned char *bytes);
