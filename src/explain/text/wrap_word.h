/* wrap_word.h: words in lines that are not too long. */
#ifndef SG_EXPLAIN_TEXT_WRAP_WORD_H
#define SG_EXPLAIN_TEXT_WRAP_WORD_H

#include "base/text.h"

/* Adds the word, after a line break where the line would get too long. start: where this line begins. */
void sg_wrap_word(sg_text *t, size_t *start, const char *word, const char *indent);

#endif
