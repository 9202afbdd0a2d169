/* arrow_column.h: reads one column of an Arrow stream, batch by batch, into a table builder. */
#pragma once

#include "data/format/arrow/arrow_array_view.h"
#include "data/ingest/table_builder.h"

/* The cached cell of a dictionary entry, and flags for the counters that it increments. Zeroed until it is decoded. */
typedef struct sg_arrow_dict_entry {
    double cell;
    bool known;
    unsigned char is_missing, is_non_number, is_text, is_date;
} sg_arrow_dict_entry;

typedef struct sg_arrow_column {
    const char *name;
    size_t child;                 /* index in the stream's schema; extra columns follow those of the stream */
    sg_arrow_format format;       /* format of the values, or of the dictionary indices                     */
    sg_arrow_format value_format; /* format of the dictionary; its type is NULL if there is no dictionary   */
    /* These belong to the current batch: */
    sg_arrow_array_view view, dictionary;
    sg_arrow_dict_entry *entry; /* (dictionary.length) */
} sg_arrow_column;

/* Sets *c for the child of the stream with this index and schema. The caller sets c->name. */
void sg_arrow_column_init(sg_arrow_column *c, const struct ArrowSchema *schema, size_t child);
/* Returns the class of the values, after dictionary decoding. */
sg_arrow_class sg_arrow_column_class(const sg_arrow_column *c);

/* Opens the array that holds the column in a batch. Its values [first, first + rows) are the rows of the batch. */
sg_status sg_arrow_column_open(sg_arrow_column *c, const struct ArrowArray *a, size_t first, size_t rows);
void sg_arrow_column_close(sg_arrow_column *c);
/* Converts values [first, first + n) and stores them in column k of `rows`, the next n rows of the builder. */
sg_status sg_arrow_column_fill(sg_arrow_column *c, sg_table_builder *s, size_t k, size_t first, size_t n, double *rows);

/* Cell k of each of the n rows must hold a number: marks the cell as missing if it is NaN or its value in v is null,
 * and fails if it is infinite. Row 0 belongs to value `first` of v. v is NULL if there are no nulls. */
sg_status sg_arrow_apply_nulls(sg_table_builder *s, size_t k, const sg_arrow_array_view *v, size_t first, size_t n,
                               double *rows);
/* Decodes a string that occurs for the first time, in row number `line`. Stores it in row[k] and in the entry. */
sg_status sg_arrow_dict_entry_set_string(sg_arrow_dict_entry *e, sg_table_builder *s, size_t k, const char *text,
                                         size_t n, size_t line, double *row);
/* Stores a known entry in a cell of column t, and increments the counters of the column. */
void sg_arrow_dict_entry_put(const sg_arrow_dict_entry *e, sg_column_builder *t, double *cell);
