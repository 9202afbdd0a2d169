/* arrow_dict_cache.h: texts on their way to the store, and what became of those that come again and again. */
#ifndef SG_DATA_FORMAT_ARROW_ARROW_DICT_CACHE_H
#define SG_DATA_FORMAT_ARROW_ARROW_DICT_CACHE_H

#include "data/ingest/table_builder.h"

/* A text is the k-th cell of a row, which is number `line`: what it would be in a CSV file. */
sg_status sg_arrow_put_string(sg_table_builder *s, size_t k, const char *text, size_t n, size_t line, double *row);

/* An entry of a dictionary: its cell, and how it counts. Zeroed, it is not known yet. */
typedef struct sg_arrow_dict_entry {
    double cell;
    bool known;
    unsigned char is_missing, is_non_number, is_text, is_date;
} sg_arrow_dict_entry;

/* The first time, where nothing but a text is known of it. */
sg_status sg_arrow_dict_entry_set_string(sg_arrow_dict_entry *e, sg_table_builder *s, size_t k, const char *text,
                                         size_t n, size_t line, double *row);
/* A number, or NaN. */
static inline void sg_arrow_dict_entry_set_number(sg_arrow_dict_entry *e, double value)
{
    *e = (sg_arrow_dict_entry){.cell = value, .known = true, .is_missing = value != value};
}
/* It is a cell of the k-th column. */
static inline void sg_arrow_dict_entry_put(const sg_arrow_dict_entry *e, sg_column_builder *t, double *cell)
{
    *cell = e->cell;
    t->missing_count += e->is_missing;
    t->non_number_count += e->is_non_number;
    t->text_count += e->is_text;
    t->date_count += e->is_date;
}

#endif
