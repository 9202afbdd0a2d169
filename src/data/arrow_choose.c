/* arrow_choose.c: see arrow_choose.h. Times and what holds neither numbers nor categories is not read at all. */
#include "data/arrow_choose.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/names.h"

#include <stdlib.h>

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "%s: out of memory for its columns", SG_ARROW_NAME); }

void sg_arrow_columns_release(sg_arrow_columns *c)
{
    free(c->column);
    *c = (sg_arrow_columns){0};
}

/* --- names --- */

static sg_field field_of(const char *name)
{
    return (sg_field){.text = name ? name : "", .length = name ? strlen(name) : 0};
}

static sg_status start(sg_store *s, const sg_csv_how *how, const struct ArrowSchema *schema, const sg_source *beside)
{
    size_t own = (size_t)schema->n_children, others = beside ? beside->columns : 0;
    if (others > SG_CSV_COLUMNS - own)
        return sg_fail(SG_EDATA, "%s: more than %d columns", SG_ARROW_NAME, SG_CSV_COLUMNS);
    sg_field *names = sg_alloc(own + others, sizeof *names);
    if (!names) return no_memory();
    for (size_t i = 0; i < own; i++) names[i] = field_of(schema->children[i]->name);
    for (size_t i = 0; i < others; i++) names[own + i] = field_of(beside->names[i]);
    sg_status st = sg_store_start(s, SG_ARROW_NAME, how, names, own + others);
    s->columns.by_row = true;
    free(names);
    return st;
}

/* --- kinds --- */

/* Who says that a column is a category means it. */
static void set_kind(sg_kind *kind, bool category)
{
    if (category && (*kind == SG_KIND_JUDGED || *kind == SG_KIND_KEPT)) *kind = SG_KIND_WORDS;
}

static bool is_kept(const sg_store *s, const sg_arrow_column *c, sg_kind kind)
{
    sg_arrow_class is = sg_arrow_column_class(c);
    bool times = is == SG_ARROW_TIMES && !c->values.type && c->format.type->take;
    if (times && kind == SG_KIND_KEPT && !s->columns.how->wanted) return true; /* rows are grouped by them */
    return is != SG_ARROW_TIMES && is != SG_ARROW_OTHER;
}

/* One that is asked for can't be left out. */
static sg_status check_unasked(const sg_store *s, const sg_arrow_column *c, sg_kind kind)
{
    char name[64];
    if (!s->columns.how->wanted && kind == SG_KIND_JUDGED) return SG_OK;
    return sg_fail(SG_EDATA, "%s: column \"%s\" holds %s, and neither numbers nor categories", SG_ARROW_NAME,
                   sg_quotable(c->name, strlen(c->name), name, sizeof name),
                   sg_arrow_column_class(c) == SG_ARROW_TIMES ? "dates or times" : "values of another type");
}

static void tell(const sg_store *s, const bool *which, const char *what)
{
    sg_text list = {0};
    sg_names_list(s->columns.names, which, s->columns.count, &list);
    if (list.length && !list.failed) sg_notice(s->columns.how->notify, "left out %s: %s", what, list.bytes);
    sg_text_release(&list);
}

static sg_status choose(sg_store *s, const struct ArrowSchema *schema, const sg_arrow_beside *beside,
                        sg_arrow_columns *c, bool *times, bool *others)
{
    const sg_columns *of = &s->columns;
    size_t own = (size_t)schema->n_children;
    for (size_t k = 0; k < of->read_count;) {
        size_t i = of->reads[k];
        sg_arrow_column *column = &c->column[k];
        if (i < own) sg_arrow_column_init(column, schema->children[i], i);
        else *column = (sg_arrow_column){.child = i};
        column->name = of->names[i];
        bool kept = i >= own || is_kept(s, column, of->kind[i]);
        if (kept) {
            set_kind(&of->kind[i], i < own ? column->values.type != NULL : beside->entry[i - own] != NULL);
            c->beside += i >= own;
            k++;
            continue;
        }
        sg_status st = check_unasked(s, column, of->kind[i]);
        if (st != SG_OK) return st;
        *(sg_arrow_column_class(column) == SG_ARROW_TIMES ? &times[i] : &others[i]) = true;
        sg_store_drop(s, k);
    }
    return SG_OK;
}

sg_status sg_arrow_choose(sg_store *s, const sg_csv_how *how, const struct ArrowSchema *schema,
                          const sg_arrow_beside *beside, sg_arrow_columns *c)
{
    sg_status st = start(s, how, schema, beside->of);
    if (st != SG_OK) return st;
    bool *left = sg_alloc(2 * s->columns.count, sizeof *left); /* times, then others */
    c->column = sg_alloc(s->columns.read_count, sizeof *c->column);
    if (left && c->column) {
        st = choose(s, schema, beside, c, left, left + s->columns.count);
        if (st == SG_OK) tell(s, left, "dates");
        if (st == SG_OK) tell(s, left + s->columns.count, "columns that hold neither numbers nor categories");
    } else st = no_memory();
    free(left);
    return st;
}
