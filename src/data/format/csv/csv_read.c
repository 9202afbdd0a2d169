/* csv_read.c: reads one or more CSV files into a table.
 *
 * Bytes (byte_reader) -> encoding and delimiter (csv_sniff) -> records of fields (csv_record_reader) -> column names
 * and selection (columns_to_read) -> rows (table_builder) -> column types and errors (infer_types) -> table. Apart from
 * the table, only a window of the file is in memory. */
#include "data/format/csv/csv.h"

#include "base/memory.h"
#include "data/format/csv/csv_record_reader.h"
#include "data/format/csv/csv_sniff.h"
#include "data/ingest/table_builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct csv_reader {
    const sg_read_options *options;
    const char *file; /* the current file                              */
    char *first_file; /* the first file, or NULL if none was added yet */
    size_t files;
    sg_record_reader *records;
    sg_field *first_record; /* a copy of the first record: header or data */
    char *first_record_text;
    size_t width; /* number of fields in the first record */
    sg_table_builder builder;
} csv_reader;

static void release(csv_reader *r)
{
    sg_table_builder_release(&r->builder);
    sg_record_reader_free(r->records);
    sg_free_all(r->first_file, r->first_record, r->first_record_text);
}

/* --- the first record --- */

/* The scanner's fields are valid only until the next record, but header detection compares the first two records. */
static sg_status copy_first_record(csv_reader *r, const sg_field *fields, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) length += fields[i].length;
    r->first_record = sg_calloc(count, sizeof *r->first_record);
    r->first_record_text = sg_calloc(length, 1);
    if (!r->first_record || !r->first_record_text) return sg_fail_read_memory(r->file);
    char *to = r->first_record_text;
    for (size_t i = 0; i < count; i++) {
        r->first_record[i] = fields[i];
        r->first_record[i].text = memcpy(to, fields[i].text, fields[i].length);
        to += fields[i].length;
    }
    r->width = count;
    return SG_OK;
}

static sg_status read_first_record(csv_reader *r)
{
    const sg_field *fields;
    size_t count;
    sg_status st = sg_record_reader_next(r->records, &fields, &count);
    if (st != SG_OK) return st;
    if (count == 0) return sg_fail(SG_EDATA, "%s: the input is empty; expected rows of numbers", r->file);
    return copy_first_record(r, fields, count);
}

/* --- rows --- */

/* Fails unless the record is as wide as the first one. Reports the position of the first excess or missing field. */
static sg_status check_width(const csv_reader *r, const sg_field *fields, size_t count)
{
    if (count == r->width) return SG_OK;
    size_t at = count < r->width ? count : r->width;
    char where[32];
    snprintf(where, sizeof where, "line %zu", r->first_record->line);
    return sg_fail(SG_EDATA, "%s:%zu:%zu: the row has %zu field%s; expected %zu as in %s", r->file,
                   fields[at < count ? at : count - 1].line, at + 1, count, count == 1 ? "" : "s", r->width,
                   r->files == 1 ? where : r->first_file);
}

static sg_status next_row(csv_reader *r, double **row)
{
    double fraction_read = sg_table_builder_is_full(&r->builder) ? sg_record_reader_progress(r->records) : 0;
    return sg_table_builder_next_row(&r->builder, fraction_read, row);
}

/* Parses the cells of the row that are still NaN from the fields of the record, and commits the row. */
static sg_status parse_cells(csv_reader *r, const sg_field *fields, double *row)
{
    const sg_column_selection *c = &r->builder.selection;
    for (size_t k = 0; k < c->read_count; k++) {
        if (!isnan(row[k])) continue;
        const sg_field *cell = &fields[c->read_index[k]];
        if (sg_number_parse(cell->text, cell->length, &row[k]) == SG_NUMBER_OK) continue;
        sg_status st = sg_table_builder_put_text(&r->builder, k, cell, row);
        if (st != SG_OK) return st;
    }
    sg_table_builder_commit_row(&r->builder, row);
    return SG_OK;
}

static sg_status append_record(csv_reader *r, const sg_field *fields, size_t count)
{
    double *row;
    sg_status st = check_width(r, fields, count);
    if (st == SG_OK) st = next_row(r, &row);
    if (st != SG_OK) return st;
    for (size_t k = 0; k < r->builder.selection.read_count; k++) row[k] = NAN;
    return parse_cells(r, fields, row);
}

/* Appends rows with the fast parser until one needs the scanner. */
static sg_status append_fast_rows(csv_reader *r)
{
    const sg_field *fields;
    double *row;
    size_t unparsed;
    for (;;) {
        sg_status st = next_row(r, &row);
        if (st != SG_OK ||
            !sg_record_reader_next_fast_row(r->records, r->builder.selection.used, r->width, row, &fields, &unparsed))
            return st;
        if (unparsed) st = parse_cells(r, fields, row);
        else sg_table_builder_commit_row(&r->builder, row);
        if (st != SG_OK) return st;
    }
}

