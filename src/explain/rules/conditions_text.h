/* conditions_text.h: what a rule asks for, in words. */
#ifndef SG_EXPLAIN_RULES_CONDITIONS_TEXT_H
#define SG_EXPLAIN_RULES_CONDITIONS_TEXT_H

#include "explain/rules/original_units.h"
#include "explain/text/text_writer.h"

/* "  IF   heat is low and load is about 3 +- 1"; conditions that do not matter are left out. numbers: also where MFs
 * have a label that is explained in a table of terms. */
void sg_conditions_text(sg_text_writer *p, const sg_original_units *u, const sg_block *b, size_t r, bool numbers);
/* How many conditions on numbers of a block there are; *left_out: of these, which do not matter. */
size_t sg_conditions_count(const sg_original_units *u, const sg_block *b, size_t *left_out);
/* The table of terms of a block whose rules share MFs; nothing of others. */
void sg_mf_table_text(sg_text_writer *p, const sg_original_units *u, const sg_block *b);
/* Whether there is one. */
bool sg_mf_table_exists(const sg_original_units *u, const sg_block *b);
/* A label for a condition on an input of numbers, or NULL. */
const char *sg_condition_label(const sg_original_units *u, const sg_block *b, size_t mf);

#endif
