/* checkpoint.h: a training on disk, to go on from.
 *
 * A head of text lines says whose it is: format, kind of machine, the model's shape and all facts of its
 * training record, which are what can change the numbers. Then the trainer's state, as it lies in memory, and
 * a checksum. It is of use to the same version on the same kind of machine only, and to nobody once the
 * training is over: unlike a model file it need not last. */
#ifndef SG_TRAIN_CHECKPOINT_H
#define SG_TRAIN_CHECKPOINT_H

#include "model/model.h"

/* A part of the state. */
typedef struct sg_checkpoint_part {
    void *bytes;
    size_t size;
} sg_checkpoint_part;

/* Appears whole or not at all. Needs no memory to speak of. */
sg_status sg_checkpoint_write(const char *path, const sg_model *m, const sg_checkpoint_part *part, size_t parts);
/* Fills the pieces in place: after a failure they hold anything. *found is false where there is no such file,
 * which is no failure. Other data, options or versions are refused with a sentence that says what differs.
 * The checksum finds what is damaged, but not what was forged: look at the numbers before you use them. */
sg_status sg_checkpoint_read(const char *path, const sg_model *m, const sg_checkpoint_part *part, size_t parts,
                             bool *found);
/* The same for all members of a team, NULL or not: member 0 reads the file, and shares what is in it. */
sg_status sg_checkpoint_read_bcast(const sg_comm *team, const char *path, const sg_model *m,
                                   const sg_checkpoint_part *part, size_t parts, bool *found);

#endif
