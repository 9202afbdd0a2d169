/* conditions.h: what a rule asks for, in words. */
#ifndef SG_EXPLAIN_CONDITIONS_H
#define SG_EXPLAIN_CONDITIONS_H

#include "explain/pen.h"
#include "explain/units.h"

/* "  IF   heat is low and load is about 3 +- 1"; conditions that do not matter are left out. numbers: also where MFs
 * have a label that is explained in a table of terms. */
void sg_conditions_words(sg_pen *p, const sg_units *u, const sg_block *b, size_t r, bool numbers);
/* How many conditions on numbers of a block there are; *left_out: of these, which do not matter. */
size_t sg_conditions_count(const sg_units *u, const sg_block *b, size_t *left_out);
/* The table of terms of a block whose rules share MFs; nothing of others. */
void sg_terms_words(sg_pen *p, const sg_units *u, const sg_block *b);
/* Whether there is one. */
bool sg_terms_any(const sg_units *u, const sg_block *b);
/* A label for a condition on an input of numbers, or NULL. */
const char *sg_condition_label(const sg_units *u, const sg_block *b, size_t mf);

#endif
