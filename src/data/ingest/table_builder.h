/* table_builder.h: collects the rows of a file of any format, infers the column types, and makes a table.
 *
 * Whether a column is numeric or categorical is known only after the last row. Until then a cell is stored as a number,
 * as NaN if it is missing, or, if it is text, as a NaN that carries the code of the text (sg_nanbox_pack). Rows are
 * appended and never changed; sg_table_builder_map_row converts them at the end. Rows that exceed the memory limit go
 * to a temporary file. */
#pragma once

#include "data/ingest/cell_classify.h"
#include "data/ingest/columns_to_read.h"
#include "data/ingest/spill_file.h"
#include "data/string_table.h"

#include <string.h>

typedef enum sg_column_type {
    SG_COLUMN_NUMERIC,
    SG_COLUMN_CATEGORICAL,
    SG_COLUMN_EMPTY, /* columns of this type and the following ones are dropped */
    SG_COLUMN_DATE,
    SG_COLUMN_IDENTIFIER,
    SG_COLUMN_UNUSED
} sg_column_type;

/* A cell to report if it does not fit the inferred type of its column. */
typedef struct sg_cell_location {
    char *excerpt; /* excerpt of its text; NULL if there is no such cell */
    char *file;
    size_t line;
    size_t order; /* position among all recorded cells */
} sg_cell_location;

/* What is known about a column so far. */
typedef struct sg_column_builder {
    size_t missing_count;
    size_t text_count;          /* cells that are neither missing nor a number in any notation */
    size_t non_number_count;    /* these cells, and numbers with commas or out of range        */
    size_t date_count;          /* cells that look like a date                                 */
    sg_string_table levels;     /* the distinct texts                                          */
    unsigned char *level_flags; /* (level_flags_capacity) cached classification of each level  */
    size_t level_flags_capacity;
    bool overflowed;                 /* there are too many levels, so none are stored */
    sg_cell_class first_bad_class;   /* class of the first cell that is not a number  */
    sg_cell_location first_bad;      /* location of that cell                         */
    sg_cell_location first_non_utf8; /* the first text that is not UTF-8              */
    sg_column_type type;             /* set by sg_table_builder_infer_types           */
} sg_column_builder;

/* What the type of a column is inferred from. Counts are summed over ranks. */
typedef struct sg_type_evidence {
    uint64_t rows, missing_count, text_count, non_number_count, date_count;
    uint64_t level_count; /* number of distinct texts */
    uint64_t level_bytes; /* bytes of memory that they use */
    uint64_t overflowed;  /* not 0 if there are too many */
} sg_type_evidence;

/* The check whether the first column holds row numbers. */
typedef struct sg_row_number_check {
    double first, last;
    uint64_t consecutive;
} sg_row_number_check;

typedef struct sg_table_builder {
    sg_column_selection selection;
    sg_column_builder *column; /* (selection.read_count)                              */
    double *values;            /* (row_count - spilled_rows, selection.read_count)    */
    size_t capacity, row_count;
    size_t next_stop_check; /* row count at which cancellation is checked again       */
    size_t spilled_rows;    /* rows in the temporary file                             */
    sg_spill_file *spill;   /* NULL if there is none                                  */
    double *missing_code;   /* (missing_codes) numbers that stand for a missing value */
    size_t missing_codes, missing_code_capacity;
    size_t level_bytes;             /* bytes of the levels of all columns; see level_budget.c */
    size_t overflowed_columns;      /* number of columns with too many levels                 */
    size_t level_bytes_limit;       /* maximum level bytes of one column                      */
    size_t located_cells;           /* number of recorded locations of cells                  */
    sg_row_number_check row_number; /* state after the rows so far                            */
    sg_type_evidence *evidence;     /* (selection.read_count) set after the last row          */
} sg_table_builder;

/* Returns a NaN that carries the code of a text. */
static inline double sg_nanbox_pack(uint32_t code)
{
    uint64_t bits = (uint64_t)0x7ff80001 << 32 | code;
    double boxed;
    memcpy(&boxed, &bits, sizeof boxed);
    return boxed;
}

