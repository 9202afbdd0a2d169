/* csv_read.c: a CSV file, or several that continue each other, to a table.
 *
 * Bytes (input) -> encoding and delimiter (csv_layout) -> records of fields (csv_records) -> names
 * and choice of columns (csv_columns) -> cells, row by row (store) -> what the columns are, and mistakes
 * (store_judge) -> table. Nothing but the table is held in memory. */
#include "data/csv.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/csv_layout.h"
#include "data/csv_records.h"
#include "data/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef sg_csv reader;

struct sg_csv {
    sg_csv_how asked;
    const sg_csv_how *how; /* the same */
    const char *file;      /* the one that is read now */
    char *started;         /* the first one; NULL: none yet */
    size_t files;
    sg_records *records;
    sg_field *first; /* a copy of the first record: header or data */
    char *first_text;
    size_t width; /* fields in it */
    sg_store store;
};

void sg_csv_free(sg_csv *r)
{
    if (!r) return;
    sg_store_release(&r->store);
    sg_records_free(r->records);
    free(r->started);
    free(r->first);
    free(r->first_text);
    free(r);
}

static sg_status no_memory(const reader *r)
{
    return sg_fail(SG_ENOMEM, "can't read %s: out of memory after %zu rows", r->file, r->store.count);
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
    char where[32];
    snprintf(where, sizeof where, "line %zu", r->first->line);
    return sg_fail(SG_EDATA, "%s:%zu:%zu: %zu field%s, expected %zu as in %s", r->file,
                   fields[at < count ? at : count - 1].line, at + 1, count, count == 1 ? "" : "s", r->width,
                   r->files == 1 ? where : r->started);
}

/* Where the next row goes. */
static sg_status next_row(reader *r, double **row)
{
    double share = sg_store_full(&r->store) ? sg_records_share(r->records) : 0;
    return sg_store_row(&r->store, share, row);
}

/* Cells whose number is still NaN, from the fields of the record; then the row is complete. */
static sg_status fill_row(reader *r, const sg_field *fields, double *row)
{
    const sg_columns *c = &r->store.columns;
    for (size_t k = 0; k < c->read_count; k++) {
        if (!isnan(row[k])) continue;
        const sg_field *cell = &fields[c->reads[k]];
        if (sg_number_parse(cell->text, cell->length, &row[k]) == SG_NUMBER_OK) continue;
        sg_status st = sg_store_odd(&r->store, k, cell, row);
        if (st != SG_OK) return st;
    }
    sg_store_take(&r->store, row);
    return SG_OK;
}

