/* output.h: what the library alone does with the outputs of sugeno.h. */
#ifndef SG_BASE_OUTPUT_H
#define SG_BASE_OUTPUT_H

#include "base/status.h"

/* Writes n bytes that were written before once more, with others in their place. Fails where the target
 * is no file of ours: a stream or a device can't go back. */
sg_status sg_output_rewrite(sg_output *o, size_t at, const char *bytes, size_t n);

#endif
