/* arrow_entry.c: see arrow_entry.h. */
#include "data/arrow_entry.h"

#include "base/text.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

sg_status sg_arrow_put_text(sg_store *s, size_t k, const char *text, size_t n, size_t line, double *row)
{
    while (n > 0 && is_blank(*text)) text++, n--;
    while (n > 0 && is_blank(text[n - 1])) n--;
    if (sg_number_parse(text, n, &row[k]) == SG_NUMBER_OK) return SG_OK;
    sg_field cell = {.text = text, .length = n, .line = line, .quoted = true};
    return sg_store_odd(s, k, &cell, row);
}

/* How the store counts one is what it counts each time. */
sg_status sg_arrow_entry_text(sg_arrow_entry *e, sg_store *s, size_t k, const char *text, size_t n, size_t line,
                              double *row)
{
    const sg_column_tally *t = &s->tally[k];
    size_t missing = t->missing, words = t->words, texts = t->texts, dates = t->dates;
    sg_status st = sg_arrow_put_text(s, k, text, n, line, row);
    *e = (sg_arrow_entry){.cell = row[k],
                          .known = st == SG_OK,
                          .missing = t->missing > missing,
                          .words = t->words > words,
                          .texts = t->texts > texts,
                          .dates = t->dates > dates};
    return st;
}