/* Gets the code of a text from a cell. Returns false if the cell is not the code of a text. */
static inline bool sg_nanbox_unpack(double cell, uint32_t *code)
{
    uint64_t bits;
    memcpy(&bits, &cell, sizeof bits);
    *code = (uint32_t)bits;
    return bits >> 32 == 0x7ff80001;
}

/* Names and selects the columns like sg_column_selection_init. s must be zeroed. Release s even on failure. */
sg_status sg_table_builder_init(sg_table_builder *s, const char *file, const sg_read_options *options,
                                const sg_field *header, size_t count);
void sg_table_builder_release(sg_table_builder *s);
/* Drops column k of those that are read. Call it before the first row. */
void sg_table_builder_drop_column(sg_table_builder *s, size_t k);

static inline bool sg_table_builder_is_full(const sg_table_builder *s)
{
    return !s->values ||
           s->capacity - (s->row_count - s->spilled_rows) * s->selection.read_count < s->selection.read_count;
}
/* Gets space for the next row of selection.read_count cells, all of which the caller must set. fraction_read is the
 * fraction of the file that has been read, or 0 if it is unknown; a full builder estimates its final size from it. */
sg_status sg_table_builder_next_row(sg_table_builder *s, double fraction_read, double **row);
/* Gets space for up to n > 0 consecutive rows, and sets *got to the number of rows that fit. */
sg_status sg_table_builder_next_rows(sg_table_builder *s, size_t n, double fraction_read, double **rows, size_t *got);
/* Sets cell k of the row from a text. Fails if the column must be numeric and the text is not a missing value. */
sg_status sg_table_builder_put_text(sg_table_builder *s, size_t k, const sg_field *cell, double *row);
/* Append the rows for which the last call got space. */
void sg_table_builder_commit_row(sg_table_builder *s, double *row);
void sg_table_builder_commit_rows(sg_table_builder *s, double *rows, size_t n);

/* level_budget.c: adds a level to column k as sg_string_table_intern does. Afterwards this column or others may have
 * overflowed. */
sg_intern_result sg_table_builder_intern_level(sg_table_builder *s, size_t k, const char *text, size_t n,
                                               uint32_t *code);
/* Marks column k as overflowed and frees its levels. */
void sg_table_builder_drop_levels(sg_table_builder *s, size_t k);
/* Returns whether the levels of all columns use too much memory, if each overflowed column counts as `limit` bytes. */
bool sg_level_budget_exceeded(uint64_t bytes, uint64_t overflowed, uint64_t limit);

/* Makes the table after the last row. `file` is the name of the data file. Afterwards s can only be released. */
sg_status sg_table_builder_finish(sg_table_builder *s, const char *file, sg_table **out);

/* Converts a stored row to a row of the table: drops columns, and maps categories to level codes. `to` may be `row`. */
void sg_table_builder_map_row(const sg_table_builder *s, const double *row, double *to);

/* infer_types.c: sets the types of all columns, and sends notices about dropped ones. Fails if a cell is invalid. */
sg_status sg_table_builder_infer_types(sg_table_builder *s);
sg_type_evidence sg_type_evidence_of(const sg_column_builder *t, size_t rows);
/* Returns the type of a column of texts: one that is not dropped if `keep` is set. */
sg_column_type sg_infer_text_type(const sg_type_evidence *f, bool keep);
/* Fails because of the first text in column k, which must be numeric. */
sg_status sg_table_builder_fail_number(const sg_table_builder *s, size_t k);

static inline bool sg_table_builder_keeps_column(const sg_table_builder *s, size_t k)
{
    return s->column[k].type < SG_COLUMN_EMPTY;
}
/* Returns the type that the options or the caller request for column k. */
static inline sg_column_spec sg_table_builder_spec(const sg_table_builder *s, size_t k)
{
    return s->selection.spec[s->selection.read_index[k]];
}
