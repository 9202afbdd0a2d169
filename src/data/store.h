/* store.h: rows while they are read, whatever the format of their file.
 *
 * Whether a column holds numbers or words shows at the end only. So a cell is kept as what it is: a number, a
 * plain NaN where it is missing, or a word as a NaN with the word's code in it (sg_word_box). Rows are appended and
 * never changed; what is made of a cell, once all is known, is said by sg_store_map alone. Rows that take more memory
 * than they may go to a file. */
#ifndef SG_DATA_STORE_H
#define SG_DATA_STORE_H

#include "data/csv_cell.h"
#include "data/csv_columns.h"
#include "data/levels.h"
#include "data/spool.h"

#include <string.h>

/* What became of a column. */
typedef enum sg_fate {
    SG_FATE_NUMBERS,
    SG_FATE_WORDS,
    SG_FATE_EMPTY, /* this one and all that follow are left out */
    SG_FATE_DATES,
    SG_FATE_IDENTIFIERS,
    SG_FATE_SPARE
} sg_fate;

/* A cell that makes a sentence necessary, if its column turns out to be of the other kind. */
typedef struct sg_cell_place {
    char *shown; /* its text; NULL: there is none */
    char *file;
    size_t line;
    size_t order; /* among all that were noted */
} sg_cell_place;

/* A column that is read: what it held so far. */
typedef struct sg_column_tally {
    size_t missing;
    size_t texts;      /* words that are no numbers in any spelling ...     */
    size_t words;      /* ... and those together with all other odd cells  */
    size_t dates;      /* words that look like one                         */
    sg_levels levels;  /* the words                                        */
    unsigned char *is; /* (is_room) what a level counts as, see store.c    */
    size_t is_room;
    bool crowded; /* there were too many of them: none is kept        */
    sg_cell bad;  /* what the first odd cell is, and where it stands  */
    sg_cell_place at;
    sg_cell_place coded; /* the first word that is not UTF-8               */
    sg_fate fate;        /* once it is judged                                */
} sg_column_tally;

/* What a column is judged by. */
typedef struct sg_facts {
    uint64_t rows, missing, texts, words, dates;
    uint64_t levels;  /* different words ... */
    uint64_t bytes;   /* ... and what they take */
    uint64_t crowded; /* not 0: too many of them */
} sg_facts;

/* Whether a column counts the rows, one by one. */
typedef struct sg_numbering {
    double from, to;
    uint64_t is;
} sg_numbering;

typedef struct sg_store {
    sg_columns columns;
    sg_column_tally *tally; /* (columns.read_count)                                  */
    double *values;         /* (count - spooled, columns.read_count)                        */
    size_t room, count;
    size_t ask;     /* the count from which on sg_options_on_stop is asked again    */
    size_t spooled; /* rows that went to the file, and the file: NULL: none yet     */
    sg_spool *spool;
    double *code; /* (codes): numbers that stand for a missing value              */
    size_t codes, code_room;
    size_t words;           /* bytes of the levels of all columns, see store_words.c ...    */
    size_t crowded;         /* ... how many columns have too many of them ...               */
    size_t word_limit;      /* ... and the bytes from which on they are too many          */
    size_t noted;           /* cells that may make a sentence necessary                     */
    sg_numbering numbering; /* of the rows so far by the first column                */
    sg_facts *facts;        /* (columns.read_count) at the end; of a team all rows' (how->team) */
} sg_store;

/* How a word stands among numbers. */
static inline double sg_word_box(uint32_t code)
{
    uint64_t bits = (uint64_t)0x7ff80001 << 32 | code;
    double boxed;
    memcpy(&boxed, &bits, sizeof boxed);
    return boxed;
}

static inline bool sg_word_is(double cell, uint32_t *code)
{
    uint64_t bits;
    memcpy(&bits, &cell, sizeof bits);
    *code = (uint32_t)bits;
    return bits >> 32 == 0x7ff80001;
}

/* Names and chooses the columns, as sg_columns_choose. s is zeroed, and to be released, also on failure. */
sg_status sg_store_start(sg_store *s, const char *file, const sg_csv_how *how, const sg_field *header, size_t count);
void sg_store_release(sg_store *s);
/* Before the first row: the k-th of the columns that are read is none after all. */
void sg_store_drop(sg_store *s, size_t k);

/* Where the next row goes, columns.read_count numbers, each to be set. share: how much of the file has been
 * read, 0 to 1; 0: not known. It is looked at where there is no room for the row. */
static inline bool sg_store_full(const sg_store *s)
{
    return !s->values || s->room - (s->count - s->spooled) * s->columns.read_count < s->columns.read_count;
}
sg_status sg_store_row(sg_store *s, double share, double **row);
/* The same of up to n > 0 rows that follow each other: *got of them. */
sg_status sg_store_rows(sg_store *s, size_t n, double share, double **rows, size_t *got);
/* The k-th cell of that row is no number: sets it. Fails at once where the column must hold numbers. */
sg_status sg_store_odd(sg_store *s, size_t k, const sg_field *cell, double *row);
/* The row is complete. */
void sg_store_take(sg_store *s, double *row);
void sg_store_take_rows(sg_store *s, double *rows, size_t n);

/* store_words.c: adds a level to the k-th column, as sg_levels_add; afterwards that one, or others, may be crowded. */
sg_leveled sg_store_level(sg_store *s, size_t k, const char *text, size_t n, uint32_t *code);
/* The column has too many words: none is kept. */
void sg_store_crowd(sg_store *s, size_t k);
/* Whether columns with so many bytes of words, and others that are crowded, take too much, if none may have more than
 * the limit. */
bool sg_words_too_many(uint64_t bytes, uint64_t crowded, uint64_t limit);

/* After the last row. `file` stands for all of them. Leaves nothing but to release it. */
sg_status sg_store_finish(sg_store *s, const char *file, sg_table **out);

/* A row as it is kept to one of a table's: the columns that are not left out, words as codes. `to` may be
 * `row`. */
void sg_store_map(const sg_store *s, const double *row, double *to);

/* store_judge.c: sets all fates, and says what was left out; fails for the first mistake. */
sg_status sg_store_judge(sg_store *s);
sg_facts sg_facts_of(const sg_column_tally *t, size_t rows);
/* What a column of words is; kept: it is not to be left out. */
sg_fate sg_fate_of_words(const sg_facts *f, bool kept);
/* The sentence for a word in a column of numbers, the k-th that is read. */
sg_status sg_store_complain(const sg_store *s, size_t k);
static inline bool sg_store_keeps(const sg_store *s, size_t k) { return s->tally[k].fate < SG_FATE_EMPTY; }

#endif
