/* npy_levels.c: finds the levels of the string columns of a .npy file, in one pass when the file is opened. Later reads
 * look up strings among these levels. */
#include "data/format/npy/npy_columns.h"

#include "base/memory.h"
#include "data/column_names.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(const sg_npy_columns *c, size_t k, char *buf, size_t size)
{
    return sg_quote_excerpt(c->names[k], strlen(c->names[k]), buf, size);
}

/* --- one cell --- */

static bool is_missing_code(const sg_npy_columns *c, double value)
{
    double code;
    for (size_t i = 0; sg_missing_code_parse(c->options->missing, i, &code); i++)
        if (value == code) return true;
    return false;
}

static sg_status add_level(sg_npy_columns *c, sg_column_builder *t, const sg_field *cell, bool number, double value)
{
    uint32_t code;
    if (t->overflowed) return SG_OK;
    sg_intern_result got = number ? sg_string_table_intern_number(&t->levels, value, &code)
                                  : sg_string_table_intern(&t->levels, cell->text, cell->length, &code);
    if (got == SG_INTERN_NO_MEMORY) return sg_fail_read_memory(c->file);
    if (got == SG_INTERN_FULL) {
        t->overflowed = true;
        sg_string_table_release(&t->levels);
    }
    return SG_OK;
}

static sg_status add_text(sg_npy_columns *c, sg_column_builder *t, const char *text, size_t n)
{
    sg_field cell = {.text = text, .length = n};
    double value;
    bool number = sg_number_parse(text, n, &value) == SG_NUMBER_OK;
    if (number ? is_missing_code(c, value) : sg_cell_classify(&cell, c->options->missing) == SG_CELL_MISSING)
        return SG_OK;
    t->non_number_count++;
    t->date_count += sg_looks_like_date(text, n);
    return add_level(c, t, &cell, number, value);
}

/* --- all cells --- */

static sg_status add_column(sg_npy_columns *c, size_t k, const char *bytes, size_t first, size_t rows)
{
    const sg_npy_column *column = &c->column[k];
    char name[64], text[SG_NPY_TEXT_MAX];
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows; i++) {
        ptrdiff_t n = sg_npy_text_decode(column, bytes + column->offset + i * column->stride, text);
        if (n == SG_NPY_TEXT_INVALID)
            return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": the string is not valid Unicode", c->file,
                           first + i + 1, name_of(c, k, name, sizeof name));
        st = add_text(c, c->builder[k], text, (size_t)n);
    }
    return st;
}

sg_status sg_npy_levels_add(sg_npy_columns *c, const char *bytes, size_t first, size_t rows)
{
    sg_status st = SG_OK;
    for (size_t k = 0; st == SG_OK && k < c->count; k++)
        if (c->builder[k]) st = add_column(c, k, bytes, first, rows);
    return st;
}

/* --- column types --- */

static sg_status infer_column(sg_npy_columns *c, size_t k)
{
    char name[64];
    sg_column_builder *t = c->builder[k];
    sg_type_evidence evidence = sg_type_evidence_of(t, 0);
    t->type = sg_infer_text_type(&evidence, c->options->wanted || c->spec[k] == SG_SPEC_CATEGORICAL ||
                                                c->spec[k] == SG_SPEC_INFER_KEEP);
    if (t->type != SG_COLUMN_CATEGORICAL || !t->overflowed) return SG_OK;
    return sg_fail(
        SG_EDATA,
        "%s: column \"%s\" can't be categorical: it has more than %d distinct values, or its values are too long",
        c->file, name_of(c, k, name, sizeof name), SG_LEVELS_MAX);
}

static sg_status notify_type(const sg_npy_columns *c, sg_column_type type, const char *what)
{
    bool *dropped = sg_calloc(c->count, sizeof *dropped);
    if (!dropped) return sg_fail_read_memory(c->file);
    for (size_t k = 0; k < c->count; k++) dropped[k] = c->builder[k] && c->builder[k]->type == type;
    sg_notice_dropped_columns(c->options->notify, what, c->names, dropped, c->count);
    free(dropped);
    return SG_OK;
}

/* Removes column k, and moves its name to those of the dropped columns. */
static void drop_column(sg_npy_columns *c, size_t k)
{
    size_t after = c->count - k - 1;
    const char *name = c->names[k];
    c->text_columns--;
    sg_string_table_release(&c->builder[k]->levels);
    free(c->builder[k]);
    memmove(&c->builder[k], &c->builder[k + 1], after * sizeof *c->builder);
    memmove(&c->column[k], &c->column[k + 1], after * sizeof *c->column);
    memmove(&c->names[k], &c->names[k + 1], (after + c->dropped) * sizeof *c->names);
    c->names[--c->count + c->dropped++] = name;
}

sg_status sg_npy_levels_infer_types(sg_npy_columns *c)
{
    sg_status st = SG_OK;
    for (size_t k = 0; st == SG_OK && k < c->count; k++)
        if (c->builder[k]) st = infer_column(c, k);
    if (st == SG_OK) st = notify_type(c, SG_COLUMN_DATE, "dates");
    if (st == SG_OK) st = notify_type(c, SG_COLUMN_IDENTIFIER, "identifiers");
    if (st != SG_OK) return st;
    for (size_t k = c->count; k-- > 0;)
        if (c->builder[k] && c->builder[k]->type != SG_COLUMN_CATEGORICAL) drop_column(c, k);
    for (size_t k = 0; k < c->count; k++)
        if (c->builder[k]) c->column[k].levels = &c->builder[k]->levels;
    return c->count ? SG_OK : sg_fail(SG_EDATA, "%s: no numeric or categorical column is left", c->file);
}
