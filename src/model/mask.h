/* mask.h: what is kept of a row during training. */
#ifndef SG_MODEL_MASK_H
#define SG_MODEL_MASK_H

#include "model/model.h"

/* What a drop technique decides about. */
typedef enum sg_things { SG_NOTHING, SG_RULES, SG_MFS, SG_MEMBERSHIPS } sg_things;

/* How many of them a block has. */
size_t sg_things_count(sg_things things, const sg_block *b);

/* Non-zero means kept, NULL that all is kept. */
typedef struct sg_mask {
    const unsigned char *rule;       /* (rules): DropRule                      */
    const unsigned char *mf;         /* (mfs): DropMF                          */
    const unsigned char *membership; /* (rules, inputs): DropMembership        */
} sg_mask;

/* From bits (thing i: bit i % 32 of word i / 32), spread out over bytes (sg_mask_room). */
size_t sg_mask_room(sg_things things, const sg_block *b);
sg_mask sg_mask_of(sg_things things, const sg_block *b, const uint32_t *bits, unsigned char *bytes);

#endif
