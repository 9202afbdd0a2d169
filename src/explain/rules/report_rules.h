/* report_rules.h: the words of rules for a page that shows them: those of sugeno rules, so that they stand in one
 * place. */
#ifndef SG_EXPLAIN_RULES_REPORT_RULES_H
#define SG_EXPLAIN_RULES_REPORT_RULES_H

#include "base/text.h"
#include "model/model.h"

/* A JSON object:
 * "rules": [[number among all rules from 0, [a condition, ...], [a sentence of where each target goes there, without
 * its first word, "There", ...]], ...], those that govern most first, as many as there is room for (bytes); "terms":
 * [[MF, its label, where it is], ...] of a model of one block whose rules share MFs that have labels. */
sg_status sg_report_rules_json(const sg_model *m, size_t room, sg_text *t);

#endif
