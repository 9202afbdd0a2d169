/* byte_size.h: parses and formats memory sizes such as 1048576, 300k, 256MB and 2G. */
#pragma once

#include "base/text.h"

/* Parses a whole number of bytes, or any number followed by k, M, G or T (powers of 1024, in upper or lower case) and
 * an optional B. Rounds down to whole bytes. Returns false for any other text. */
bool sg_byte_size_parse(const char *text, size_t n, double *bytes);
/* Appends the size in the largest unit that divides it. */
void sg_text_append_byte_size(sg_text *t, double bytes);
