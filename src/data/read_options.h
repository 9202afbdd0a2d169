/* read_options.h: the options that control how data files are read, parsed from sg_options once. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

typedef enum sg_header_mode { SG_HEADER_AUTO, SG_HEADER_YES, SG_HEADER_NO } sg_header_mode;

/* The default value of the option `missing`. */
#define SG_DEFAULT_MISSING "NA,N/A,NaN,?,null,None,<null>"

/* A zero-initialised struct holds the default values. The strings belong to the options that they come from. */
typedef struct sg_read_options {
    sg_header_mode header;
    char delimiter;                 /* 0 if it is to be detected                                                    */
    const char *ignore;             /* comma-separated names of columns to skip, or NULL; unused if wanted is set   */
    const char *categorical;        /* comma-separated names of columns to read as categories, or NULL              */
    const char *numeric;            /* comma-separated names of columns to read as numbers, or NULL                 */
    const char *group;              /* a column to keep even if it holds dates, identifiers or row numbers, or NULL */
    const char *missing;            /* comma-separated words (in any case) or numbers that stand for a missing
                                       value, besides empty cells; NULL for SG_DEFAULT_MISSING                      */
    const char *weights;            /* name of the column with row weights; NULL or "" if there is none             */
    const char *const *wanted;      /* names of the columns to read; NULL for all numeric and categorical columns   */
    const bool *wanted_categorical; /* (wanted_count) true for categories; NULL to infer types from the cells       */
    size_t wanted_count;
    bool read_weights;        /* also read the row weights that an ARFF file contains                     */
    bool read_first_column;   /* also read the first column, where the ARFF reader puts them              */
    size_t block_bytes;       /* bytes to read at a time, or 0 for the default; does not change results   */
    size_t memory_limit;      /* bytes of rows to keep in memory; others go to a file; 0 for no limit     */
    const sg_comm *comm;      /* ranks that infer types together, each from some of the rows; may be NULL */
    const sg_options *notify; /* receives notices and cancels reading; may be NULL                        */
} sg_read_options;

/* Parses the options that concern reading. o may be NULL for the defaults; otherwise it must outlive the result. */
sg_read_options sg_read_options_from(const sg_options *o);
/* Fails because there is not enough memory to read a file. */
static inline sg_status sg_fail_read_memory(const char *file)
{
    return sg_fail(SG_ENOMEM, "can't read %s: out of memory", file);
}
/* Returns the value of the option `memory` in bytes, or the default if o is NULL. */
size_t sg_memory_limit(const sg_options *o);
