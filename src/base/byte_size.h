/* byte_size.h: memory sizes as text: 1048576, 300k, 256MB, 2G. */
#pragma once

#include "base/text.h"

/* Parses an integer number of bytes, or any number followed by k, M, G or T (powers of 1024, in either case, with an
 * optional B), rounded down to whole bytes. Returns false for any other text. */
bool sg_byte_size_parse(const char *text, size_t n, double *bytes);
/* Appends the size with the largest unit that divides it. */
void sg_text_append_byte_size(sg_text *t, double bytes);
