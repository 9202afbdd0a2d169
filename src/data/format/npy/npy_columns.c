/* npy_columns.c: selects the columns of a .npy file and locates their cells. */
#include "data/format/npy/npy_columns.h"

#include "base/memory.h"
#include "data/column_names.h"
#include "data/ingest/columns_to_read.h"

#include <stdlib.h>

void sg_npy_columns_release(sg_npy_columns *c)
{
    for (size_t i = 0; c->builder && i < c->count; i++)
        if (c->builder[i]) sg_string_table_release(&c->builder[i]->levels);
    for (size_t i = 0; c->builder && i < c->count; i++) free(c->builder[i]);
    sg_free_all(c->builder, c->spec, c->column, c->names);
    sg_text_release(&c->name_text);
    *c = (sg_npy_columns){0};
}

/* Passes the field names to the column selection as if they were a CSV header. */
static sg_status select_columns(const sg_npy_header *h, const char *file, const sg_read_options *options,
                                sg_column_selection *all)
{
    if (h->columns > SG_COLUMNS_MAX)
        return sg_fail(SG_EDATA, "%s: there are more than %d columns", file, SG_COLUMNS_MAX);
    if (!h->structured) return sg_column_selection_init(all, file, options, NULL, h->columns);
    sg_field *header = sg_calloc(h->columns, sizeof *header);
    if (!header) return sg_fail_read_memory(file);
    for (size_t i = 0; i < h->columns; i++)
        header[i] =
            (sg_field){.text = h->names.bytes + h->fields[i].name, .length = h->fields[i].name_length, .line = 1};
    sg_status st = sg_column_selection_init(all, file, options, header, h->columns);
    free(header);
    return st;
}

static const sg_npy_field *field_of(const sg_npy_header *h, size_t column)
{
    return &h->fields[h->structured ? column : 0];
}

/* Reports whether a field holds neither numbers nor categories: dates, complex numbers, raw bytes or long strings. */
static bool is_unsupported(const sg_npy_field *f)
{
    return !f->type && ((f->other_type != 'S' && f->other_type != 'U') || f->size > SG_NPY_TEXT_MAX);
}

/* Sends a notice about the columns that are left out for their type: either dates, or all other unsupported types. */
static sg_status notify_unsupported(const sg_npy_header *h, const sg_column_selection *all, bool dates)
{
    bool *dropped = sg_calloc(all->count, sizeof *dropped);
    if (!dropped) return sg_fail_read_memory(all->file);
    for (size_t i = 0; i < all->count; i++)
        dropped[i] = all->used[i] && is_unsupported(field_of(h, i)) && (field_of(h, i)->other_type == 'M') == dates;
    sg_notice_dropped_columns(all->options->notify, dates ? "dates" : SG_DROPPED_OTHER_TYPES, all->names, dropped,
                              all->count);
    free(dropped);
    return SG_OK;
}

/* Unsupported columns are dropped, or an error if they are wanted. Strings in a numeric column are an error. */
static sg_status check_types(const sg_npy_header *h, const sg_column_selection *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const sg_npy_field *f = field_of(h, i);
        if (!all->used[i] || f->type) continue;
        if ((is_unsupported(f) && all->options->wanted) || all->spec[i] == SG_SPEC_NUMERIC)
            return sg_fail(SG_EDATA, "%s: column \"%s\" does not hold numbers", all->file, SG_EXCERPT(all->names[i]));
    }
    sg_status st = notify_unsupported(h, all, true);
    return st == SG_OK ? notify_unsupported(h, all, false) : st;
}

static sg_npy_column locate_column(const sg_npy_header *h, size_t i)
{
    const sg_npy_field *f = field_of(h, i);
    sg_npy_column c = {.type = f->type,
                       .big_endian = f->big_endian,
                       .offset = f->offset,
                       .stride = h->row_bytes,
                       .size = f->size,
                       .text_type = f->other_type};
    if (h->structured) return c;
    c.stride = h->fortran_order ? f->size : h->row_bytes;
    c.offset = h->fortran_order ? i * h->rows * f->size : i * f->size;
    return c;
}

static bool is_kept(const sg_npy_header *h, const sg_column_selection *all, size_t i)
{
    return all->used[i] && !is_unsupported(field_of(h, i));
}

static sg_status add_column(const sg_npy_header *h, const sg_column_selection *all, size_t i, sg_npy_columns *c)
{
    size_t k = c->count++;
    c->names[k] = all->names[i];
    c->spec[k] = all->spec[i];
    c->column[k] = locate_column(h, i);
    if (c->column[k].type) return SG_OK;
    c->text_columns++;
    c->builder[k] = sg_calloc(1, sizeof **c->builder);
    if (!c->builder[k]) return sg_fail_read_memory(all->file);
    c->builder[k]->levels.shared_bytes = &c->level_bytes;
    return SG_OK;
}

static sg_status add_columns(const sg_npy_header *h, sg_column_selection *all, sg_npy_columns *c)
{
    c->column = sg_calloc(all->read_count, sizeof *c->column);
    c->builder = sg_calloc(all->read_count, sizeof *c->builder);
    c->spec = sg_calloc(all->read_count, sizeof *c->spec);
    c->names = sg_calloc(all->count, sizeof *c->names);
    if (!c->column || !c->names || !c->builder || !c->spec) return sg_fail_read_memory(all->file);
    for (size_t i = 0; i < all->count; i++) {
        sg_status st = is_kept(h, all, i) ? add_column(h, all, i, c) : SG_OK;
        if (st != SG_OK) return st;
    }
    for (size_t i = 0; i < all->count; i++)
        if (!is_kept(h, all, i)) c->names[c->count + c->dropped++] = all->names[i];
    if (c->count == 0) return sg_fail(SG_EDATA, "%s: no numeric or categorical column is left", all->file);
    c->name_text = all->name_text; /* the names point into it */
    all->name_text = (sg_text){0};
    return SG_OK;
}

sg_status sg_npy_columns_select(const sg_npy_header *h, const char *file, const sg_read_options *options,
                                sg_npy_columns *c)
{
    sg_column_selection all = {0};
    *c = (sg_npy_columns){.options = options, .file = file};
    sg_status st = select_columns(h, file, options, &all);
    if (st == SG_OK) st = check_types(h, &all);
    if (st == SG_OK) st = add_columns(h, &all, c);
    sg_column_selection_release(&all);
    return st;
}
