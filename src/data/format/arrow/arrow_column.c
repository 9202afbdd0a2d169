/* arrow_column.c: converts the numbers, strings and dictionaries of one Arrow column to cells of a table builder. */
#include "data/format/arrow/arrow_column.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

void sg_arrow_column_init(sg_arrow_column *c, const struct ArrowSchema *schema, size_t child)
{
    *c = (sg_arrow_column){.child = child, .format = sg_arrow_format_parse(schema->format)};
    if (!schema->dictionary) return;
    const struct ArrowSchema *values = schema->dictionary;
    c->value_format = sg_arrow_format_parse(values->format && !values->dictionary ? values->format : "");
}

sg_arrow_class sg_arrow_column_class(const sg_arrow_column *c)
{
    if (!c->value_format.type) return c->format.type->type_class;
    return c->format.type->may_index ? c->value_format.type->type_class : SG_ARROW_OTHER;
}

/* --- batches --- */

static const char *quote_name(const char *name, char *buf, size_t size)
{
    return sg_quote_excerpt(name, strlen(name), buf, size);
}

static sg_status open_dictionary(sg_arrow_column *c, const struct ArrowArray *a)
{
    char name[64];
    sg_status st = sg_arrow_array_view_open(a->dictionary, c->value_format, c->name, &c->dictionary);
    if (st != SG_OK) return st;
    c->entry = sg_calloc(c->dictionary.length, sizeof *c->entry);
    return c->entry ? SG_OK
                    : sg_fail(SG_ENOMEM, "%s: out of memory while reading the dictionary of column \"%s\"",
                              SG_ARROW_NAME, quote_name(c->name, name, sizeof name));
}

sg_status sg_arrow_column_open(sg_arrow_column *c, const struct ArrowArray *a, size_t first, size_t rows)
{
    char name[64];
    sg_status st = sg_arrow_array_view_open(a, c->format, c->name, &c->view);
    if (st != SG_OK) return st;
    if (c->view.length < first || c->view.length - first < rows)
        return sg_fail(SG_EDATA, "%s: column \"%s\" has %zu values in a batch of %zu rows", SG_ARROW_NAME,
                       quote_name(c->name, name, sizeof name), c->view.length, first + rows);
    c->view.first += first;
    c->view.length -= first;
    return c->value_format.type ? open_dictionary(c, a) : SG_OK;
}

void sg_arrow_column_close(sg_arrow_column *c)
{
    free(c->entry);
    c->entry = NULL;
}

/* --- cells --- */

static sg_status fail_not_finite(const sg_table_builder *s, size_t k, size_t row)
{
    char name[64];
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": expected a finite number, got infinity", s->selection.file,
                   row, quote_name(s->selection.names[s->selection.read_index[k]], name, sizeof name));
}

sg_status sg_arrow_apply_nulls(sg_table_builder *s, size_t k, const sg_arrow_array_view *v, size_t first, size_t n,
                               double *rows)
{
    size_t pitch = s->selection.read_count, missing = 0;
    double *cell = rows + k;
    for (size_t i = 0; i < n; i++, cell += pitch) {
        bool valid = !v || sg_arrow_array_view_is_valid(v, first + i);
        if (valid && isinf(*cell)) return fail_not_finite(s, k, s->row_count + i + 1);
        if (valid && !isnan(*cell)) continue;
        *cell = NAN; /* a NaN payload of the input could look like a level (sg_nanbox_pack) */
        missing++;
    }
    s->column[k].missing_count += missing;
    return SG_OK;
}

static sg_status fill_numbers(sg_arrow_column *c, sg_table_builder *s, size_t k, size_t first, size_t n, double *rows)
{
    const sg_arrow_array_view *v = &c->view;
    size_t nonfinite = sg_arrow_decode(&v->format, v->values, v->first + first, n, rows + k, s->selection.read_count);
    return nonfinite || v->validity ? sg_arrow_apply_nulls(s, k, v, first, n, rows) : SG_OK;
}

static sg_status fill_null(sg_table_builder *s, size_t k, size_t n, double *rows)
{
    for (size_t i = 0; i < n; i++) rows[i * s->selection.read_count + k] = NAN;
    s->column[k].missing_count += n;
    return SG_OK;
}

static sg_status fail_string_bounds(const sg_arrow_column *c, size_t row)
{
    char name[64];
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": the string is not within its buffer", SG_ARROW_NAME, row,
                   quote_name(c->name, name, sizeof name));
}

/* Trims a string and stores it in row[k] like a CSV cell. `line` is the row number. */
static sg_status put_string(sg_table_builder *s, size_t k, const char *text, size_t n, size_t line, double *row)
{
    while (n > 0 && (*text == ' ' || *text == '\t')) text++, n--;
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t')) n--;
    if (sg_number_parse(text, n, &row[k]) == SG_NUMBER_OK) return SG_OK;
    sg_field cell = {.text = text, .length = n, .line = line, .quoted = true};
    return sg_table_builder_put_text(s, k, &cell, row);
}

