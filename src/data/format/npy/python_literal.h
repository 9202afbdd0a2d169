/* python_literal.h: the little of Python's literals that the header of a .npy file is written in. */
#ifndef SG_DATA_FORMAT_NPY_PYTHON_LITERAL_H
#define SG_DATA_FORMAT_NPY_PYTHON_LITERAL_H

#include "base/status.h"
#include "base/text.h"

typedef struct sg_py_literal {
    const char *file; /* for messages */
    const char *start, *at, *end;
} sg_py_literal;

/* Each skips blanks first, and says where in the header it expected something else. */
sg_status sg_py_literal_fail(const sg_py_literal *l, const char *what);
/* Takes the sign if it is the next one. */
bool sg_py_literal_accept(sg_py_literal *l, char sign);
sg_status sg_py_literal_expect(sg_py_literal *l, char sign);
/* A string in quotes of either kind; what it means is appended to out as UTF-8. */
sg_status sg_py_literal_string(sg_py_literal *l, sg_text *out);
sg_status sg_py_literal_integer(sg_py_literal *l, size_t *out);
sg_status sg_py_literal_bool(sg_py_literal *l, bool *out);
sg_status sg_py_literal_expect_end(sg_py_literal *l);

/* One character as UTF-8: how many bytes, 0 for what is none. */
size_t sg_utf8_encode(uint32_t code, char to[4]);
/* And back: the character at text, which is one, and its bytes. */
uint32_t sg_utf8_decode(const char *text, size_t length, size_t *bytes);
/* Appends it; false for what is none. */
bool sg_utf8_append(sg_text *out, uint32_t code);

#endif
