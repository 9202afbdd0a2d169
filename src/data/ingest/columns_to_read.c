/* columns_to_read.c: names the columns of a file, and selects which of them to read and as what type. */
#include "data/ingest/columns_to_read.h"

#include "base/memory.h"
#include "data/column_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sg_column_selection_release(sg_column_selection *c)
{
    sg_free_all(c->read_index, c->spec, c->used, c->names);
    sg_text_release(&c->name_text);
}

/* --- names --- */

/* Formats the position that follows the file name, such as `:1:3`, or nothing if the input has no lines. */
static const char *format_location(const sg_field *header, size_t i, char *buf, size_t size)
{
    if (!header[i].line) return "";
    snprintf(buf, size, ":%zu:%zu", header[i].line, i + 1);
    return buf;
}

static sg_status check_name(const sg_column_selection *c, const sg_field *header, size_t i)
{
    char shown[64], at[64];
    const char *name = c->names[i];
    if (sg_column_name_is_valid(name)) return SG_OK;
    sg_quote_excerpt(name, strlen(name), shown, sizeof shown);
    return sg_fail(SG_EDATA, "%s%s: the column name \"%s\" is not UTF-8%s", c->file,
                   format_location(header, i, at, sizeof at), shown,
                   header[i].line ? "; convert the file, for example with: iconv -f latin1 -t utf-8" : "");
}

/* Appends a name with blanks in place of control characters, which would spoil the tables in which it is printed. */
static void add_name(sg_text *text, const sg_field *field)
{
    for (size_t i = 0; i < field->length; i++) {
        unsigned char c = (unsigned char)field->text[i];
        sg_text_append_bytes(text, c < 0x20 || c == 0x7f ? " " : &field->text[i], 1);
    }
}

static sg_status make_names(sg_column_selection *c, const sg_field *header)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!header) sg_text_append_format(&c->name_text, "c%zu", i + 1);
        else if (header[i].length == 0) sg_text_append_format(&c->name_text, "column%zu", i + 1);
        else add_name(&c->name_text, &header[i]);
        sg_text_append_bytes(&c->name_text, "", 1);
    }
    c->names = sg_calloc(c->count + 1, sizeof *c->names);
    if (c->name_text.failed || !c->names) return sg_fail_read_memory(c->file);
    const char *name = c->name_text.bytes;
    for (size_t i = 0; i < c->count; i++) {
        c->names[i] = name;
        name += strlen(name) + 1;
        sg_status st = header ? check_name(c, header, i) : SG_OK;
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

sg_status sg_column_selection_check_header(const sg_column_selection *c, const sg_field *header, const char *first_file)
{
    for (size_t i = 0; i < c->count; i++) {
        sg_text name = {0};
        char shown[64];
        if (header[i].length == 0) sg_text_append_format(&name, "column%zu", i + 1);
        else add_name(&name, &header[i]);
        sg_text_append_bytes(&name, "", 1);
        if (name.failed) return sg_fail_read_memory(c->file);
        bool same = strcmp(name.bytes, c->names[i]) == 0;
        sg_quote_excerpt(name.bytes, strlen(name.bytes), shown, sizeof shown);
        sg_text_release(&name);
        if (!same)
            return sg_fail(SG_EDATA, "%s:%zu:%zu: the column name is \"%s\"; expected \"%s\", as in the header of %s",
                           c->file, header[i].line, i + 1, shown, SG_EXCERPT(c->names[i]), first_file);
    }
    return SG_OK;
}

/* --- selection --- */

static sg_status fail_unknown_column(const sg_column_selection *c, const char *name, size_t length)
{
    char shown[64], near[96] = "";
    sg_text there = {0};
    sg_quote_excerpt(name, length, shown, sizeof shown);
    const char *found = sg_suggest(shown, c->names);
    if (found) snprintf(near, sizeof near, " (did you mean \"%s\"?)", SG_EXCERPT(found));
    sg_column_names_join(c->names, NULL, c->count, &there);
    sg_status st = SG_EDATA;
    if (there.failed) st = sg_fail_read_memory(c->file);
    else
        sg_fail(st, "%s: there is no column \"%s\"%s; %s %s", c->file, shown, near,
                c->header ? "the columns are" : "there is no header, so the columns are", there.bytes);
    sg_text_release(&there);
    return st;
}

/* Sets used[] of all columns with that name to `use`. */
static sg_status set_used(sg_column_selection *c, const sg_named_column *sorted, const char *name, size_t length,
                          int use)
{
    const sg_named_column *found = sg_column_names_find(sorted, c->count, name, length);
    if (!found) return fail_unknown_column(c, name, length);
    for (const sg_named_column *n = found; n < sorted + c->count && !strcmp(n->name, found->name); n++)
        c->used[n->column] = use != 0;
    return SG_OK;
}

/* Calls `set` with `value` for each name in a comma-separated list. */
static sg_status set_listed(sg_column_selection *c, const sg_named_column *sorted, const char *list,
                            sg_status (*set)(sg_column_selection *c, const sg_named_column *sorted, const char *name,
                                             size_t length, int value),
                            int value)
{
    sg_status st = SG_OK;
    for (const char *p = list; st == SG_OK && p && *p;) {
        size_t n = strcspn(p, ","), lead = strspn(p, " "), length = n;
        while (length > lead && p[length - 1] == ' ') length--;
        if (length > lead) st = set(c, sorted, p + lead, length - lead, value);
        p += n + (p[n] == ',');
    }
    return st;
}

static sg_status mark_wanted(sg_column_selection *c, const sg_named_column *sorted)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < c->options->wanted_count; i++)
        st = set_used(c, sorted, c->options->wanted[i], strlen(c->options->wanted[i]), true);
    if (c->options->read_first_column) c->used[0] = true;
    return st;
}

