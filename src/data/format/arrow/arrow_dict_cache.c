/* arrow_dict_cache.c: see arrow_dict_cache.h. */
#include "data/format/arrow/arrow_dict_cache.h"

#include "base/text.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

sg_status sg_arrow_put_string(sg_table_builder *s, size_t k, const char *text, size_t n, size_t line, double *row)
{
    while (n > 0 && is_blank(*text)) text++, n--;
    while (n > 0 && is_blank(text[n - 1])) n--;
    if (sg_number_parse(text, n, &row[k]) == SG_NUMBER_OK) return SG_OK;
    sg_field cell = {.text = text, .length = n, .line = line, .quoted = true};
    return sg_table_builder_put_text(s, k, &cell, row);
}

/* How the store counts one is what it counts each time. */
sg_status sg_arrow_dict_entry_set_string(sg_arrow_dict_entry *e, sg_table_builder *s, size_t k, const char *text,
                                         size_t n, size_t line, double *row)
{
    const sg_column_builder *t = &s->column[k];
    size_t missing = t->missing_count, words = t->non_number_count, texts = t->text_count, dates = t->date_count;
    sg_status st = sg_arrow_put_string(s, k, text, n, line, row);
    *e = (sg_arrow_dict_entry){.cell = row[k],
                               .known = st == SG_OK,
                               .is_missing = t->missing_count > missing,
                               .is_non_number = t->non_number_count > words,
                               .is_text = t->text_count > texts,
                               .is_date = t->date_count > dates};
    return st;
}
