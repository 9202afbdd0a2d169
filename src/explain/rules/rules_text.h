/* rules_text.h: writes the parts of the description of rules. */
#pragma once

#include "explain/global/rule_centroid_pd.h"
#include "explain/rules/original_units.h"
#include "explain/text/text_writer.h"

/* Writes "  IF   heat is low and load is about 3 +- 1", without conditions that do not matter. With `numbers`, each
 * label from the table of MFs is followed by the location and width of the MF. */
void sg_conditions_text(sg_text_writer *p, const sg_original_units *u, const sg_block *b, size_t r, bool numbers);
/* Returns the number of conditions on numeric inputs in a block. Sets *omitted to how many of them do not matter. */
size_t sg_conditions_count(const sg_original_units *u, const sg_block *b, size_t *omitted);
/* Writes the table of labelled MFs of a block if there are any and their labels identify them. */
void sg_mf_table_text(sg_text_writer *p, const sg_original_units *u, const sg_block *b);
/* Returns whether sg_mf_table_text writes a table. */
bool sg_mf_table_exists(const sg_original_units *u, const sg_block *b);
/* Returns the label of a condition on a numeric input, or NULL. */
const char *sg_condition_label(const sg_original_units *u, const sg_block *b, size_t mf);
/* Returns whether the centre of any MF is outside the range of its input in the training rows. */
bool sg_centres_outside_data(const sg_original_units *u, const sg_block *b);
/* Appends the whole description of the rules as JSON. */
sg_status sg_rules_json(sg_text *t, const sg_original_units *u, sg_centroid_pd *f);
