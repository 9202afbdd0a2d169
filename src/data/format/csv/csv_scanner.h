/* csv_scanner.h: splits bytes into the fields of CSV records, and parses rows of plain numbers directly. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_field {
    const char *text; /* without quotes and surrounding blanks */
    size_t length;
    size_t line; /* line in which the field starts, from 1; 0 if the input has no lines */
    bool quoted;
    bool has_doubled_quotes; /* contains "", which stands for "; see sg_field_unescape_quotes */
} sg_field;

typedef enum sg_scan_result {
    SG_SCAN_RECORD,    /* the record has `count` fields; count is 0 at the end of the input */
    SG_SCAN_NEED_MORE, /* the record continues after `end`: scan again with more bytes */
    SG_SCAN_NUL,       /* this value and those below it are errors at line:column */
    SG_SCAN_OPEN_QUOTE,
    SG_SCAN_AFTER_QUOTE,
    SG_SCAN_TOO_WIDE,
    SG_SCAN_NO_MEMORY
} sg_scan_result;

enum { SG_COLUMNS_MAX = 1000000 };

typedef struct sg_csv_scanner {
    const char *at, *end; /* bytes to scan; a newline must follow, or SG_WINDOW_PADDING newlines for fast rows */
    bool at_eof;          /* the input ends at `end` */
    size_t next_line;     /* line number of `at` */
    size_t line, column;  /* position of the field where a scan stopped */
    sg_field *fields;     /* valid until the next scan */
    size_t count, capacity;
    bool ends_plain[256], ends_quoted[256]; /* bytes that end a run of ordinary bytes outside and inside quotes */
    char delimiter;
} sg_csv_scanner;

/* Starts at line 1. The caller must set `at`, `end` and `at_eof`. */
void sg_csv_scanner_init(sg_csv_scanner *s, char delimiter);
void sg_csv_scanner_release(sg_csv_scanner *s);
/* Skips blank lines and scans the next record. `at` does not advance past an incomplete or invalid record. */
sg_scan_result sg_csv_scan_record(sg_csv_scanner *s);

/* Scans the field at *at, and moves *at to the delimiter, line end or `end` that follows. Sets f->line to s->line, and
 * increments s->line for each line end inside quotes. */
sg_scan_result sg_csv_scan_field(sg_csv_scanner *s, const char **at, sg_field *f);
/* Returns the position after the blanks at p. A tab that is the delimiter is not a blank. */
const char *sg_csv_skip_blanks(const sg_csv_scanner *s, const char *p);
/* Returns the position after the CR, LF or CRLF at p, which must be before `end`. */
const char *sg_csv_skip_line_end(const sg_csv_scanner *s, const char *p);

/* Replaces "" with " in place, so the bytes must be writable. */
void sg_field_unescape_quotes(sg_field *f);

/* csv_fast_row.c: parses the next record if it has `width` fields and is completely available. Stores the numbers in
 * the used columns in `row`, one after the other. Other cells of these columns become NaN and are stored in s->fields
 * at the index of their column; *unparsed is the number of such cells. Returns false and consumes nothing if the record
 * needs sg_csv_scan_record. A record of `width` fields must have been scanned before, because this allocates
 * s->fields. */
bool sg_csv_scan_fast_row(sg_csv_scanner *s, const bool *used, size_t width, double *row, size_t *unparsed);
