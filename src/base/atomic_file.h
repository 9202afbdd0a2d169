/* atomic_file.h: the part of the sg_atomic_file API that is internal to the library. */
#ifndef SG_BASE_ATOMIC_FILE_H
#define SG_BASE_ATOMIC_FILE_H

#include "base/status.h"

/* Overwrites n bytes at offset `at`, which must already have been written. Fails if the target is a stream or a device.
 */
sg_status sg_atomic_file_rewrite(sg_atomic_file *o, size_t at, const char *bytes, size_t n);

#endif
