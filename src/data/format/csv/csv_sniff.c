/* csv_sniff.c: detects the encoding, delimiter and header of a file from its first bytes and records. */
#include "data/format/csv/csv_sniff.h"

#include "data/ingest/cell_classify.h"

#include <string.h>

/* --- encoding --- */

typedef struct signature {
    const char *bytes;
    size_t n;
    const char *what; /* error message; NULL: the bytes are skipped */
} signature;

/* UTF-32 precedes UTF-16, because its byte order mark starts with that of UTF-16. */
static const signature signatures[] = {
    {"\xEF\xBB\xBF", 3, NULL},
    {"\xFF\xFE\0\0", 4, "this is UTF-32; save it as UTF-8"},
    {"\0\0\xFE\xFF", 4, "this is UTF-32; save it as UTF-8"},
    {"\xFF\xFE", 2, "this is UTF-16; save it as UTF-8"},
    {"\xFE\xFF", 2, "this is UTF-16; save it as UTF-8"},
    {"PK\x03\x04", 4, "this is a spreadsheet or a zip archive; save it as CSV"},
    {"\xD0\xCF\x11\xE0", 4, "this is a spreadsheet; save it as CSV"},
    {"\x93NUMPY", 6, "this is a .npy file; expected an uncompressed regular file"},
    {"\xFD"
     "7zXZ",
     5, "this is compressed with xz; decompress it, or use gzip"},
    {"\x28\xB5\x2F\xFD", 4, "this is compressed with zstd; decompress it, or use gzip"},
};

sg_status sg_csv_check_encoding(sg_byte_reader *in)
{
    const char *head;
    size_t n;
    bool whole;
    sg_status st = sg_byte_reader_peek(in, &head, &n, &whole);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        const signature *s = &signatures[i];
        if (n < s->n || memcmp(head, s->bytes, s->n) != 0) continue;
        if (s->what) return sg_fail(SG_EDATA, "%s: %s", sg_byte_reader_name(in), s->what);
        sg_byte_reader_skip(in, s->n);
        break;
    }
    return SG_OK;
}

/* --- delimiter --- */

/* Statistics of the first records when they are split at a given delimiter. */
typedef struct delimiter_stats {
    char delimiter;
    size_t records, widest, cells;
    size_t same_width; /* records with as many fields as the previous one */
    size_t numbers;    /* cells that are numbers, with or without commas */
} delimiter_stats;

static void count_record(delimiter_stats *t, const sg_csv_scanner *s, size_t *width)
{
    t->records++;
    t->same_width += s->count == *width;
    t->cells += s->count;
    *width = s->count;
    if (s->count > t->widest) t->widest = s->count;
    for (size_t i = 0; i < s->count; i++) {
        sg_cell_class class = sg_cell_classify(&s->fields[i], NULL);
        t->numbers += class == SG_CELL_NUMBER || class == SG_CELL_COMMAS;
    }
}

/* Computes the statistics for t->delimiter. A record that is cut off is counted only if it is the first one. */
static sg_status try_delimiter(const char *head, size_t n, bool whole, delimiter_stats *t)
{
    sg_csv_scanner s;
    sg_scan_result got;
    size_t width = 0;
    sg_csv_scanner_init(&s, t->delimiter);
    s.at = head;
    s.end = head + n;
    s.at_eof = whole;
    while ((got = sg_csv_scan_record(&s)) == SG_SCAN_RECORD && s.count > 0) count_record(t, &s, &width);
    if (got != SG_SCAN_RECORD && t->records == 0 && s.count > 0) count_record(t, &s, &width);
    sg_csv_scanner_release(&s);
    return got == SG_SCAN_NO_MEMORY ? sg_fail(SG_ENOMEM, "out of memory") : SG_OK;
}

/* Reports whether a is better than b. The first criterion is records of equal width, the second is the fraction of
 * numeric cells (1,5;2,5 is split at the semicolon, although the comma gives more fields), the third is the width. */
static bool is_better(const delimiter_stats *a, const delimiter_stats *b)
{
    if (a->widest < 2 || b->widest < 2) return b->widest < 2 && a->widest > 1;
    size_t x = a->same_width * b->records, y = b->same_width * a->records;
    if (x != y) return x > y;
    x = a->numbers * b->cells;
    y = b->numbers * a->cells;
    return x != y ? x > y : a->widest > b->widest;
}

/* The comma is the default, and a delimiter that does not occur is not tried, so most files need no trial. */
sg_status sg_csv_sniff_delimiter(sg_byte_reader *in, char *out)
{
    delimiter_stats trials[] = {{.delimiter = ','}, {.delimiter = ';'}, {.delimiter = '\t'}};
    const delimiter_stats *best = &trials[0];
    const char *head;
    size_t n;
    bool whole;
    sg_status st = sg_byte_reader_peek(in, &head, &n, &whole);
    bool others = st == SG_OK && (memchr(head, ';', n) || memchr(head, '\t', n));
    for (size_t i = 0; others && st == SG_OK && i < 3; i++) {
        if (!memchr(head, trials[i].delimiter, n)) continue;
        st = try_delimiter(head, n, whole, &trials[i]);
        if (is_better(&trials[i], best)) best = &trials[i];
    }
    *out = best->delimiter;
    return st;
}

/* --- header --- */

/* The first record is a header if it has text above a number, or if it is all text. Words for missing values do not
 * count as text, because a row of data may contain them. */
bool sg_csv_sniff_header(const sg_field *first, const sg_field *second, size_t columns, const char *missing)
{
    size_t texts = 0;
    for (size_t i = 0; i < columns; i++) {
        if (sg_cell_classify(&first[i], missing) != SG_CELL_TEXT) continue;
        if (second && sg_cell_classify(&second[i], missing) == SG_CELL_NUMBER) return true;
        texts++;
    }
    return texts == columns;
}
