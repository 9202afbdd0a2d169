/* csv.h: the CSV reader on any input, for sg_table_read, tests and fuzzing. */
#ifndef SG_DATA_CSV_H
#define SG_DATA_CSV_H

#include "data/input.h"

typedef enum sg_header { SG_HEADER_AUTO, SG_HEADER_YES, SG_HEADER_NO } sg_header;

/* The usual words for a missing value. */
#define SG_CSV_MISSING "NA,N/A,NaN,?,null,None,<null>"

typedef struct sg_csv_how {
    sg_header header;
    char delimiter;            /* 0: detected                                             */
    const char *ignore;        /* names by commas, or NULL; unused where wanted is given  */
    const char *categorical;   /* likewise: categories, whatever they look like           */
    const char *numeric;       /* likewise: numbers, whatever they look like              */
    const char *group;         /* one name, or NULL: kept as numbers or words, also where it looks like dates or
                                  identifiers, or counts the rows */
    const char *missing;       /* words by commas that stand for a missing value, whatever their
                                  case, or numbers; NULL: SG_CSV_MISSING. An empty cell always does */
    const char *const *wanted; /* NULL: all columns of numbers or categories              */
    const bool *words;         /* whether a wanted one holds categories; NULL: judged by its cells */
    size_t wanted_count;
    bool weights;             /* the weights that a file gives its rows (ARFF) are wanted, too ... */
    bool first;               /* ... so the first column is                              */
    size_t block;             /* bytes read at a time; the result does not depend on it  */
    size_t memory;            /* bytes that rows may take; what is more goes to a file. 0: any */
    const char *beside;       /* all rows go to a file in the folder of this path, or NULL */
    const sg_team *team;      /* members that each read a part of the rows, and judge them together; or NULL */
    const sg_options *notify; /* who is told about columns left out; may be NULL         */
} sg_csv_how;

/* Files that continue each other: the columns are those of the first, and each later one has the same header
 * again, where there is one. After a failure there is nothing but to free it. */
typedef struct sg_csv sg_csv;
sg_status sg_csv_new(const sg_csv_how *how, sg_csv **out);
sg_status sg_csv_add(sg_csv *r, sg_input *in);
sg_status sg_csv_finish(sg_csv *r, sg_table **out);
void sg_csv_free(sg_csv *r);

/* One input. */
sg_status sg_csv_read(sg_input *in, const sg_csv_how *how, sg_table **out);
/* What the options say; o may be NULL. */
sg_csv_how sg_csv_how_by(const sg_options *o);
/* Files. */
sg_status sg_csv_paths(const char *const *paths, size_t count, const sg_csv_how *how, sg_table **out);

#endif
