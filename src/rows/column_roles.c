/* column_roles.c: assigns roles to columns. It is the only file of src/rows that reads options by name. */
#include "rows/column_roles.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static sg_status fail_unknown_column(const sg_source *s, const char *name)
{
    sg_text list = {0};
    const char **names = sg_calloc(s->columns + 1, sizeof *names);
    for (size_t i = 0; i < s->columns; i++) {
        if (names) names[i] = s->names[i];
        if (i < 20) sg_text_append_format(&list, "%s%s", i ? ", " : "", s->names[i]);
        else if (i == 20) sg_text_append_format(&list, ", ... (%zu in all)", s->columns);
    }
    const char *near = names ? sg_suggest(name, names) : NULL;
    char shown[64];
    sg_quote_excerpt(name, strlen(name), shown, sizeof shown);
    sg_fail(SG_EDATA, "%s: there is no column \"%s\"%s%s%s; found %s", sg_source_name(s), shown,
            near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "", list.bytes ? list.bytes : "none");
    free(names);
    sg_text_release(&list);
    return SG_EDATA;
}

static sg_status find_column(const sg_source *s, const char *name, size_t *out)
{
    for (size_t i = 0; i < s->columns; i++)
        if (strcmp(s->names[i], name) == 0) {
            *out = i;
            return SG_OK;
        }
    return fail_unknown_column(s, name);
}

static sg_status find_numeric_column(const sg_source *s, const char *name, size_t *out)
{
    char shown[64];
    sg_status st = find_column(s, name, out);
    if (st != SG_OK || !sg_source_is_categorical(s, *out)) return st;
    return sg_fail(SG_EDATA, "%s: column \"%s\" contains text; expected numbers", sg_source_name(s),
                   sg_quote_excerpt(name, strlen(name), shown, sizeof shown));
}

static sg_status alloc_roles(sg_column_roles *c, size_t inputs, size_t targets)
{
    c->input = sg_calloc(inputs + targets, sizeof *c->input);
    if (!c->input) return sg_fail_out_of_memory("the list of columns");
    c->target = c->input + inputs;
    return SG_OK;
}

sg_status sg_column_roles_copy(const sg_column_roles *c, sg_column_roles *out)
{
    sg_column_roles copy = {.inputs = c->inputs, .targets = c->targets, .weight = c->weight};
    sg_status st = alloc_roles(&copy, c->inputs, c->targets);
    if (st != SG_OK) return st;
    memcpy(copy.input, c->input, c->inputs * sizeof *c->input);
    if (c->targets) memcpy(copy.target, c->target, c->targets * sizeof *c->target);
    *out = copy;
    return SG_OK;
}

void sg_column_roles_release(sg_column_roles *c)
{
    free(c->input);
    *c = (sg_column_roles){0};
}

/* --- categories --- */

static bool is_listed(const sg_options *o, const char *option, const char *column)
{
    char name[512];
    for (size_t i = 0; sg_options_list_item(o, option, i, name, sizeof name); i++)
        if (strcmp(name, column) == 0) return true;
    return false;
}

bool sg_column_is_category(const sg_options *o, const sg_source *s, size_t column)
{
    return sg_source_is_categorical(s, column) || is_listed(o, "categorical", s->names[column]);
}

enum { INPUT, TARGET, EXCLUDED };

/* Checks that every column named by --categorical is an input, unless it is ignored or the group column. */
static sg_status check_categorical(const sg_options *o, const sg_source *s, const char *role)
{
    char name[512];
    for (size_t i = 0, at = 0; sg_options_list_item(o, "categorical", i, name, sizeof name); i++) {
        if (is_listed(o, "ignore", name) || strcmp(name, sg_options_text(o, "group")) == 0) continue;
        sg_status st = find_column(s, name, &at);
        if (st != SG_OK) return st;
        if (role[at] != INPUT)
            return sg_fail(SG_EINVAL,
                           "column \"%s\" is named by --categorical, but targets and weights must be numeric", name);
    }
    return SG_OK;
}

static sg_status fail_two_roles(const char *name)
{
    return sg_fail(SG_EINVAL, "column \"%s\" is given two roles by --targets, --ignore, --group or --weights", name);
}

/* Marks the columns that an option names with new_role, and lists them in this order in `found` unless it is NULL. */
static sg_status mark_columns(const sg_options *o, const char *option, const sg_source *s, char new_role, char *role,
                              size_t *found, size_t *count)
{
    char name[512];
    for (size_t i = 0, at = 0; sg_options_list_item(o, option, i, name, sizeof name); i++) {
        sg_status st = new_role == TARGET ? find_numeric_column(s, name, &at) : find_column(s, name, &at);
        /* Files are read without ignored columns. */
        if (st != SG_OK && new_role == EXCLUDED) continue;
        if (st != SG_OK) return st;
        if (role[at] != INPUT) return fail_two_roles(name);
        role[at] = new_role;
        if (found) found[(*count)++] = at;
    }
    return SG_OK;
}

sg_status sg_group_column(const sg_options *o, const sg_source *s, size_t *out)
{
    const char *group = sg_options_text(o, "group");
    *out = SG_NO_COLUMN;
    return *group ? find_column(s, group, out) : SG_OK;
}

