/* html_report_rules.h: the rules as text for the HTML report, worded as in `sugeno rules`. */
#pragma once

#include "base/text.h"
#include "model/model.h"

/* Appends a JSON object. "rules": [[index among all rules, [condition, ...], [sentence per target, without its first
 * word,
 * ...]], ...], in order of decreasing coverage, about max_bytes of them. "terms": [[MF, label, location], ...] for a
 * model of one block whose rules share labelled MFs. */
sg_status sg_report_rules_json(const sg_model *m, size_t max_bytes, sg_text *t);
