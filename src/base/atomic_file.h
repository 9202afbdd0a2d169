/* atomic_file.h: what the library alone does with the outputs of sugeno.h. */
#ifndef SG_BASE_ATOMIC_FILE_H
#define SG_BASE_ATOMIC_FILE_H

#include "base/status.h"

/* Writes n bytes that were written before once more, with others in their place. Fails where the target
 * is no file of ours: a stream or a device can't go back. */
sg_status sg_atomic_file_rewrite(sg_atomic_file *o, size_t at, const char *bytes, size_t n);

#endif
