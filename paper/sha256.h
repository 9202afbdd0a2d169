/* sha256.h: SHA-256 (FIPS 180-4), to name data files and results by what they hold. */
#ifndef PAPER_SHA256_H
#define PAPER_SHA256_H

#include "sugeno.h"

/* The digest of the whole file in lower-case hexadecimal; on failure hex is left as it was. */
sg_status sha256_file(const char *path, char hex[65]);
/* The digest of n bytes. */
void sha256_text(const char *bytes, size_t n, char hex[65]);

#endif
