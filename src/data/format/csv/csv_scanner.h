/* csv_scanner.h: bytes to the fields of one record. It knows quotes and line ends, not numbers. */
#ifndef SG_DATA_FORMAT_CSV_CSV_SCANNER_H
#define SG_DATA_FORMAT_CSV_CSV_SCANNER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_field {
    const char *text; /* without its quotes and the blanks around it */
    size_t length;
    size_t line; /* where it starts, from 1; 0: there are no lines */
    bool quoted;
    bool has_doubled_quotes; /* holds "" for " : see sg_field_unescape_quotes */
} sg_field;

typedef enum sg_scan_result {
    SG_SCAN_RECORD,    /* fields[count] hold it; count 0: nothing is left          */
    SG_SCAN_NEED_MORE, /* the record goes on behind `end`: scan again with more    */
    SG_SCAN_NUL,       /* the following stand for what is wrong at line:column     */
    SG_SCAN_OPEN_QUOTE,
    SG_SCAN_AFTER_QUOTE,
    SG_SCAN_TOO_WIDE,
    SG_SCAN_NO_MEMORY
} sg_scan_result;

enum {
    SG_COLUMNS_MAX = 1000000,
    SG_SCAN_PADDING = 8 /* bytes that sg_csv_scan_fast_row may read from `end` on */
};

typedef struct sg_csv_scanner {
    const char *at, *end; /* the bytes to scan; *end must be a newline         */
    bool at_eof;          /* nothing follows end                               */
    size_t next_line;     /* the line of `at`                                  */
    size_t line, column;  /* the field at which a scan stopped short           */
    sg_field *fields;     /* valid until the next scan                         */
    size_t count, capacity;
    bool ends_plain[256], ends_quoted[256]; /* bytes that end a run of plain ones */
    char delimiter;
} sg_csv_scanner;

/* A scan from line 1; `at`, `end` and `last` are to be set. */
void sg_csv_scanner_init(sg_csv_scanner *s, char delimiter);
void sg_csv_scanner_release(sg_csv_scanner *s);
/* The next record that is not a blank line. `at` stays where it is unless there is one. */
sg_scan_result sg_csv_scan_record(sg_csv_scanner *s);

/* One field from *at on; leaves *at on what ended it: delimiter, line end, or `end`. f->line is
 * s->line, which moves on by the line ends inside quotes. */
sg_scan_result sg_csv_scan_field(sg_csv_scanner *s, const char **at, sg_field *f);
/* Behind the blanks at p; a tab that delimits is none. */
const char *sg_csv_skip_blanks(const sg_csv_scanner *s, const char *p);
/* p is at a CR or LF before `end`: behind the line end. */
const char *sg_csv_skip_line_end(const sg_csv_scanner *s, const char *p);

/* Makes "" a single " : in place, so the bytes must be writable. */
void sg_field_unescape_quotes(sg_field *f);

#endif
