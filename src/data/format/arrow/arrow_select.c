/* arrow_select.c: see arrow_select.h. Times and what holds neither numbers nor categories is not read at all. */
#include "data/format/arrow/arrow_select.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/column_names.h"

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

static sg_status init_builder(sg_table_builder *s, const sg_read_options *options, const struct ArrowSchema *schema,
                              const sg_source *extra)
{
    size_t own = (size_t)schema->n_children, others = extra ? extra->columns : 0;
    if (others > SG_COLUMNS_MAX - own)
        return sg_fail(SG_EDATA, "%s: more than %d columns", SG_ARROW_NAME, SG_COLUMNS_MAX);
    sg_field *names = sg_calloc(own + others, sizeof *names);
    if (!names) return no_memory();
    for (size_t i = 0; i < own; i++) names[i] = field_of(schema->children[i]->name);
    for (size_t i = 0; i < others; i++) names[own + i] = field_of(extra->names[i]);
    sg_status st = sg_table_builder_init(s, SG_ARROW_NAME, options, names, own + others);
    s->selection.locate_by_row = true;
    free(names);
    return st;
}

/* --- kinds --- */

/* Who says that a column is a category means it. */
static void set_spec(sg_column_spec *kind, bool category)
{
    if (category && (*kind == SG_SPEC_INFER || *kind == SG_SPEC_INFER_KEEP)) *kind = SG_SPEC_CATEGORICAL;
}

static bool is_kept(const sg_table_builder *s, const sg_arrow_column *c, sg_column_spec kind)
{
    sg_arrow_class is = sg_arrow_column_class(c);
    bool times = is == SG_ARROW_TEMPORAL && !c->value_format.type && c->format.type->decode;
    if (times && kind == SG_SPEC_INFER_KEEP && !s->selection.options->wanted)
        return true; /* rows are grouped by them */
    return is != SG_ARROW_TEMPORAL && is != SG_ARROW_OTHER;
}

/* One that is asked for can't be left out. */
static sg_status check_not_wanted(const sg_table_builder *s, const sg_arrow_column *c, sg_column_spec kind)
{
    char name[64];
    if (!s->selection.options->wanted && kind == SG_SPEC_INFER) return SG_OK;
    return sg_fail(SG_EDATA, "%s: column \"%s\" holds %s, and neither numbers nor categories", SG_ARROW_NAME,
                   sg_quote_excerpt(c->name, strlen(c->name), name, sizeof name),
                   sg_arrow_column_class(c) == SG_ARROW_TEMPORAL ? "dates or times" : "values of another type");
}

static void notify_dropped_columns(const sg_table_builder *s, const bool *which, const char *what)
{
    sg_text list = {0};
    sg_column_names_join(s->selection.names, which, s->selection.count, &list);
    if (list.length && !list.failed) sg_notice(s->selection.options->notify, "left out %s: %s", what, list.bytes);
    sg_text_release(&list);
}

static sg_status select_columns(sg_table_builder *s, const struct ArrowSchema *schema, const sg_arrow_extra *extra,
                                sg_arrow_columns *c, bool *times, bool *others)
{
    const sg_column_selection *of = &s->selection;
    size_t own = (size_t)schema->n_children;
    for (size_t k = 0; k < of->read_count;) {
        size_t i = of->read_index[k];
        sg_arrow_column *column = &c->column[k];
        if (i < own) sg_arrow_column_init(column, schema->children[i], i);
        else *column = (sg_arrow_column){.child = i};
        column->name = of->names[i];
        bool kept = i >= own || is_kept(s, column, of->spec[i]);
        if (kept) {
            set_spec(&of->spec[i], i < own ? column->value_format.type != NULL : extra->entry[i - own] != NULL);
            c->extra += i >= own;
            k++;
            continue;
        }
        sg_status st = check_not_wanted(s, column, of->spec[i]);
        if (st != SG_OK) return st;
        *(sg_arrow_column_class(column) == SG_ARROW_TEMPORAL ? &times[i] : &others[i]) = true;
        sg_table_builder_drop_column(s, k);
    }
    return SG_OK;
}

sg_status sg_arrow_columns_select(sg_table_builder *s, const sg_read_options *options, const struct ArrowSchema *schema,
                                  const sg_arrow_extra *extra, sg_arrow_columns *c)
{
    sg_status st = init_builder(s, options, schema, extra->source);
    if (st != SG_OK) return st;
    bool *left = sg_calloc(2 * s->selection.count, sizeof *left); /* times, then others */
    c->column = sg_calloc(s->selection.read_count, sizeof *c->column);
    if (left && c->column) {
        st = select_columns(s, schema, extra, c, left, left + s->selection.count);
        if (st == SG_OK) notify_dropped_columns(s, left, "dates");
        if (st == SG_OK)
            notify_dropped_columns(s, left + s->selection.count, "columns that hold neither numbers nor categories");
    } else st = no_memory();
    free(left);
    return st;
}
