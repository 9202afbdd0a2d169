/* csv.h: the CSV reader on any input, for sg_table_read, tests and fuzzing. */
#ifndef SG_DATA_FORMAT_CSV_CSV_H
#define SG_DATA_FORMAT_CSV_CSV_H

#include "data/ingest/byte_reader.h"

typedef enum sg_header_mode { SG_HEADER_AUTO, SG_HEADER_YES, SG_HEADER_NO } sg_header_mode;

/* The usual words for a missing value. */
#define SG_DEFAULT_MISSING "NA,N/A,NaN,?,null,None,<null>"

typedef struct sg_read_options {
    sg_header_mode header;
    char delimiter;                 /* 0: detected                                             */
    const char *ignore;             /* names by commas, or NULL; unused where wanted is given  */
    const char *categorical;        /* likewise: categories, whatever they look like           */
    const char *numeric;            /* likewise: numbers, whatever they look like              */
    const char *group;              /* one name, or NULL: kept as numbers or words, also where it looks like dates or
                                       identifiers, or counts the rows */
    const char *missing;            /* words by commas that stand for a missing value, whatever their
                                       case, or numbers; NULL: SG_DEFAULT_MISSING. An empty cell always does */
    const char *const *wanted;      /* NULL: all columns of numbers or categories              */
    const bool *wanted_categorical; /* whether a wanted one holds categories; NULL: judged by its cells */
    size_t wanted_count;
    bool read_weights;        /* the weights that a file gives its rows (ARFF) are wanted, too ... */
    bool read_first_column;   /* ... so the first column is                              */
    size_t block_bytes;       /* bytes read at a time; the result does not depend on it  */
    size_t memory_limit;      /* bytes that rows may take; what is more goes to a file. 0: any */
    const sg_comm *comm;      /* members that each read a part of the rows, and judge them together; or NULL */
    const sg_options *notify; /* who is told about columns left out; may be NULL         */
} sg_read_options;

/* Files that continue each other: the columns are those of the first, and each later one has the same header
 * again, where there is one. After a failure there is nothing but to free it. */
typedef struct sg_csv_reader sg_csv_reader;
sg_status sg_csv_reader_new(const sg_read_options *options, sg_csv_reader **out);
sg_status sg_csv_reader_add(sg_csv_reader *r, sg_byte_reader *in);
sg_status sg_csv_reader_finish(sg_csv_reader *r, sg_table **out);
void sg_csv_reader_free(sg_csv_reader *r);

/* One input. */
sg_status sg_csv_read(sg_byte_reader *in, const sg_read_options *options, sg_table **out);
/* What the options say; o may be NULL. */
sg_read_options sg_read_options_from(const sg_options *o);
/* Files. */
sg_status sg_csv_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out);

#endif