/* Detects the header, selects the columns, and appends the records that were read for the detection. */
static sg_status start_first_file(csv_reader *r)
{
    bool header = r->options->header == SG_HEADER_YES;
    const sg_field *second = NULL;
    size_t count = 0;
    sg_status st = read_first_record(r);
    if (st == SG_OK && r->options->header == SG_HEADER_AUTO) {
        st = sg_record_reader_next(r->records, &second, &count);
        if (st == SG_OK && count > 0) st = check_width(r, second, count);
        if (st == SG_OK)
            header = sg_csv_sniff_header(r->first_record, count ? second : NULL, r->width, r->options->missing);
    }
    if (st == SG_OK)
        st = sg_table_builder_init(&r->builder, r->file, r->options, header ? r->first_record : NULL, r->width);
    if (st == SG_OK && !header) st = append_record(r, r->first_record, r->width);
    if (st == SG_OK && count > 0) st = append_record(r, second, count);
    return st;
}

static sg_status read_records(csv_reader *r)
{
    const sg_field *fields;
    size_t count;
    for (;;) {
        sg_status st = append_fast_rows(r);
        if (st == SG_OK) st = sg_record_reader_next(r->records, &fields, &count);
        if (st == SG_OK && count > 0) st = append_record(r, fields, count);
        if (st != SG_OK || count == 0) return st;
    }
}

static sg_status check_rows(const csv_reader *r)
{
    if (r->builder.row_count) return SG_OK;
    return sg_fail(SG_EDATA, "%s: there are no rows after the header; expected rows of numbers", r->first_file);
}

/* --- files --- */

/* Reads the first record of a later file: the same header as in the first file, or a row if there is no header. */
static sg_status start_next_file(csv_reader *r)
{
    const sg_field *fields;
    size_t count;
    sg_status st = sg_record_reader_next(r->records, &fields, &count);
    if (st != SG_OK) return st;
    if (count == 0)
        return sg_fail(SG_EDATA, "%s: the file is empty; expected rows like those of %s", r->file, r->first_file);
    st = check_width(r, fields, count);
    if (st != SG_OK) return st;
    return r->builder.selection.header ? sg_column_selection_check_header(&r->builder.selection, fields, r->first_file)
                                       : append_record(r, fields, count);
}

static sg_status add_input(csv_reader *r, sg_byte_reader *in)
{
    char delimiter = r->options->delimiter;
    r->builder.selection.file = r->file = sg_byte_reader_name(in);
    if (!r->first_file && !(r->first_file = sg_strdup(r->file))) return sg_fail_read_memory(r->file);
    sg_status st = sg_csv_check_encoding(in);
    if (st == SG_OK && !delimiter) st = sg_csv_sniff_delimiter(in, &delimiter);
    if (st == SG_OK) st = sg_record_reader_new(in, delimiter, r->options->block_bytes, &r->records);
    if (st == SG_OK) st = r->files++ == 0 ? start_first_file(r) : start_next_file(r);
    if (st == SG_OK) st = read_records(r);
    sg_record_reader_free(r->records);
    r->records = NULL;
    return st;
}

sg_status sg_csv_read(sg_byte_reader *in, const sg_read_options *options, sg_table **out)
{
    csv_reader r = {.options = options};
    sg_status st = add_input(&r, in);
    if (st == SG_OK) st = check_rows(&r);
    if (st == SG_OK) st = sg_table_builder_finish(&r.builder, r.first_file, out);
    release(&r);
    return st;
}

/* Files are opened one at a time, because there may be more of them than a process can have open. */
static sg_status add_path(csv_reader *r, const char *path)
{
    sg_byte_reader *in;
    sg_status st = sg_byte_reader_open(path, &in);
    if (st != SG_OK) return st;
    st = add_input(r, in);
    sg_byte_reader_close(in);
    return st;
}

sg_status sg_csv_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out)
{
    csv_reader r = {.options = options};
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < count; i++) st = add_path(&r, paths[i]);
    if (st == SG_OK) st = check_rows(&r);
    st = sg_comm_agree_status(options->comm, st); /* type inference is collective: all ranks or none must start it */
    if (st == SG_OK) st = sg_table_builder_finish(&r.builder, r.first_file, out);
    release(&r);
    return st;
}

sg_status sg_table_read(const char *path, const sg_options *o, const char *const *wanted, size_t wanted_count,
                        sg_table **out)
{
    sg_read_options options = sg_read_options_from(o);
    options.wanted = wanted;
    options.wanted_count = wanted_count;
    return sg_csv_read_files(&path, 1, &options, out);
}
