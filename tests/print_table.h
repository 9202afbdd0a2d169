/* print_table.h: prints a table as one line of text, to compare what a reader returns. */
#pragma once

#include "base/text.h"
#include "test.h"

#include <stdbool.h>

/* Returns the table as "name,name|1,2|3,M|?,F" ("?" is a missing value), or the error message if st is not SG_OK. The
 * caller frees it. */
static inline char *table_text(sg_status st, const sg_table *t)
{
    sg_text text = {0};
    sg_source rows = st == SG_OK ? sg_table_source(t) : (sg_source){0};
    sg_text_append(&text, st == SG_OK ? "" : sg_errmsg());
    for (size_t j = 0; st == SG_OK && j < sg_table_columns(t); j++)
        sg_text_append_format(&text, "%s%s", j ? "," : "", sg_table_name(t, j));
    for (size_t i = 0; st == SG_OK && i < sg_table_rows(t); i++)
        for (size_t j = 0; j < sg_table_columns(t); j++) {
            double value = sg_table_values(t)[i * sg_table_columns(t) + j];
            bool words = rows.level && rows.level(rows.self, j, 0);
            sg_text_append(&text, j ? "," : "|");
            if (isnan(value)) sg_text_append(&text, "?");
            else if (words) sg_text_append(&text, rows.level(rows.self, j, (size_t)value));
            else sg_text_append_number(&text, value);
        }
    return text.bytes;
}
