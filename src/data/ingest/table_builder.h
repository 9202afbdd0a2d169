/* table_builder.h: rows while they are read, whatever the format of their file.
 *
 * Whether a column holds numbers or words shows at the end only. So a cell is kept as what it is: a number, a
 * plain NaN where it is missing, or a word as a NaN with the word's code in it (sg_nanbox_pack). Rows are appended and
 * never changed; what is made of a cell, once all is known, is said by sg_table_builder_map_row alone. Rows that take
 * more memory than they may go to a file. */
#ifndef SG_DATA_INGEST_TABLE_BUILDER_H
#define SG_DATA_INGEST_TABLE_BUILDER_H

#include "data/ingest/cell_classify.h"
#include "data/ingest/column_select.h"
#include "data/ingest/spill_file.h"
#include "data/string_table.h"

#include <string.h>

/* What became of a column. */
typedef enum sg_column_type {
    SG_COLUMN_NUMERIC,
    SG_COLUMN_CATEGORICAL,
    SG_COLUMN_EMPTY, /* this one and all that follow are left out */
    SG_COLUMN_DATE,
    SG_COLUMN_IDENTIFIER,
    SG_COLUMN_UNUSED
} sg_column_type;

/* A cell that makes a sentence necessary, if its column turns out to be of the other kind. */
typedef struct sg_cell_location {
    char *excerpt; /* its text; NULL: there is none */
    char *file;
    size_t line;
    size_t order; /* among all that were noted */
} sg_cell_location;

/* A column that is read: what it held so far. */
typedef struct sg_column_builder {
    size_t missing_count;
    size_t text_count;          /* words that are no numbers in any spelling ...     */
    size_t non_number_count;    /* ... and those together with all other odd cells  */
    size_t date_count;          /* words that look like one                         */
    sg_string_table levels;     /* the words                                        */
    unsigned char *level_flags; /* (is_room) what a level counts as, see table_builder.c    */
    size_t level_flags_capacity;
    bool overflowed;               /* there were too many of them: none is kept        */
    sg_cell_class first_bad_class; /* what the first odd cell is, and where it stands  */
    sg_cell_location first_bad;
    sg_cell_location first_non_utf8; /* the first word that is not UTF-8               */
    sg_column_type type;             /* once it is judged                                */
} sg_column_builder;

/* What a column is judged by. */
typedef struct sg_type_evidence {
    uint64_t rows, missing_count, text_count, non_number_count, date_count;
    uint64_t level_count; /* different words ... */
    uint64_t level_bytes; /* ... and what they take */
    uint64_t overflowed;  /* not 0: too many of them */
} sg_type_evidence;

/* Whether a column counts the rows, one by one. */
typedef struct sg_row_number_check {
    double first, last;
    uint64_t consecutive;
} sg_row_number_check;

typedef struct sg_table_builder {
    sg_column_selection selection;
    sg_column_builder *column; /* (columns.read_count)                                  */
    double *values;            /* (count - spooled, columns.read_count)                        */
    size_t capacity, row_count;
    size_t next_stop_check; /* the count from which on sg_options_on_cancel is asked again    */
    size_t spilled_rows;    /* rows that went to the file, and the file: NULL: none yet     */
    sg_spill_file *spill;
    double *missing_code; /* (codes): numbers that stand for a missing value              */
    size_t missing_codes, missing_code_capacity;
    size_t level_bytes;             /* bytes of the levels of all columns, see level_budget.c ...    */
    size_t overflowed_columns;      /* ... how many columns have too many of them ...               */
    size_t level_bytes_limit;       /* ... and the bytes from which on they are too many          */
    size_t located_cells;           /* cells that may make a sentence necessary                     */
    sg_row_number_check row_number; /* of the rows so far by the first column                */
    sg_type_evidence *evidence;     /* (columns.read_count) at the end; of a team all rows' (how->team) */
} sg_table_builder;

/* How a word stands among numbers. */
static inline double sg_nanbox_pack(uint32_t code)
{
    uint64_t bits = (uint64_t)0x7ff80001 << 32 | code;
    double boxed;
    memcpy(&boxed, &bits, sizeof boxed);
    return boxed;
}

static inline bool sg_nanbox_unpack(double cell, uint32_t *code)
{
    uint64_t bits;
    memcpy(&bits, &cell, sizeof bits);
    *code = (uint32_t)bits;
    return bits >> 32 == 0x7ff80001;
}

/* Names and chooses the columns, as sg_column_selection_init. s is zeroed, and to be released, also on failure. */
sg_status sg_table_builder_init(sg_table_builder *s, const char *file, const sg_read_options *options,
                                const sg_field *header, size_t count);
void sg_table_builder_release(sg_table_builder *s);
/* Before the first row: the k-th of the columns that are read is none after all. */
void sg_table_builder_drop_column(sg_table_builder *s, size_t k);

/* Where the next row goes, columns.read_count numbers, each to be set. share: how much of the file has been
 * read, 0 to 1; 0: not known. It is looked at where there is no room for the row. */
static inline bool sg_table_builder_is_full(const sg_table_builder *s)
{
    return !s->values ||
           s->capacity - (s->row_count - s->spilled_rows) * s->selection.read_count < s->selection.read_count;
}
sg_status sg_table_builder_next_row(sg_table_builder *s, double fraction_read, double **row);
/* The same of up to n > 0 rows that follow each other: *got of them. */
sg_status sg_table_builder_next_rows(sg_table_builder *s, size_t n, double fraction_read, double **rows, size_t *got);
/* The k-th cell of that row is no number: sets it. Fails at once where the column must hold numbers. */
sg_status sg_table_builder_put_text(sg_table_builder *s, size_t k, const sg_field *cell, double *row);
/* The row is complete. */
void sg_table_builder_commit_row(sg_table_builder *s, double *row);
void sg_table_builder_commit_rows(sg_table_builder *s, double *rows, size_t n);

/* level_budget.c: adds a level to the k-th column, as sg_string_table_intern; afterwards that one, or others, may be
 * crowded. */
sg_intern_result sg_table_builder_intern_level(sg_table_builder *s, size_t k, const char *text, size_t n,
                                               uint32_t *code);
/* The column has too many words: none is kept. */
void sg_table_builder_drop_levels(sg_table_builder *s, size_t k);
/* Whether columns with so many bytes of words, and others that are crowded, take too much, if none may have more than
 * the limit. */
bool sg_level_budget_exceeded(uint64_t bytes, uint64_t crowded, uint64_t limit);

/* After the last row. `file` stands for all of them. Leaves nothing but to release it. */
sg_status sg_table_builder_finish(sg_table_builder *s, const char *file, sg_table **out);

/* A row as it is kept to one of a table's: the columns that are not left out, words as codes. `to` may be
 * `row`. */
void sg_table_builder_map_row(const sg_table_builder *s, const double *row, double *to);

/* infer_types.c: sets all fates, and says what was left out; fails for the first mistake. */
sg_status sg_table_builder_infer_types(sg_table_builder *s);
sg_type_evidence sg_type_evidence_of(const sg_column_builder *t, size_t rows);
/* What a column of words is; kept: it is not to be left out. */
sg_column_type sg_infer_text_type(const sg_type_evidence *f, bool kept);
/* The sentence for a word in a column of numbers, the k-th that is read. */
sg_status sg_table_builder_fail_number(const sg_table_builder *s, size_t k);
static inline bool sg_table_builder_keeps_column(const sg_table_builder *s, size_t k)
{
    return s->column[k].type < SG_COLUMN_EMPTY;
}

#endif
