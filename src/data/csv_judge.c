/* csv_judge.c: cells that are no numbers: in a text column they are what it is made of, in any
 * other column a mistake in the file. Which of the two a column is shows at the end only. */
#include "data/csv_columns.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sentence for the bad cell of the k-th column that is read. */
static sg_status complain(const sg_columns *c, size_t k)
{
    const sg_tally *t = &c->tallies[k];
    size_t column = c->reads[k];
    char name[64];
    sg_quotable(c->names[column], strlen(c->names[column]), name, sizeof name);
    return sg_fail(SG_EDATA, "%s:%zu:%zu: \"%s\" is %s (column \"%s\")%s", t->file, t->line,
                   column + 1, t->shown, t->bad == SG_CELL_RANGE ? "out of range" : "not a number",
                   name, t->bad == SG_CELL_COMMAS ? "; the decimal sign must be a point" : "");
}

sg_status sg_columns_odd(sg_columns *c, size_t k, const sg_field *cell)
{
    sg_tally *t = &c->tallies[k];
    sg_cell kind = sg_cell_kind(cell, c->how->missing);
    t->texts += kind == SG_CELL_TEXT;
    t->missing += kind == SG_CELL_MISSING;
    if (kind == SG_CELL_MISSING || t->bad != SG_CELL_NUMBER) return SG_OK;
    char shown[48];
    t->shown = sg_copy(sg_quotable(cell->text, cell->length, shown, sizeof shown));
    t->file = sg_copy(c->file);
    if (!t->shown || !t->file) return sg_fail(SG_ENOMEM, "can't read %s: out of memory", c->file);
    t->bad = kind;
    t->found = ++c->found;
    t->line = cell->line;
    return c->how->wanted ? complain(c, k) : SG_OK;
}

static void tell(const sg_columns *c, const char *what, const bool *which)
{
    sg_text list = {0};
    sg_names_list(c->names, which, c->count, &list);
    if (list.length && !list.failed) sg_notice(c->how->notify, "left out %s: %s", what, list.bytes);
    sg_text_release(&list);
}

sg_status sg_columns_judge(sg_columns *c, size_t rows)
{
    size_t first = c->read_count, numbers = 0;
    for (size_t k = 0; k < c->read_count; k++) {
        const sg_tally *t = &c->tallies[k];
        bool text = t->texts > (rows - t->missing) / 2, empty = t->missing == rows && !c->how->wanted;
        c->texts[c->reads[k]] = text;
        c->empty[c->reads[k]] = empty;
        numbers += !text && !empty;
        if (text || t->bad == SG_CELL_NUMBER) continue;
        if (first == c->read_count || t->found < c->tallies[first].found) first = k;
    }
    if (first < c->read_count) return complain(c, first);
    if (numbers == 0 && !c->how->wanted)
        return sg_fail(SG_EDATA, "%s: no column of numbers is left", c->file);
    tell(c, "text columns", c->texts);
    tell(c, "columns without values", c->empty);
    return SG_OK;
}
