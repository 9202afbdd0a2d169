/* csv_columns.h: the columns of a CSV file: names, which are read, and what was wrong in them. */
#ifndef SG_DATA_CSV_COLUMNS_H
#define SG_DATA_CSV_COLUMNS_H

#include "base/text.h"
#include "data/csv.h"
#include "data/csv_cell.h"

/* What a column that is read held beside numbers. */
typedef struct sg_tally {
    size_t texts, missing;
    sg_cell bad; /* the first cell that is neither a number nor missing; SG_CELL_NUMBER: none */
    size_t found; /* after how many other columns, and itself, one was found */
    size_t line;
    char *shown; /* its text ...              */
    char *file;  /* ... and where it stands; NULL where bad is SG_CELL_NUMBER */
} sg_tally;

typedef struct sg_columns {
    const sg_csv_how *how;
    const char *file;   /* the one that is read now                          */
    bool header;
    size_t count;       /* in the file                                       */
    const char **names; /* (count), and a NULL                               */
    sg_text text;       /* of the names                                      */
    bool *used;         /* (count) not left out by wanted or ignore          */
    bool *texts;        /* (count) a text column: known when all is read     */
    bool *empty;        /* (count) nothing but missing values: likewise      */
    size_t *reads;      /* (read_count) the columns that are read, by place  */
    size_t read_count;
    sg_tally *tallies;  /* (read_count)                                      */
    size_t found;       /* columns with a cell that is no number             */
} sg_columns;

/* header NULL: columns are named by position. file, how and what it points at must outlive c,
 * which is to be released, also on failure. */
sg_status sg_columns_choose(sg_columns *c, const char *file, const sg_csv_how *how,
                            const sg_field *header, size_t count);
void sg_columns_release(sg_columns *c);

/* Whether a later file has the same header as the first one, `started`. */
sg_status sg_columns_same(const sg_columns *c, const sg_field *header, const char *started);

/* Takes note of a cell that is no number, in the k-th column that is read. Unless it is missing, fails at
 * once where the column was asked for; whether another one is a text column is known at the end only. */
sg_status sg_columns_odd(sg_columns *c, size_t k, const sg_field *cell);
/* After the last row: finds the text columns and, where none was asked for, the empty ones; fails for the
 * first bad cell of the others. */
sg_status sg_columns_judge(sg_columns *c, size_t rows);

#endif
