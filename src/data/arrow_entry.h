/* arrow_entry.h: texts on their way to the store, and what became of those that come again and again. */
#ifndef SG_DATA_ARROW_ENTRY_H
#define SG_DATA_ARROW_ENTRY_H

#include "data/store.h"

/* A text is the k-th cell of a row, which is number `line`: what it would be in a CSV file. */
sg_status sg_arrow_put_text(sg_store *s, size_t k, const char *text, size_t n, size_t line, double *row);

/* An entry of a dictionary: its cell, and how it counts. Zeroed, it is not known yet. */
typedef struct sg_arrow_entry {
    double cell;
    bool known;
    unsigned char missing, words, texts, dates;
} sg_arrow_entry;

/* The first time, where nothing but a text is known of it. */
sg_status sg_arrow_entry_text(sg_arrow_entry *e, sg_store *s, size_t k, const char *text, size_t n, size_t line,
                              double *row);
/* A number, or NaN. */
static inline void sg_arrow_entry_number(sg_arrow_entry *e, double value)
{
    *e = (sg_arrow_entry){.cell = value, .known = true, .missing = value != value};
}
/* It is a cell of the k-th column. */
static inline void sg_arrow_entry_put(const sg_arrow_entry *e, sg_column_tally *t, double *cell)
{
    *cell = e->cell;
    t->missing += e->missing;
    t->words += e->words;
    t->texts += e->texts;
    t->dates += e->dates;
}

#endif