static sg_status fill_strings(sg_arrow_column *c, sg_table_builder *s, size_t k, size_t first, size_t n, double *rows)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++, rows += s->selection.read_count) {
        const char *text;
        size_t length, line = s->row_count + i + 1;
        if (!sg_arrow_array_view_is_valid(&c->view, first + i)) st = fill_null(s, k, 1, rows);
        else if (!sg_arrow_array_view_string(&c->view, first + i, &text, &length)) st = fail_string_bounds(c, line);
        else st = put_string(s, k, text, length, line, rows);
    }
    return st;
}

/* --- dictionaries --- */

/* The counters that the builder increments for the first occurrence must be incremented for each later one. */
sg_status sg_arrow_dict_entry_set_string(sg_arrow_dict_entry *e, sg_table_builder *s, size_t k, const char *text,
                                         size_t n, size_t line, double *row)
{
    const sg_column_builder *t = &s->column[k];
    size_t missing = t->missing_count, others = t->non_number_count, texts = t->text_count, dates = t->date_count;
    sg_status st = put_string(s, k, text, n, line, row);
    *e = (sg_arrow_dict_entry){.cell = row[k],
                               .known = st == SG_OK,
                               .is_missing = t->missing_count > missing,
                               .is_non_number = t->non_number_count > others,
                               .is_text = t->text_count > texts,
                               .is_date = t->date_count > dates};
    return st;
}

void sg_arrow_dict_entry_put(const sg_arrow_dict_entry *e, sg_column_builder *t, double *cell)
{
    *cell = e->cell;
    t->missing_count += e->is_missing;
    t->non_number_count += e->is_non_number;
    t->text_count += e->is_text;
    t->date_count += e->is_date;
}

/* Decodes a dictionary entry when it first occurs, and stores it in row[k]. */
static sg_status decode_entry(sg_arrow_column *c, sg_table_builder *s, size_t k, size_t entry, size_t line, double *row)
{
    const sg_arrow_array_view *v = &c->dictionary;
    const char *text;
    size_t length;
    double value = NAN;
    bool valid = v->format.type->type_class != SG_ARROW_NULL && sg_arrow_array_view_is_valid(v, entry);
    if (valid && v->format.type->type_class == SG_ARROW_STRING)
        return sg_arrow_array_view_string(v, entry, &text, &length)
                   ? sg_arrow_dict_entry_set_string(&c->entry[entry], s, k, text, length, line, row)
                   : fail_string_bounds(c, line);
    if (valid) sg_arrow_decode(&v->format, v->values, v->first + entry, 1, &value, 1);
    if (isinf(value)) return fail_not_finite(s, k, line);
    c->entry[entry] = (sg_arrow_dict_entry){
        .cell = isnan(value) ? (double)NAN : value, .known = true, .is_missing = isnan(value) != 0};
    sg_arrow_dict_entry_put(&c->entry[entry], &s->column[k], &row[k]);
    return SG_OK;
}

static sg_status fail_index(const sg_arrow_column *c, double index, size_t row)
{
    char name[64];
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": index %.0f is not in the dictionary of %zu entries",
                   SG_ARROW_NAME, row, quote_name(c->name, name, sizeof name), index, c->dictionary.length);
}

/* Decodes the indices in place, then replaces them with the entries. Doubles represent all valid indices exactly. */
static sg_status fill_dictionary(sg_arrow_column *c, sg_table_builder *s, size_t k, size_t first, size_t n,
                                 double *rows)
{
    const sg_arrow_array_view *v = &c->view;
    sg_status st = SG_OK;
    sg_arrow_decode(&v->format, v->values, v->first + first, n, rows + k, s->selection.read_count);
    for (size_t i = 0; st == SG_OK && i < n; i++, rows += s->selection.read_count) {
        double index = rows[k];
        if (!sg_arrow_array_view_is_valid(v, first + i)) st = fill_null(s, k, 1, rows);
        else if (!(index >= 0 && index < (double)c->dictionary.length)) st = fail_index(c, index, s->row_count + i + 1);
        else if (c->entry[(size_t)index].known)
            sg_arrow_dict_entry_put(&c->entry[(size_t)index], &s->column[k], &rows[k]);
        else st = decode_entry(c, s, k, (size_t)index, s->row_count + i + 1, rows);
    }
    return st;
}

sg_status sg_arrow_column_fill(sg_arrow_column *c, sg_table_builder *s, size_t k, size_t first, size_t n, double *rows)
{
    if (c->value_format.type) return fill_dictionary(c, s, k, first, n, rows);
    if (c->format.type->type_class == SG_ARROW_NULL) return fill_null(s, k, n, rows);
    return c->format.type->type_class == SG_ARROW_STRING ? fill_strings(c, s, k, first, n, rows)
                                                         : fill_numbers(c, s, k, first, n, rows);
}
