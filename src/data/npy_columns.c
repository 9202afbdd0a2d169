/* npy_columns.c: see npy_columns.h. */
#include "data/npy_columns.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/csv_columns.h"
#include "data/names.h"

#include <stdlib.h>
#include <string.h>

void sg_npy_columns_release(sg_npy_columns *c)
{
    free(c->column);
    free(c->names);
    sg_text_release(&c->text);
    *c = (sg_npy_columns){0};
}

static sg_status no_memory(const char *file)
{
    return sg_fail(SG_ENOMEM, "can't read %s: out of memory for its columns", file);
}

/* The names as the chooser of columns wants them: as the fields of a header. */
static sg_status choose(const sg_npy_header *h, const char *file, const sg_csv_how *how, sg_columns *all)
{
    if (h->columns > SG_CSV_COLUMNS)
        return sg_fail(SG_EDATA, "%s: more than %d columns", file, SG_CSV_COLUMNS);
    if (!h->named) return sg_columns_choose(all, file, how, NULL, h->columns);
    sg_field *header = sg_alloc(h->columns, sizeof *header);
    if (!header) return no_memory(file);
    for (size_t i = 0; i < h->columns; i++)
        header[i] = (sg_field){.text = h->names.bytes + h->fields[i].name,
                               .length = h->fields[i].name_length, .line = 1};
    sg_status st = sg_columns_choose(all, file, how, header, h->columns);
    free(header);
    return st;
}

static const sg_npy_field *field_of(const sg_npy_header *h, size_t column)
{
    return &h->fields[h->named ? column : 0];
}

/* A column that is asked for, or not ignored, and holds no numbers. */
static bool is_text(const sg_npy_header *h, const sg_columns *all, size_t i)
{
    return all->used[i] && !field_of(h, i)->type;
}

/* As in a CSV file: a column of what is no number is left out, unless someone asks for it. */
static sg_status find_texts(const sg_npy_header *h, sg_columns *all)
{
    char shown[64];
    sg_text list = {0};
    for (size_t i = 0; i < all->count; i++) {
        if (!is_text(h, all, i)) continue;
        sg_quotable(all->names[i], strlen(all->names[i]), shown, sizeof shown);
        if (all->how->wanted) return sg_fail(SG_EDATA, "%s: column \"%s\" holds no numbers", all->file, shown);
        sg_text_format(&list, "%s%s", list.length ? ", " : "", shown);
    }
    if (list.length && !list.failed)
        sg_notice(all->how->notify, "left out text columns: %s", list.bytes);
    sg_text_release(&list);
    return SG_OK;
}

static sg_npy_column place(const sg_npy_header *h, size_t i)
{
    const sg_npy_field *f = field_of(h, i);
    sg_npy_column c = {.type = f->type, .big = f->big, .start = f->start, .step = h->row_bytes};
    if (h->named) return c;
    c.step = h->fortran ? f->size : h->row_bytes;
    c.start = h->fortran ? i * h->rows * f->size : i * f->size;
    return c;
}

static sg_status keep(const sg_npy_header *h, sg_columns *all, sg_npy_columns *c)
{
    c->column = sg_alloc(all->read_count, sizeof *c->column);
    c->names = sg_alloc(all->count, sizeof *c->names);
    if (!c->column || !c->names) return no_memory(all->file);
    for (size_t i = 0; i < all->count; i++) {
        if (!all->used[i] || is_text(h, all, i)) continue;
        c->names[c->count] = all->names[i];
        c->column[c->count++] = place(h, i);
    }
    for (size_t i = 0; i < all->count; i++)
        if (!all->used[i] || is_text(h, all, i)) c->names[c->count + c->left_out++] = all->names[i];
    if (c->count == 0) return sg_fail(SG_EDATA, "%s: no column of numbers is left", all->file);
    c->text = all->text; /* the names point into it */
    all->text = (sg_text){0};
    return SG_OK;
}

sg_status sg_npy_columns_choose(const sg_npy_header *h, const char *file, const sg_csv_how *how,
                                sg_npy_columns *c)
{
    sg_columns all = {0};
    *c = (sg_npy_columns){0};
    sg_status st = choose(h, file, how, &all);
    if (st == SG_OK) st = find_texts(h, &all);
    if (st == SG_OK) st = keep(h, &all, c);
    sg_columns_release(&all);
    return st;
}
