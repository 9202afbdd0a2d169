/* rules_words.h: pieces of the rule base in words. */
#ifndef SG_EXPLAIN_RULES_WORDS_H
#define SG_EXPLAIN_RULES_WORDS_H

#include "base/text.h"
#include "explain/units.h"

/* "  IF   a is low and b is high\n", on as many lines as it takes: what rule r asks for. */
void sg_conditions_words(sg_text *t, const sg_units *u, const sg_block *b, size_t r);

#endif
