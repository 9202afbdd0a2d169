/* csv_columns.c: names of columns, which of them are read, and as what. */
#include "data/csv_columns.h"

#include "base/memory.h"
#include "data/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sg_columns_release(sg_columns *c)
{
    free(c->reads);
    free(c->kind);
    free(c->used);
    free(c->names);
    sg_text_release(&c->text);
}

static sg_status no_memory(const sg_columns *c)
{
    return sg_fail(SG_ENOMEM, "can't read %s: out of memory for %zu columns", c->file, c->count);
}

/* --- names --- */

/* What stands behind the file: `:1:3`, or nothing where there are no lines. */
static const char *place(const sg_field *header, size_t i, char *buf, size_t size)
{
    if (!header[i].line) return "";
    snprintf(buf, size, ":%zu:%zu", header[i].line, i + 1);
    return buf;
}

static sg_status check_name(const sg_columns *c, const sg_field *header, size_t i)
{
    char shown[64], at[64];
    const char *name = c->names[i];
    if (sg_name_valid(name)) return SG_OK;
    sg_quotable(name, strlen(name), shown, sizeof shown);
    return sg_fail(SG_EDATA, "%s%s: the column name \"%s\" is not UTF-8%s", c->file, place(header, i, at, sizeof at),
                   shown, header[i].line ? "; convert the file, for example with: iconv -f latin1 -t utf-8" : "");
}

/* Line breaks and escapes in a name would spoil every table it is printed in: blanks stand for them. */
static void add_name(sg_text *text, const sg_field *field)
{
    for (size_t i = 0; i < field->length; i++) {
        unsigned char c = (unsigned char)field->text[i];
        sg_text_bytes(text, c < 0x20 || c == 0x7f ? " " : &field->text[i], 1);
    }
}

static sg_status make_names(sg_columns *c, const sg_field *header)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!header) sg_text_format(&c->text, "c%zu", i + 1);
        else if (header[i].length == 0) sg_text_format(&c->text, "column%zu", i + 1);
        else add_name(&c->text, &header[i]);
        sg_text_bytes(&c->text, "", 1);
    }
    c->names = sg_alloc(c->count + 1, sizeof *c->names);
    if (c->text.failed || !c->names) return no_memory(c);
    const char *name = c->text.bytes;
    for (size_t i = 0; i < c->count; i++) {
        c->names[i] = name;
        name += strlen(name) + 1;
        sg_status st = header ? check_name(c, header, i) : SG_OK;
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

sg_status sg_columns_same(const sg_columns *c, const sg_field *header, const char *started)
{
    for (size_t i = 0; i < c->count; i++) {
        sg_text name = {0};
        char shown[64], expected[64];
        if (header[i].length == 0) sg_text_format(&name, "column%zu", i + 1);
        else add_name(&name, &header[i]);
        sg_text_bytes(&name, "", 1);
        if (name.failed) return no_memory(c);
        bool same = strcmp(name.bytes, c->names[i]) == 0;
        sg_quotable(name.bytes, strlen(name.bytes), shown, sizeof shown);
        sg_text_release(&name);
        if (!same)
            return sg_fail(SG_EDATA, "%s:%zu:%zu: \"%s\", expected \"%s\" as in the header of %s", c->file,
                           header[i].line, i + 1, shown,
                           sg_quotable(c->names[i], strlen(c->names[i]), expected, sizeof expected), started);
    }
    return SG_OK;
}

/* --- choosing --- */

static sg_status unknown(const sg_columns *c, const char *name, size_t length)
{
    char shown[64], meant[64], near[96] = "";
    sg_text there = {0};
    sg_quotable(name, length, shown, sizeof shown);
    const char *found = sg_suggest(shown, c->names);
    if (found)
        snprintf(near, sizeof near, " (did you mean \"%s\"?)", sg_quotable(found, strlen(found), meant, sizeof meant));
    sg_names_list(c->names, NULL, c->count, &there);
    sg_status st = SG_EDATA;
    if (there.failed) st = no_memory(c);
    else
        sg_fail(st, "%s: no column \"%s\"%s; %s %s", c->file, shown, near,
                c->header ? "the columns are" : "there is no header, so the columns are", there.bytes);
    sg_text_release(&there);
    return st;
}

/* Sets used[] of all columns of that name. */
static sg_status mark(sg_columns *c, const sg_named *sorted, const char *name, size_t length, bool use)
{
    const sg_named *found = sg_names_find(sorted, c->count, name, length);
    if (!found) return unknown(c, name, length);
    for (const sg_named *n = found; n < sorted + c->count && !strcmp(n->name, found->name); n++)
        c->used[n->column] = use;
    return SG_OK;
}

/* What is done with each of the names of a list. */
typedef sg_status mark_fn(sg_columns *c, const sg_named *sorted, const char *name, size_t length);

static sg_status mark_listed(sg_columns *c, const sg_named *sorted, const char *list, mark_fn *mark_one)
{
    sg_status st = SG_OK;
    for (const char *p = list; st == SG_OK && p && *p;) {
        size_t n = strcspn(p, ","), lead = strspn(p, " "), length = n;
        while (length > lead && p[length - 1] == ' ') length--;
        if (length > lead) st = mark_one(c, sorted, p + lead, length - lead);
        p += n + (p[n] == ',');
    }
    return st;
}

static sg_status mark_ignored(sg_columns *c, const sg_named *sorted, const char *name, size_t length)
{
    return mark(c, sorted, name, length, false);
}

static sg_status mark_wanted(sg_columns *c, const sg_named *sorted)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < c->how->wanted_count; i++)
        st = mark(c, sorted, c->how->wanted[i], strlen(c->how->wanted[i]), true);
    if (c->how->first) c->used[0] = true;
    return st;
}