static sg_status mark_used(sg_column_selection *c, const sg_named_column *sorted)
{
    if (c->options->wanted) return mark_wanted(c, sorted);
    for (size_t i = 0; i < c->count; i++) c->used[i] = true;
    return set_listed(c, sorted, c->options->ignore, set_used, false);
}

/* --- types --- */

/* Sets the type of all columns of that name. If `wanted` is set, an unknown name is not an error, because the options
 * may name columns of other files. */
static sg_status set_spec(sg_column_selection *c, const sg_named_column *sorted, const char *name, size_t length,
                          int spec)
{
    char shown[64];
    const sg_named_column *found = sg_column_names_find(sorted, c->count, name, length);
    if (!found) return c->options->wanted ? SG_OK : fail_unknown_column(c, name, length);
    for (const sg_named_column *n = found; n < sorted + c->count && !strcmp(n->name, found->name); n++) {
        if (c->spec[n->column] != SG_SPEC_INFER && c->spec[n->column] != (sg_column_spec)spec)
            return sg_fail(SG_EINVAL, "column \"%s\" is named in both --categorical and --numeric; remove it from one",
                           sg_quote_excerpt(name, length, shown, sizeof shown));
        c->spec[n->column] = (sg_column_spec)spec;
    }
    return SG_OK;
}

/* Keeps a column of any inferred type, unless the option `categorical` or `numeric` sets its type. */
static sg_status set_infer_keep(sg_column_selection *c, const sg_named_column *sorted, const char *name)
{
    const sg_named_column *found = sg_column_names_find(sorted, c->count, name, strlen(name));
    bool specified = found && c->spec[found->column] != SG_SPEC_INFER;
    return specified ? SG_OK : set_spec(c, sorted, name, strlen(name), SG_SPEC_INFER_KEEP);
}

/* Types that the caller requests take precedence over the options. */
static sg_status set_specs(sg_column_selection *c, const sg_named_column *sorted)
{
    sg_status st = SG_OK;
    const sg_read_options *options = c->options;
    for (size_t i = 0; options->wanted_categorical && st == SG_OK && i < options->wanted_count; i++)
        st = set_spec(c, sorted, options->wanted[i], strlen(options->wanted[i]),
                      options->wanted_categorical[i] ? SG_SPEC_CATEGORICAL : SG_SPEC_NUMERIC);
    if (options->wanted_categorical) return st;
    st = set_listed(c, sorted, options->categorical, set_spec, SG_SPEC_CATEGORICAL);
    if (st == SG_OK) st = set_listed(c, sorted, options->numeric, set_spec, SG_SPEC_NUMERIC);
    return st == SG_OK && options->group && *options->group ? set_infer_keep(c, sorted, options->group) : st;
}

/* Fails if two used columns have the same name. Unused columns may share names. */
static sg_status check_duplicates(const sg_column_selection *c, const sg_named_column *sorted, const sg_field *header)
{
    char shown[64], at[64];
    const sg_named_column *first, *second = sg_column_names_find_duplicate(sorted, c->count, c->used, &first);
    if (!second) return SG_OK;
    sg_quote_excerpt(second->name, strlen(second->name), shown, sizeof shown);
    return sg_fail(SG_EDATA, "%s%s: columns %zu and %zu are both named \"%s\"; rename one of them", c->file,
                   format_location(header, second->column, at, sizeof at), first->column + 1, second->column + 1,
                   shown);
}

static sg_status resolve_columns(sg_column_selection *c, const sg_field *header)
{
    sg_named_column *sorted;
    sg_status st = sg_column_names_sort(c->names, c->count, &sorted);
    if (st != SG_OK) return st;
    st = mark_used(c, sorted);
    if (st == SG_OK) st = set_specs(c, sorted);
    if (st == SG_OK) st = check_duplicates(c, sorted, header);
    free(sorted);
    return st;
}

sg_status sg_column_selection_init(sg_column_selection *c, const char *file, const sg_read_options *options,
                                   const sg_field *header, size_t count)
{
    *c = (sg_column_selection){.options = options, .file = file, .header = header, .count = count};
    c->used = sg_calloc(count, sizeof *c->used);
    c->spec = sg_calloc(count, sizeof *c->spec);
    c->read_index = sg_calloc(count, sizeof *c->read_index);
    if (!c->used || !c->spec || !c->read_index) return sg_fail_read_memory(c->file);
    sg_status st = make_names(c, header);
    if (st == SG_OK) st = resolve_columns(c, header);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < count; i++)
        if (c->used[i]) c->read_index[c->read_count++] = i;
    return SG_OK;
}
