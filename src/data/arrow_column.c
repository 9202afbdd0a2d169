/* arrow_column.c: see arrow_column.h. */
#include "data/arrow_column.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* --- types --- */

void sg_arrow_column_init(sg_arrow_column *c, const struct ArrowSchema *schema, size_t child)
{
    *c = (sg_arrow_column){.child = child, .format = sg_arrow_format_of(schema->format)};
    if (!schema->dictionary) return;
    const char *of = schema->dictionary->format;
    bool again = schema->dictionary->dictionary != NULL;
    c->values = sg_arrow_format_of(of && !again ? of : "");
}

sg_arrow_class sg_arrow_column_class(const sg_arrow_column *c)
{
    if (!c->values.type) return c->format.type->is;
    return c->format.type->index ? c->values.type->is : SG_ARROW_OTHER;
}

/* --- a batch --- */

static const char *shown(const char *name, char *buf, size_t size)
{
    return sg_quotable(name, strlen(name), buf, size);
}

static sg_status open_dictionary(sg_arrow_column *c, const struct ArrowArray *a)
{
    char name[64];
    sg_status st = sg_arrow_view_open(a->dictionary, c->values, c->name, &c->dictionary);
    if (st != SG_OK) return st;
    c->entry = sg_alloc(c->dictionary.length, sizeof *c->entry);
    return c->entry ? SG_OK
                    : sg_fail(SG_ENOMEM, "%s: out of memory for the dictionary of column \"%s\"", SG_ARROW_NAME,
                              shown(c->name, name, sizeof name));
}

sg_status sg_arrow_column_open(sg_arrow_column *c, const struct ArrowArray *a, size_t first, size_t rows)
{
    char name[64];
    sg_status st = sg_arrow_view_open(a, c->format, c->name, &c->view);
    if (st != SG_OK) return st;
    if (c->view.length < first || c->view.length - first < rows)
        return sg_fail(SG_EDATA, "%s: column \"%s\": %zu values in a batch of %zu rows", SG_ARROW_NAME,
                       shown(c->name, name, sizeof name), c->view.length, first + rows);
    c->view.first += first;
    c->view.length -= first;
    return c->values.type ? open_dictionary(c, a) : SG_OK;
}

void sg_arrow_column_close(sg_arrow_column *c)
{
    free(c->entry);
    c->entry = NULL;
}

/* --- cells --- */

static sg_status not_finite(const sg_store *s, size_t k, size_t row)
{
    char name[64];
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": not a finite number", s->columns.file, row,
                   shown(s->columns.names[s->columns.reads[k]], name, sizeof name));
}

/* A NaN may come with any bits, also those of a word (store.h). */
sg_status sg_arrow_settle(sg_store *s, size_t k, const sg_arrow_view *v, size_t first, size_t n, double *rows)
{
    size_t pitch = s->columns.read_count, missing = 0;
    double *cell = rows + k;
    for (size_t i = 0; i < n; i++, cell += pitch) {
        bool there = !v || sg_arrow_valid(v, first + i);
        if (there && isinf(*cell)) return not_finite(s, k, s->count + i + 1);
        if (there && !isnan(*cell)) continue;
        *cell = NAN;
        missing++;
    }
    s->tally[k].missing += missing;
    return SG_OK;
}

static sg_status fill_numbers(sg_arrow_column *c, sg_store *s, size_t k, size_t first, size_t n, double *rows)
{
    const sg_arrow_view *v = &c->view;
    size_t odd = v->format.type->take(v->values, v->format.scale, v->first + first, n, rows + k, s->columns.read_count);
    return odd || v->valid ? sg_arrow_settle(s, k, v, first, n, rows) : SG_OK;
}

static sg_status fill_nothing(sg_store *s, size_t k, size_t n, double *rows)
{
    for (size_t i = 0; i < n; i++) rows[i * s->columns.read_count + k] = NAN;
    s->tally[k].missing += n;
    return SG_OK;
}

static sg_status lost_text(const sg_arrow_column *c, size_t row)
{
    char name[64];
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": a text that lies outside of its buffer", SG_ARROW_NAME, row,
                   shown(c->name, name, sizeof name));
}

static sg_status fill_texts(sg_arrow_column *c, sg_store *s, size_t k, size_t first, size_t n, double *rows)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++, rows += s->columns.read_count) {
        const char *text;
        size_t length, line = s->count + i + 1;
        if (!sg_arrow_valid(&c->view, first + i)) st = fill_nothing(s, k, 1, rows);
        else if (!sg_arrow_text(&c->view, first + i, &text, &length)) st = lost_text(c, line);
        else st = sg_arrow_put_text(s, k, text, length, line, rows);
    }
    return st;
}

/* --- dictionaries --- */

/* The entry's first row. */
static sg_status meet(sg_arrow_column *c, sg_store *s, size_t k, size_t entry, size_t line, double *row)
{
    const sg_arrow_view *v = &c->dictionary;
    const char *text;
    size_t length;
    double value = NAN;
    bool there = v->format.type->is != SG_ARROW_NOTHING && sg_arrow_valid(v, entry);
    if (there && v->format.type->is == SG_ARROW_TEXTS)
        return sg_arrow_text(v, entry, &text, &length)
                   ? sg_arrow_entry_text(&c->entry[entry], s, k, text, length, line, row)
                   : lost_text(c, line);
    if (there) v->format.type->take(v->values, v->format.scale, v->first + entry, 1, &value, 1);
    if (isinf(value)) return not_finite(s, k, line);
    sg_arrow_entry_number(&c->entry[entry], isnan(value) ? (double)NAN : value);
    sg_arrow_entry_put(&c->entry[entry], &s->tally[k], &row[k]);
    return SG_OK;
}

static sg_status no_entry(const sg_arrow_column *c, double index, size_t row)
{
    char name[64];
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": index %.0f into a dictionary of %zu entries", SG_ARROW_NAME,
                   row, shown(c->name, name, sizeof name), index, c->dictionary.length);
}

/* First the indices, where the cells will be; they are exact as far as a dictionary can be long. */
static sg_status fill_coded(sg_arrow_column *c, sg_store *s, size_t k, size_t first, size_t n, double *rows)
{
    const sg_arrow_view *v = &c->view;
    sg_status st = SG_OK;
    v->format.type->take(v->values, 0, v->first + first, n, rows + k, s->columns.read_count);
    for (size_t i = 0; st == SG_OK && i < n; i++, rows += s->columns.read_count) {
        double index = rows[k];
        if (!sg_arrow_valid(v, first + i)) st = fill_nothing(s, k, 1, rows);
        else if (!(index >= 0 && index < (double)c->dictionary.length)) st = no_entry(c, index, s->count + i + 1);
        else if (c->entry[(size_t)index].known) sg_arrow_entry_put(&c->entry[(size_t)index], &s->tally[k], &rows[k]);
        else st = meet(c, s, k, (size_t)index, s->count + i + 1, rows);
    }
    return st;
}

sg_status sg_arrow_column_fill(sg_arrow_column *c, sg_store *s, size_t k, size_t first, size_t n, double *rows)
{
    if (c->values.type) return fill_coded(c, s, k, first, n, rows);
    if (c->format.type->is == SG_ARROW_NOTHING) return fill_nothing(s, k, n, rows);
    return c->format.type->is == SG_ARROW_TEXTS ? fill_texts(c, s, k, first, n, rows)
                                                : fill_numbers(c, s, k, first, n, rows);
}
