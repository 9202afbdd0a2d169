/* npy_words.c: which words the texts of a .npy file hold. They are read once when it is opened; from then on a text is
 * looked up wherever a row is read. */
#include "data/npy_columns.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/date.h"
#include "data/names.h"
#include "data/npy_text.h"

#include <stdlib.h>
#include <string.h>

static sg_status no_memory(const sg_npy_columns *c)
{
    return sg_fail(SG_ENOMEM, "can't read %s: out of memory for its texts", c->file);
}

static const char *name_of(const sg_npy_columns *c, size_t k, char *buf, size_t size)
{
    return sg_quotable(c->names[k], strlen(c->names[k]), buf, size);
}

/* --- one text --- */

static bool is_code(const sg_npy_columns *c, double value)
{
    double code;
    for (size_t i = 0; sg_cell_code(c->how->missing, i, &code); i++)
        if (value == code) return true;
    return false;
}

static sg_status add_level(sg_npy_columns *c, sg_column_tally *t, const sg_field *cell, bool number, double value)
{
    uint32_t code;
    if (t->crowded) return SG_OK;
    sg_leveled got = number ? sg_levels_add_number(&t->levels, value, &code)
                            : sg_levels_add(&t->levels, cell->text, cell->length, &code);
    if (got == SG_LEVEL_NO_MEMORY) return no_memory(c);
    if (got == SG_LEVEL_FULL) {
        t->crowded = true;
        sg_levels_release(&t->levels);
    }
    return SG_OK;
}

static sg_status add_text(sg_npy_columns *c, sg_column_tally *t, const char *text, size_t n)
{
    sg_field cell = {.text = text, .length = n};
    double value;
    bool number = sg_number_parse(text, n, &value) == SG_NUMBER_OK;
    if (number ? is_code(c, value) : sg_cell_kind(&cell, c->how->missing) == SG_CELL_MISSING) return SG_OK;
    t->words++;
    t->dates += sg_looks_like_date(text, n);
    return add_level(c, t, &cell, number, value);
}

/* --- all of them --- */

static sg_status add_column(sg_npy_columns *c, size_t k, const char *bytes, size_t first, size_t rows)
{
    const sg_npy_column *column = &c->column[k];
    char name[64], text[SG_NPY_TEXT];
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows; i++) {
        ptrdiff_t n = sg_npy_text(column, bytes + column->start + i * column->step, text);
        if (n == SG_NPY_NO_TEXT)
            return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": not UTF-8", c->file, first + i + 1,
                           name_of(c, k, name, sizeof name));
        st = add_text(c, c->tally[k], text, (size_t)n);
    }
    return st;
}

sg_status sg_npy_words_add(sg_npy_columns *c, const char *bytes, size_t first, size_t rows)
{
    sg_status st = SG_OK;
    for (size_t k = 0; st == SG_OK && k < c->count; k++)
        if (c->tally[k]) st = add_column(c, k, bytes, first, rows);
    return st;
}

/* --- what they are --- */

static sg_status judge(sg_npy_columns *c, size_t k)
{
    char name[64];
    sg_column_tally *t = c->tally[k];
    sg_facts facts = sg_facts_of(t, 0);
    t->fate = sg_fate_of_words(&facts, c->how->wanted || c->kind[k] == SG_KIND_WORDS || c->kind[k] == SG_KIND_KEPT);
    if (t->fate != SG_FATE_WORDS || !t->crowded) return SG_OK;
    return sg_fail(SG_EDATA, "%s: column \"%s\" has more than %d different words, or too long ones, for categories",
                   c->file, name_of(c, k, name, sizeof name), SG_LEVELS_MOST);
}

static sg_status tell(const sg_npy_columns *c, sg_fate fate, const char *what)
{
    sg_text list = {0};
    bool *which = sg_alloc(c->count, sizeof *which);
    if (!which) return no_memory(c);
    for (size_t k = 0; k < c->count; k++) which[k] = c->tally[k] && c->tally[k]->fate == fate;
    sg_names_list(c->names, which, c->count, &list);
    if (list.length && !list.failed) sg_notice(c->how->notify, "left out %s: %s", what, list.bytes);
    sg_text_release(&list);
    free(which);
    return SG_OK;
}

/* Moves the column behind those that are read. */
static void leave_out(sg_npy_columns *c, size_t k)
{
    size_t after = c->count - k - 1;
    const char *name = c->names[k];
    c->texts--;
    sg_levels_release(&c->tally[k]->levels);
    free(c->tally[k]);
    memmove(&c->tally[k], &c->tally[k + 1], after * sizeof *c->tally);
    memmove(&c->column[k], &c->column[k + 1], after * sizeof *c->column);
    memmove(&c->names[k], &c->names[k + 1], (after + c->left_out) * sizeof *c->names);
    c->names[--c->count + c->left_out++] = name;
}

sg_status sg_npy_words_judge(sg_npy_columns *c)
{
    sg_status st = SG_OK;
    for (size_t k = 0; st == SG_OK && k < c->count; k++)
        if (c->tally[k]) st = judge(c, k);
    if (st == SG_OK) st = tell(c, SG_FATE_DATES, "dates");
    if (st == SG_OK) st = tell(c, SG_FATE_IDENTIFIERS, "identifiers");
    if (st != SG_OK) return st;
    for (size_t k = c->count; k-- > 0;)
        if (c->tally[k] && c->tally[k]->fate != SG_FATE_WORDS) leave_out(c, k);
    for (size_t k = 0; k < c->count; k++)
        if (c->tally[k]) c->column[k].levels = &c->tally[k]->levels;
    return c->count ? SG_OK : sg_fail(SG_EDATA, "%s: no column of numbers or categories is left", c->file);
}