static sg_status mark_used(sg_columns *c, const sg_named *sorted)
{
    if (c->how->wanted) return mark_wanted(c, sorted);
    for (size_t i = 0; i < c->count; i++) c->used[i] = true;
    return mark_listed(c, sorted, c->how->ignore, mark_ignored);
}

/* --- kinds --- */

/* Names of columns that nobody wants may stand in the options: they are for other files, too. */
static sg_status set_kind(sg_columns *c, const sg_named *sorted, const char *name, size_t length, sg_kind kind)
{
    char shown[64];
    const sg_named *found = sg_names_find(sorted, c->count, name, length);
    if (!found) return c->how->wanted ? SG_OK : unknown(c, name, length);
    for (const sg_named *n = found; n < sorted + c->count && !strcmp(n->name, found->name); n++) {
        if (c->kind[n->column] != SG_KIND_JUDGED && c->kind[n->column] != kind)
            return sg_fail(SG_EINVAL, "column \"%s\" can't be both --categorical and --numeric",
                           sg_quotable(name, length, shown, sizeof shown));
        c->kind[n->column] = kind;
    }
    return SG_OK;
}

static sg_status set_words(sg_columns *c, const sg_named *sorted, const char *name, size_t length)
{
    return set_kind(c, sorted, name, length, SG_KIND_WORDS);
}

static sg_status set_numbers(sg_columns *c, const sg_named *sorted, const char *name, size_t length)
{
    return set_kind(c, sorted, name, length, SG_KIND_NUMBERS);
}

/* Unless the options say what it is. */
static sg_status set_kept(sg_columns *c, const sg_named *sorted, const char *name)
{
    const sg_named *found = sg_names_find(sorted, c->count, name, strlen(name));
    bool said = found && c->kind[found->column] != SG_KIND_JUDGED;
    return said ? SG_OK : set_kind(c, sorted, name, strlen(name), SG_KIND_KEPT);
}

/* Who wants columns of known kinds knows better than the options. */
static sg_status set_kinds(sg_columns *c, const sg_named *sorted)
{
    sg_status st = SG_OK;
    const sg_csv_how *how = c->how;
    for (size_t i = 0; how->words && st == SG_OK && i < how->wanted_count; i++)
        st = set_kind(c, sorted, how->wanted[i], strlen(how->wanted[i]),
                      how->words[i] ? SG_KIND_WORDS : SG_KIND_NUMBERS);
    if (how->words) return st;
    st = mark_listed(c, sorted, how->categorical, set_words);
    if (st == SG_OK) st = mark_listed(c, sorted, how->numeric, set_numbers);
    return st == SG_OK && how->group && *how->group ? set_kept(c, sorted, how->group) : st;
}

/* Names that nobody asks for may well appear twice. */
static sg_status check_twins(const sg_columns *c, const sg_named *sorted, const sg_field *header)
{
    char shown[64], at[64];
    const sg_named *first, *second = sg_names_twin(sorted, c->count, c->used, &first);
    if (!second) return SG_OK;
    sg_quotable(second->name, strlen(second->name), shown, sizeof shown);
    return sg_fail(SG_EDATA, "%s%s: columns %zu and %zu are both named \"%s\"; rename one", c->file,
                   place(header, second->column, at, sizeof at), first->column + 1, second->column + 1, shown);
}

static sg_status mark_columns(sg_columns *c, const sg_field *header)
{
    sg_named *sorted;
    sg_status st = sg_names_sort(c->names, c->count, &sorted);
    if (st != SG_OK) return st;
    st = mark_used(c, sorted);
    if (st == SG_OK) st = set_kinds(c, sorted);
    if (st == SG_OK) st = check_twins(c, sorted, header);
    free(sorted);
    return st;
}

sg_status sg_columns_choose(sg_columns *c, const char *file, const sg_csv_how *how, const sg_field *header,
                            size_t count)
{
    *c = (sg_columns){.how = how, .file = file, .header = header, .count = count};
    c->used = sg_alloc(count, sizeof *c->used);
    c->kind = sg_alloc(count, sizeof *c->kind);
    c->reads = sg_alloc(count, sizeof *c->reads);
    if (!c->used || !c->kind || !c->reads) return no_memory(c);
    sg_status st = make_names(c, header);
    if (st == SG_OK) st = mark_columns(c, header);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < count; i++)
        if (c->used[i]) c->reads[c->read_count++] = i;
    return SG_OK;
}
