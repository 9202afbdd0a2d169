/* csv_read.c: a CSV file to a table.
 *
 * Bytes (input) -> encoding and delimiter (csv_layout) -> records of fields (csv_records) -> names
 * and choice of columns (csv_columns) -> numbers, row by row -> text columns and mistakes
 * (csv_judge) -> table. Nothing but the table is held in memory. */
#include "data/csv.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/csv_columns.h"
#include "data/csv_layout.h"
#include "data/csv_records.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const sg_csv_how *how;
    const char *file;
    sg_records *records;
    sg_field *first; /* a copy of the first record: header or data */
    char *first_text;
    size_t width; /* fields in it */
    sg_columns columns;
    double *values; /* (count, columns.read_count) */
    size_t room, count;
} reader;

static void release(reader *r)
{
    sg_columns_release(&r->columns);
    sg_records_free(r->records);
    free(r->first);
    free(r->first_text);
    free(r->values);
}

static sg_status no_memory(const reader *r)
{
    return sg_fail(SG_ENOMEM, "can't read %s: out of memory after %zu rows", r->file, r->count);
}

/* --- the first record --- */

/* The scanner's fields last until the next record, but this one is judged beside the second. */
static sg_status keep_first(reader *r, const sg_field *fields, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) length += fields[i].length;
    r->first = sg_alloc(count, sizeof *r->first);
    r->first_text = sg_alloc(length, 1);
    if (!r->first || !r->first_text) return no_memory(r);
    char *to = r->first_text;
    for (size_t i = 0; i < count; i++) {
        r->first[i] = fields[i];
        r->first[i].text = memcpy(to, fields[i].text, fields[i].length);
        to += fields[i].length;
    }
    r->width = count;
    return SG_OK;
}

static sg_status read_first(reader *r)
{
    const sg_field *fields;
    size_t count;
    sg_status st = sg_records_next(r->records, &fields, &count);
    if (st != SG_OK) return st;
    if (count == 0) return sg_fail(SG_EDATA, "%s: empty; expected rows of numbers", r->file);
    return keep_first(r, fields, count);
}

/* --- rows --- */

/* The place is that of the first field too many, or of the first one that lacks. */
static sg_status check_width(const reader *r, const sg_field *fields, size_t count)
{
    if (count == r->width) return SG_OK;
    size_t at = count < r->width ? count : r->width;
    return sg_fail(SG_EDATA, "%s:%zu:%zu: %zu field%s, expected %zu as in line %zu", r->file,
                   fields[at < count ? at : count - 1].line, at + 1, count, count == 1 ? "" : "s",
                   r->width, r->first->line);
}

/* The numbers of the whole file, if its rows are as long as those so far; 0: no idea. */
static size_t foreseen(const reader *r)
{
    if (r->count < 1000) return 0;
    double rows = 1.05 * (double)r->count / sg_records_share(r->records);
    double numbers = rows * (double)r->columns.read_count;
    return numbers < 1e15 ? (size_t)numbers : 0;
}

/* At once, where the file's size tells how much it will be: pages that are never touched cost
 * nothing, those that are moved do. */
static bool make_room(reader *r, size_t need)
{
    size_t all = foreseen(r);
    if (all > need && sg_grow(&r->values, &r->room, all, sizeof *r->values)) return true;
    return sg_grow(&r->values, &r->room, need ? need : 1, sizeof *r->values);
}

/* Where the next row goes. */
static sg_status next_row(reader *r, double **row)
{
    size_t width = r->columns.read_count;
    size_t filled = r->count * width; /* fits: the room for it is there */
    size_t need = filled + width;
    if ((need > r->room || !r->values) && !make_room(r, need)) return no_memory(r);
    *row = r->values + filled;
    return SG_OK;
}

