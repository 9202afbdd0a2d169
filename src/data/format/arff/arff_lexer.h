/* arff_lexer.h: the pieces that lines of ARFF files are made of. */
#ifndef SG_DATA_FORMAT_ARFF_ARFF_LEXER_H
#define SG_DATA_FORMAT_ARFF_ARFF_LEXER_H

#include "base/text.h"
#include "data/ingest/line_reader.h"

/* A name or a value. */
typedef struct sg_arff_token {
    const char *text; /* in the line, or in *plain */
    size_t length;
    bool quoted;
} sg_arff_token;

/* The next word: in quotes of either kind, where \ takes the sign behind it as it is, or up to one of `stops` or the
 * end of the line, without blanks around it. plain is for words with \ in them. */
sg_status sg_arff_next_token(sg_line *line, const char *stops, sg_text *plain, sg_arff_token *out);
/* Takes the sign, behind blanks, if it is the next one. */
bool sg_arff_accept(sg_line *line, char sign);
/* Fails, naming the place in the line. */
sg_status sg_arff_fail_expected(const sg_line *line, const char *start, const char *what);
/* Nothing but blanks and a comment is left. */
bool sg_arff_at_end(sg_line *line);

#endif