static sg_status take_record(reader *r, const sg_field *fields, size_t count)
{
    double *row;
    sg_status st = check_width(r, fields, count);
    if (st == SG_OK) st = next_row(r, &row);
    if (st != SG_OK) return st;
    for (size_t k = 0; k < r->store.columns.read_count; k++) row[k] = NAN;
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
        if (st != SG_OK || !sg_records_row(r->records, r->store.columns.used, r->width, row, &fields, &odd)) return st;
        if (odd) st = fill_row(r, fields, row);
        else sg_store_take(&r->store, row);
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
    st = sg_store_start(&r->store, r->file, r->how, header ? r->first : NULL, r->width);
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

static sg_status check_rows(const reader *r)
{
    if (r->store.count) return SG_OK;
    return sg_fail(SG_EDATA, "%s: a header but no rows; expected rows of numbers", r->started);
}

sg_status sg_csv_finish(sg_csv *r, sg_table **out)
{
    sg_status st = check_rows(r);
    return st == SG_OK ? sg_store_finish(&r->store, r->started, out) : st;
}

/* --- files --- */

static sg_status read_first_file(reader *r)
{
    sg_status st = read_first(r);
    return st == SG_OK ? start(r) : st;
}

/* Of a file after the first: the same header again, or rows at once where there is none. */
static sg_status go_on(reader *r)
{
    const sg_field *fields;
    size_t count;
    sg_status st = sg_records_next(r->records, &fields, &count);
    if (st != SG_OK) return st;
    if (count == 0) return sg_fail(SG_EDATA, "%s: empty; expected rows like those of %s", r->file, r->started);
    st = check_width(r, fields, count);
    if (st != SG_OK) return st;
    return r->store.columns.header ? sg_columns_same(&r->store.columns, fields, r->started)
                                   : take_record(r, fields, count);
}

sg_status sg_csv_new(const sg_csv_how *how, sg_csv **out)
{
    sg_csv *r = sg_alloc(1, sizeof *r);
    if (!r) return sg_fail(SG_ENOMEM, "out of memory for a file");
    r->asked = *how;
    r->how = &r->asked;
    if (!how->missing) r->asked.missing = SG_CSV_MISSING;
    *out = r;
    return SG_OK;
}

sg_status sg_csv_add(sg_csv *r, sg_input *in)
{
    char delimiter = r->how->delimiter;
    r->store.columns.file = r->file = sg_input_name(in);
    if (!r->started && !(r->started = sg_copy(r->file))) return no_memory(r);
    sg_status st = sg_csv_encoding(in);
    if (st == SG_OK && !delimiter) st = sg_csv_delimiter(in, &delimiter);
    if (st == SG_OK) st = sg_records_new(in, delimiter, r->how->block, &r->records);
    if (st == SG_OK) st = r->files++ == 0 ? read_first_file(r) : go_on(r);
    if (st == SG_OK) st = read_rest(r);
    sg_records_free(r->records);
    r->records = NULL;
    return st;
}

sg_status sg_csv_read(sg_input *in, const sg_csv_how *how, sg_table **out)
{
    sg_csv *r;
    sg_status st = sg_csv_new(how, &r);
    if (st != SG_OK) return st;
    st = sg_csv_add(r, in);
    if (st == SG_OK) st = sg_csv_finish(r, out);
    sg_csv_free(r);
    return st;
}

/* --- from options --- */

sg_csv_how sg_csv_how_by(const sg_options *o)
{
    sg_csv_how how = {.block = SG_CSV_BLOCK, .notify = o};
    if (!o) return how;
    const char *header = sg_options_text(o, "header"), *mark = sg_options_text(o, "delimiter");
    how.header = !strcmp(header, "yes") ? SG_HEADER_YES : !strcmp(header, "no") ? SG_HEADER_NO : SG_HEADER_AUTO;
    how.delimiter = !strcmp(mark, "comma")       ? ','
                    : !strcmp(mark, "semicolon") ? ';'
                    : !strcmp(mark, "tab")       ? '\t'
                                                 : '\0';
    how.ignore = sg_options_text(o, "ignore");
    how.categorical = sg_options_text(o, "categorical");
    how.numeric = sg_options_text(o, "numeric");
    how.group = sg_options_text(o, "group");
    how.missing = sg_options_text(o, "missing");
    return how;
}

/* Opens one file after the other: there may be more of them than a process may have open. */
static sg_status add_path(sg_csv *r, const char *path)
{
    sg_input *in;
    sg_status st = sg_input_open(path, &in);
    if (st != SG_OK) return st;
    st = sg_csv_add(r, in);
    sg_input_close(in);
    return st;
}

sg_status sg_csv_paths(const char *const *paths, size_t count, const sg_csv_how *how, sg_table **out)
{
    sg_csv *r;
    sg_status st = sg_csv_new(how, &r);
    if (st != SG_OK) return sg_team_agree(how->team, st);
    for (size_t i = 0; st == SG_OK && i < count; i++) st = add_path(r, paths[i]);
    if (st == SG_OK) st = check_rows(r);
    st = sg_team_agree(how->team, st); /* all are as far as this, or none goes on */
    if (st == SG_OK) st = sg_csv_finish(r, out);
    sg_csv_free(r);
    return st;
}

sg_status sg_table_read(const char *path, const sg_options *o, const char *const *wanted, size_t wanted_count,
                        sg_table **out)
{
    sg_csv_how how = sg_csv_how_by(o);
    how.wanted = wanted;
    how.wanted_count = wanted_count;
    return sg_csv_paths(&path, 1, &how, out);
}
