/* byte_size.h: amounts of memory as people write them: 1048576, 300k, 256MB, 2G. */
#ifndef SG_BASE_BYTE_SIZE_H
#define SG_BASE_BYTE_SIZE_H

#include "base/text.h"

/* A whole number of bytes, or any number with k, M, G or T (each 1,024 of the one before, in either case, with a
 * B behind it or not), rounded down to bytes. False for anything else. */
bool sg_byte_size_parse(const char *text, size_t n, double *bytes);
/* The other way round: with the largest unit of which it is a whole number. */
void sg_text_append_byte_size(sg_text *t, double bytes);

#endif
