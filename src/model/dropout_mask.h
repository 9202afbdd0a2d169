/* dropout_mask.h: the masks of DropRule, DropMF and DropMembership. */
#pragma once

#include "model/model.h"

/* What a drop technique drops. */
typedef enum sg_drop_target { SG_DROP_NOTHING, SG_DROP_RULES, SG_DROP_MFS, SG_DROP_MEMBERSHIPS } sg_drop_target;

/* Returns the number of items in a block that the technique may drop. */
size_t sg_drop_target_count(sg_drop_target target, const sg_block *b);

/* An item is kept if its byte is non-zero. All items are kept if the pointer is NULL. */
typedef struct sg_dropout_mask {
    const unsigned char *rule;       /* (rules): DropRule                      */
    const unsigned char *mf;         /* (mfs): DropMF                          */
    const unsigned char *membership; /* (rules, inputs): DropMembership        */
} sg_dropout_mask;

/* Return the size of an unpacked mask, and unpack bits (item i is bit i % 32 of word i / 32) into that many bytes. */
size_t sg_keep_mask_size(sg_drop_target target, const sg_block *b);
sg_dropout_mask sg_keep_mask_unpack(sg_drop_target target, const sg_block *b, const uint32_t *bits,
                                    unsigned char *bytes);
