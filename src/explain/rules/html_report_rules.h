/* html_report_rules.h: the rules as text for the HTML report, worded as in `sugeno rules`. */
#pragma once

#include "base/text.h"
#include "model/model.h"

/* Appends a JSON object with two members. "rules": [[index among all rules, [condition, ...], [sentence per target,
 * without the leading "On these rows", ...]], ...], in order of decreasing coverage, until they take about max_bytes.
 * "terms": [[MF, label, location], ...] for a model of one block if its labels identify MFs, else empty. */
sg_status sg_report_rules_json(const sg_model *m, size_t max_bytes, sg_text *t);