/* Excludes the group column. Checks --ignore by name, since files are read without ignored columns. */
static sg_status mark_group(const sg_options *o, const sg_source *s, char *role)
{
    size_t at;
    const char *group = sg_options_text(o, "group");
    if (is_listed(o, "ignore", group)) return fail_two_roles(group);
    sg_status st = sg_group_column(o, s, &at);
    if (st != SG_OK || at == SG_NO_COLUMN) return st;
    if (role[at] != INPUT) return fail_two_roles(group);
    role[at] = EXCLUDED;
    return SG_OK;
}

/* target (columns) receives the targets in the order in which the user named them. */
static sg_status assign_roles(const sg_options *o, const sg_source *s, char *role, size_t *target, sg_column_roles *c)
{
    const char *weights = sg_options_text(o, "weights");
    sg_status st = mark_columns(o, "ignore", s, EXCLUDED, role, NULL, NULL);
    if (st == SG_OK && s->weight_column) st = find_numeric_column(s, s->weight_column, &c->weight);
    if (st == SG_OK && s->weight_column) role[c->weight] = EXCLUDED;
    if (st == SG_OK && *weights) st = find_numeric_column(s, weights, &c->weight);
    if (st == SG_OK && *weights) role[c->weight] = EXCLUDED;
    if (st == SG_OK) st = mark_group(o, s, role);
    if (st == SG_OK) st = mark_columns(o, "targets", s, TARGET, role, target, &c->targets);
    for (size_t i = s->columns; st == SG_OK && c->targets == 0 && i-- > 0;) /* by default the last numeric column */
        if (role[i] == INPUT && !sg_column_is_category(o, s, i)) {
            role[i] = TARGET;
            target[c->targets++] = i;
        }
    for (size_t i = 0; i < s->columns; i++) c->inputs += role[i] == INPUT;
    return st == SG_OK ? check_categorical(o, s, role) : st;
}

static sg_status fail_no_columns(const sg_source *s)
{
    size_t numeric = 0;
    for (size_t i = 0; i < s->columns; i++) numeric += !sg_source_is_categorical(s, i);
    return sg_fail(SG_EDATA, "%s: expected at least one input column and one target, found %zu numeric column%s",
                   sg_source_name(s), numeric, numeric == 1 ? "" : "s");
}

sg_status sg_column_roles_from_options(const sg_options *o, const sg_source *s, sg_column_roles *out)
{
    sg_column_roles c = {.weight = SG_NO_COLUMN};
    char *role = sg_calloc(s->columns, 1);
    size_t *target = sg_calloc(s->columns, sizeof *target), n = 0;
    sg_status st = role && target ? assign_roles(o, s, role, target, &c) : sg_fail_out_of_memory("the list of columns");
    if (st == SG_OK && (c.inputs == 0 || c.targets == 0)) st = fail_no_columns(s);
    if (st == SG_OK) st = alloc_roles(&c, c.inputs, c.targets);
    for (size_t i = 0; st == SG_OK && i < s->columns; i++)
        if (role[i] == INPUT) c.input[n++] = i;
    if (st == SG_OK) {
        memcpy(c.target, target, c.targets * sizeof *target);
        *out = c;
    }
    free(role);
    free(target);
    return st;
}

/* Returns the weight column of the source, or NULL if there is none or it is an input of the model. */
static const char *source_weights(const sg_source *s, char *const *inputs, size_t count)
{
    for (size_t i = 0; s->weight_column && i < count; i++)
        if (strcmp(inputs[i], s->weight_column) == 0) return NULL;
    return s->weight_column;
}

sg_status sg_column_roles_by_name(const sg_source *s, char *const *inputs, size_t input_count, char *const *targets,
                                  size_t target_count, const char *weights, sg_column_roles *out)
{
    sg_column_roles c = {.inputs = input_count, .targets = target_count, .weight = SG_NO_COLUMN};
    sg_status st = alloc_roles(&c, input_count, target_count);
    for (size_t i = 0; st == SG_OK && i < input_count; i++) st = find_column(s, inputs[i], &c.input[i]);
    for (size_t i = 0; st == SG_OK && i < target_count; i++) st = find_numeric_column(s, targets[i], &c.target[i]);
    if (target_count && !(weights && *weights)) weights = source_weights(s, inputs, input_count);
    if (st == SG_OK && weights && *weights) st = find_numeric_column(s, weights, &c.weight);
    if (st != SG_OK) sg_column_roles_release(&c);
    else *out = c;
    return st;
}

sg_status sg_target_count(const sg_options *o, const sg_source *rows, size_t *out)
{
    sg_column_roles c;
    sg_status st = sg_column_roles_from_options(o, rows, &c);
    if (st != SG_OK) return st;
    *out = c.targets;
    sg_column_roles_release(&c);
    return SG_OK;
}

sg_status sg_target_name(const sg_options *o, const sg_source *rows, size_t i, const char **out)
{
    sg_column_roles c;
    sg_status st = sg_column_roles_from_options(o, rows, &c);
    if (st != SG_OK) return st;
    if (i < c.targets) *out = rows->names[c.target[i]];
    else st = sg_fail(SG_EINVAL, "there is no target %zu; the number of targets is %zu", i + 1, c.targets);
    sg_column_roles_release(&c);
    return st;
}
