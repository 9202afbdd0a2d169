/* python_literal.h: a parser for the Python literals in .npy headers: strings, integers and booleans. */
#pragma once

#include "base/status.h"
#include "base/text.h"

typedef struct sg_py_literal {
    const char *file; /* for messages */
    const char *start, *at, *end;
} sg_py_literal;

/* Fails with "expected <what>" and the position in the header. The parsers below first skip blanks. */
sg_status sg_py_literal_fail(const sg_py_literal *l, const char *what);
/* Consumes `sign` if it is next. Reports whether it was next. */
bool sg_py_literal_accept(sg_py_literal *l, char sign);
sg_status sg_py_literal_expect(sg_py_literal *l, char sign);
/* Parses a string in single or double quotes and appends it to out as UTF-8. */
sg_status sg_py_literal_string(sg_py_literal *l, sg_text *out);
sg_status sg_py_literal_integer(sg_py_literal *l, size_t *out);
sg_status sg_py_literal_bool(sg_py_literal *l, bool *out);
sg_status sg_py_literal_expect_end(sg_py_literal *l);

/* Encodes a code point as UTF-8. Returns the number of bytes, or 0 if the code point is invalid. */
size_t sg_utf8_encode(uint32_t code, char to[4]);
/* Returns the first code point of text, which must be valid UTF-8, and sets *bytes to its length. */
uint32_t sg_utf8_decode(const char *text, size_t length, size_t *bytes);
/* Appends a code point as UTF-8. Returns false if it is invalid. */
bool sg_utf8_append(sg_text *out, uint32_t code);
