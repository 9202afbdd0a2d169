/* npy_columns.c: see npy_columns.h. */
#include "data/npy_columns.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/csv_columns.h"
#include "data/names.h"
#include "data/npy_text.h"

#include <stdlib.h>
#include <string.h>

void sg_npy_columns_release(sg_npy_columns *c)
{
    for (size_t i = 0; c->tally && i < c->count; i++)
        if (c->tally[i]) sg_levels_release(&c->tally[i]->levels);
    for (size_t i = 0; c->tally && i < c->count; i++) free(c->tally[i]);
    free(c->tally);
    free(c->kind);
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
    if (h->columns > SG_CSV_COLUMNS) return sg_fail(SG_EDATA, "%s: more than %d columns", file, SG_CSV_COLUMNS);
    if (!h->named) return sg_columns_choose(all, file, how, NULL, h->columns);
    sg_field *header = sg_alloc(h->columns, sizeof *header);
    if (!header) return no_memory(file);
    for (size_t i = 0; i < h->columns; i++)
        header[i] =
            (sg_field){.text = h->names.bytes + h->fields[i].name, .length = h->fields[i].name_length, .line = 1};
    sg_status st = sg_columns_choose(all, file, how, header, h->columns);
    free(header);
    return st;
}

static const sg_npy_field *field_of(const sg_npy_header *h, size_t column) { return &h->fields[h->named ? column : 0]; }

/* Neither numbers nor texts that may be categories: times, complex numbers, bytes. */
static bool is_other(const sg_npy_field *f)
{
    return !f->type && ((f->other != 'S' && f->other != 'U') || f->size > SG_NPY_TEXT);
}

static void tell(const sg_columns *all, const sg_npy_header *h, bool times, const char *what)
{
    sg_text list = {0};
    char shown[64];
    for (size_t i = 0; i < all->count; i++) {
        if (!all->used[i] || !is_other(field_of(h, i)) || (field_of(h, i)->other == 'M') != times) continue;
        sg_quotable(all->names[i], strlen(all->names[i]), shown, sizeof shown);
        sg_text_format(&list, "%s%s", list.length ? ", " : "", shown);
    }
    if (list.length && !list.failed) sg_notice(all->how->notify, "left out %s: %s", what, list.bytes);
    sg_text_release(&list);
}

/* A column that holds neither is left out, unless someone asks for it; so are texts where numbers are meant. */
static sg_status check_types(const sg_npy_header *h, const sg_columns *all)
{
    char shown[64];
    for (size_t i = 0; i < all->count; i++) {
        const sg_npy_field *f = field_of(h, i);
        if (!all->used[i] || f->type) continue;
        if ((is_other(f) && all->how->wanted) || all->kind[i] == SG_KIND_NUMBERS)
            return sg_fail(SG_EDATA, "%s: column \"%s\" holds no numbers", all->file,
                           sg_quotable(all->names[i], strlen(all->names[i]), shown, sizeof shown));
    }
    tell(all, h, true, "dates");
    tell(all, h, false, "columns that hold neither numbers nor categories");
    return SG_OK;
}

static sg_npy_column place(const sg_npy_header *h, size_t i)
{
    const sg_npy_field *f = field_of(h, i);
    sg_npy_column c = {
        .type = f->type, .big = f->big, .start = f->start, .step = h->row_bytes, .size = f->size, .text = f->other};
    if (h->named) return c;
    c.step = h->fortran ? f->size : h->row_bytes;
    c.start = h->fortran ? i * h->rows * f->size : i * f->size;
    return c;
}

static bool is_kept(const sg_npy_header *h, const sg_columns *all, size_t i)
{
    return all->used[i] && !is_other(field_of(h, i));
}

static sg_status keep_one(const sg_npy_header *h, const sg_columns *all, size_t i, sg_npy_columns *c)
{
    size_t k = c->count++;
    c->names[k] = all->names[i];
    c->kind[k] = all->kind[i];
    c->column[k] = place(h, i);
    if (c->column[k].type) return SG_OK;
    c->texts++;
    c->tally[k] = sg_alloc(1, sizeof **c->tally);
    if (!c->tally[k]) return no_memory(all->file);
    c->tally[k]->levels.all = &c->words;
    return SG_OK;
}

static sg_status keep(const sg_npy_header *h, sg_columns *all, sg_npy_columns *c)
{
    c->column = sg_alloc(all->read_count, sizeof *c->column);
    c->tally = sg_alloc(all->read_count, sizeof *c->tally);
    c->kind = sg_alloc(all->read_count, sizeof *c->kind);
    c->names = sg_alloc(all->count, sizeof *c->names);
    if (!c->column || !c->names || !c->tally || !c->kind) return no_memory(all->file);
    for (size_t i = 0; i < all->count; i++) {
        sg_status st = is_kept(h, all, i) ? keep_one(h, all, i, c) : SG_OK;
        if (st != SG_OK) return st;
    }
    for (size_t i = 0; i < all->count; i++)
        if (!is_kept(h, all, i)) c->names[c->count + c->left_out++] = all->names[i];
    if (c->count == 0) return sg_fail(SG_EDATA, "%s: no column of numbers or categories is left", all->file);
    c->text = all->text; /* the names point into it */
    all->text = (sg_text){0};
    return SG_OK;
}

sg_status sg_npy_columns_choose(const sg_npy_header *h, const char *file, const sg_csv_how *how, sg_npy_columns *c)
{
    sg_columns all = {0};
    *c = (sg_npy_columns){.how = how, .file = file};
    sg_status st = choose(h, file, how, &all);
    if (st == SG_OK) st = check_types(h, &all);
    if (st == SG_OK) st = keep(h, &all, c);
    sg_columns_release(&all);
    return st;
}
