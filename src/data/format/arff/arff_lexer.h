/* arff_lexer.h: the tokens of ARFF files. */
#ifndef SG_DATA_FORMAT_ARFF_ARFF_LEXER_H
#define SG_DATA_FORMAT_ARFF_ARFF_LEXER_H

#include "base/text.h"
#include "data/ingest/line_reader.h"

/* A name or a value. */
typedef struct sg_arff_token {
    const char *text; /* points into the line or into *unescaped */
    size_t length;
    bool quoted;
} sg_arff_token;

/* Gets the next token: quoted, with \ as escape character, or up to one of `stops` or the end of the line, trimmed.
 * unescaped stores tokens with escapes. */
sg_status sg_arff_next_token(sg_line *line, const char *stops, sg_text *unescaped, sg_arff_token *out);
/* Skips blanks, and consumes the character if it is next. */
bool sg_arff_accept(sg_line *line, char c);
/* Fails with the position in the line, which begins at start. */
sg_status sg_arff_fail_expected(const sg_line *line, const char *start, const char *what);
/* Reports whether only blanks and a comment are left. */
bool sg_arff_at_end(sg_line *line);

#endif