/* Cells whose number is still NaN, from the fields of the record. */
static sg_status fill_row(reader *r, const sg_field *fields, double *row)
{
    sg_columns *c = &r->columns;
    for (size_t k = 0; k < c->read_count; k++) {
        if (!isnan(row[k])) continue;
        const sg_field *cell = &fields[c->reads[k]];
        if (sg_number_parse(cell->text, cell->length, &row[k]) == SG_NUMBER_OK) continue;
        row[k] = NAN;
        sg_status st = sg_columns_odd(c, k, cell);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

static sg_status take_record(reader *r, const sg_field *fields, size_t count)
{
    double *row;
    sg_status st = check_width(r, fields, count);
    if (st == SG_OK) st = next_row(r, &row);
    if (st != SG_OK) return st;
    for (size_t k = 0; k < r->columns.read_count; k++) row[k] = NAN;
    r->count++;
    return fill_row(r, fields, row);
}

/* All rows that can be read without looking at their fields first. */
static sg_status take_rows(reader *r)
{
    const sg_field *fields;
    double *row;
    size_t odd;
    for (;;) {
        sg_status st = next_row(r, &row);
        if (st != SG_OK || !sg_records_row(r->records, r->columns.used, r->width, row, &fields, &odd))
            return st;
        r->count++;
        if (odd) st = fill_row(r, fields, row);
        if (st != SG_OK) return st;
    }
}

/* Decides about the header; names and chooses the columns; takes the record that was looked at. */
static sg_status start(reader *r)
{
    bool header = r->how->header == SG_HEADER_YES;
    const sg_field *second = NULL;
    size_t count = 0;
    sg_status st = SG_OK;
    if (r->how->header == SG_HEADER_AUTO) {
        st = sg_records_next(r->records, &second, &count);
        if (st == SG_OK && count > 0) st = check_width(r, second, count);
        if (st != SG_OK) return st;
        header = sg_csv_header(r->first, count ? second : NULL, r->width, r->how->missing);
    }
    st = sg_columns_choose(&r->columns, r->file, r->how, header ? r->first : NULL, r->width);
    if (st == SG_OK && !header) st = take_record(r, r->first, r->width);
    if (st == SG_OK && count > 0) st = take_record(r, second, count);
    return st;
}

static sg_status read_rest(reader *r)
{
    const sg_field *fields;
    size_t count;
    for (;;) {
        sg_status st = take_rows(r);
        if (st == SG_OK) st = sg_records_next(r->records, &fields, &count);
        if (st == SG_OK && count > 0) st = take_record(r, fields, count);
        if (st != SG_OK || count == 0) return st;
    }
}

/* --- the table --- */

/* Closes the gaps that columns leave which are left out. */
static void squeeze(reader *r, const bool *keep, size_t kept)
{
    size_t width = r->columns.read_count;
    double *to = r->values;
    for (size_t i = 0; kept < width && i < r->count; i++)
        for (size_t k = 0; k < width; k++)
            if (keep[k]) *to++ = r->values[i * width + k];
}

static sg_status make_table(reader *r, bool *keep, const char **names, sg_table **out)
{
    const sg_columns *c = &r->columns;
    size_t kept = 0;
    for (size_t k = 0; k < c->read_count; k++) {
        keep[k] = !c->texts[c->reads[k]] && !c->empty[c->reads[k]];
        if (keep[k]) names[kept++] = c->names[c->reads[k]];
    }
    size_t n = kept;
    for (size_t i = 0; i < c->count; i++)
        if (!c->used[i] || c->texts[i] || c->empty[i]) names[n++] = c->names[i];
    squeeze(r, keep, kept);
    size_t bytes = r->count * kept * sizeof *r->values; /* at most what is allocated */
    double *fitted = realloc(r->values, bytes ? bytes : 1), *values = fitted ? fitted : r->values;
    r->values = NULL;
    return sg_table_adopt(r->file, names, kept, c->count - kept, values, r->count, out);
}

/* Numbers that stand for a missing value. */
static void blank_codes(reader *r)
{
    double code;
    for (size_t i = 0; sg_cell_code(r->how->missing, i, &code); i++)
        for (size_t at = 0; at < r->count * r->columns.read_count; at++)
            if (r->values[at] == code) {
                r->values[at] = NAN;
                r->columns.tallies[at % r->columns.read_count].missing++;
            }
}

static sg_status finish(reader *r, sg_table **out)
{
    if (r->count == 0)
        return sg_fail(SG_EDATA, "%s: a header but no rows; expected rows of numbers", r->file);
    blank_codes(r);
    sg_status st = sg_columns_judge(&r->columns, r->count);
    if (st != SG_OK) return st;
    bool *keep = sg_alloc(r->columns.read_count, sizeof *keep);
    const char **names = sg_alloc(r->columns.count, sizeof *names);
    st = keep && names ? make_table(r, keep, names, out) : no_memory(r);
    free(keep);
    free(names);
    return st;
}

sg_status sg_csv_read(sg_input *in, const sg_csv_how *asked, sg_table **out)
{
    sg_csv_how how = *asked;
    if (!how.missing) how.missing = SG_CSV_MISSING;
    reader r = {.how = &how, .file = sg_input_name(in)};
    char delimiter = how.delimiter;
    sg_status st = sg_csv_encoding(in);
    if (st == SG_OK && !delimiter) st = sg_csv_delimiter(in, &delimiter);
    if (st == SG_OK) st = sg_records_new(in, delimiter, how.block, &r.records);
    if (st == SG_OK) st = read_first(&r);
    if (st == SG_OK) st = start(&r);
    if (st == SG_OK) st = read_rest(&r);
    if (st == SG_OK) st = finish(&r, out);
    release(&r);
    return st;
}

/* --- from options --- */

static sg_csv_how how_by(const sg_options *o)
{
    sg_csv_how how = {.block = SG_CSV_BLOCK, .notify = o};
    if (!o) return how;
    const char *header = sg_options_text(o, "header"), *mark = sg_options_text(o, "delimiter");
    how.header = !strcmp(header, "yes") ? SG_HEADER_YES :
                 !strcmp(header, "no")  ? SG_HEADER_NO :
                                          SG_HEADER_AUTO;
    how.delimiter = !strcmp(mark, "comma")     ? ',' :
                    !strcmp(mark, "semicolon") ? ';' :
                    !strcmp(mark, "tab")       ? '\t' :
                                                 '\0';
    how.ignore = sg_options_text(o, "ignore");
    how.missing = sg_options_text(o, "missing");
    return how;
}

sg_status sg_table_read(const char *path, const sg_options *o, const char *const *wanted,
                        size_t wanted_count, sg_table **out)
{
    sg_csv_how how = how_by(o);
    how.wanted = wanted;
    how.wanted_count = wanted_count;
    sg_input *in;
    sg_status st = sg_input_open(path, &in);
    if (st != SG_OK) return st;
    st = sg_csv_read(in, &how, out);
    sg_input_close(in);
    return st;
}
