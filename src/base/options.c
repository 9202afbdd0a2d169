/* options.c: stores option values by name, validates them, and applies presets and configuration files. */
#include "base/options.h"

#include "base/byte_size.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "base/whole_file.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sg_options {
    const sg_option *table;
    const sg_preset *presets;
    size_t count, preset_count;
    char **user_values;   /* (count) values set by the user; NULL if not set */
    char **preset_values; /* (count) values set by the preset; NULL if not set */
    sg_notice_fn *notice;
    void *notice_arg;
    sg_cancel_fn *cancel;
    void *cancel_arg;
    const sg_comm *comm; /* communicator for distributed reading, or NULL */
    bool local_files;
};

static void clear_values(char **values, size_t n)
{
    for (size_t i = 0; values && i < n; i++) {
        free(values[i]);
        values[i] = NULL;
    }
}

void sg_options_free(sg_options *o)
{
    if (!o) return;
    clear_values(o->user_values, o->count);
    clear_values(o->preset_values, o->count);
    sg_free_all(o->user_values, o->preset_values, o);
}

void sg_options_on_notice(sg_options *o, sg_notice_fn *fn, void *arg)
{
    o->notice = fn;
    o->notice_arg = arg;
}

void sg_options_on_cancel(sg_options *o, sg_cancel_fn *fn, void *arg)
{
    o->cancel = fn;
    o->cancel_arg = arg;
}

bool sg_options_is_cancelled(const sg_options *o, size_t done)
{
    return o && o->cancel && o->cancel(o->cancel_arg, done, 0);
}

void sg_options_set_comm(sg_options *o, const sg_comm *comm, int local)
{
    o->comm = comm;
    o->local_files = local != 0;
}

const sg_comm *sg_options_comm(const sg_options *o, bool *local)
{
    *local = o && o->local_files;
    return o && o->comm && o->comm->ranks > 1 ? o->comm : NULL;
}

void sg_notice(const sg_options *o, const char *format, ...)
{
    if (!o || !o->notice) return;
    char sentence[1024], quoted[sizeof sentence];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    o->notice(o->notice_arg, sg_escape_message(sentence, quoted, sizeof quoted));
}

static size_t find_option(const sg_options *o, const char *name)
{
    size_t i = 0;
    while (i < o->count && strcmp(o->table[i].name, name) != 0) i++;
    return i;
}

const char *sg_option_choice(const sg_option *option, size_t i, char *buf, size_t size)
{
    if (option->choice_at) return option->choice_at(i);
    const char *p = option->choices;
    while (p && i > 0) {
        p = strchr(p, '|');
        if (p) p++;
        i--;
    }
    if (!p) return NULL;
    size_t n = strcspn(p, "|");
    if (n >= size) n = size - 1;
    memcpy(buf, p, n);
    buf[n] = '\0';
    return buf;
}

/* --- Validation --- */

/* Returns the default value of a numeric option if it is a word such as "none", and NULL otherwise. */
static const char *non_numeric_default(const sg_option *row)
{
    double x;
    return sg_number_parse(row->default_value, strlen(row->default_value), &x) == SG_NUMBER_OK ? NULL
                                                                                               : row->default_value;
}

static sg_status out_of_bounds(const sg_option *row, const char *value)
{
    char quoted[64], low[SG_NUMBER_BUFFER_SIZE], high[SG_NUMBER_BUFFER_SIZE];
    bool whole = row->type != SG_OPTION_REAL;
    const char *word = row->type == SG_OPTION_REAL ? non_numeric_default(row) : NULL;
    return sg_fail(SG_EINVAL, "--%s: expected %s from %s to %s%s%s, got \"%s\"", row->name,
                   row->type == SG_OPTION_INTEGER_LIST ? "whole numbers"
                   : whole                             ? "a whole number"
                                                       : "a number",
                   sg_number_format_shortest(row->low, low), sg_number_format_shortest(row->high, high),
                   word ? " or " : "", word ? word : "", sg_quote_excerpt(value, strlen(value), quoted, sizeof quoted));
}

static sg_status check_bytes(const sg_option *row, const char *value, sg_text *out)
{
    char quoted[64];
    double bytes;
    if (sg_byte_size_parse(value, strlen(value), &bytes) && bytes >= row->low && bytes <= row->high) {
        sg_text_append_byte_size(out, bytes);
        return SG_OK;
    }
    sg_text low = {0}, high = {0};
    sg_text_append_byte_size(&low, row->low);
    sg_text_append_byte_size(&high, row->high);
    sg_fail(SG_EINVAL, "--%s: expected a size from %s to %s, such as 256MB, got \"%s\"", row->name,
            low.failed ? "" : low.bytes, high.failed ? "" : high.bytes,
            sg_quote_excerpt(value, strlen(value), quoted, sizeof quoted));
    sg_text_release(&low);
    sg_text_release(&high);
    return SG_EINVAL;
}

/* Appends the number in its shortest form, so that 1e-2 and 0.01 give the same text. Returns false if it is invalid. */
static bool check_number(const sg_option *row, const char *value, size_t n, sg_text *out)
{
    double x;
    if (sg_number_parse(value, n, &x) != SG_NUMBER_OK || x < row->low || x > row->high) return false;
    if (row->type != SG_OPTION_REAL && x != floor(x)) return false;
    if (x == 0) x = 0; /* -0 becomes 0 */
    if (row->type == SG_OPTION_REAL || x > 9e15) sg_text_append_number(out, x);
    else sg_text_append_format(out, "%.0f", x);
    return true;
}

static sg_status check_real(const sg_option *row, const char *value, sg_text *out)
{
    const char *word = non_numeric_default(row);
    if (word && strcmp(value, word) == 0) sg_text_append(out, value);
    else if (!check_number(row, value, strlen(value), out)) return out_of_bounds(row, value);
    return SG_OK;
}

static bool check_integer_list(const sg_option *row, const char *value, sg_text *out)
{
    for (const char *p = value;; p++) {
        size_t n = strcspn(p, ",");
        if (!check_number(row, p, n, out)) return false;
        p += n;
        if (!*p) return true;
        sg_text_append(out, ",");
    }
}

static sg_status check_choice(const sg_option *row, const char *value, sg_text *out)
{
    char buf[64], quoted[64];
    const char *names[64];
    char copies[64][32];
    size_t n = 0;
    sg_text all = {0};
    for (const char *name; n < 63 && (name = sg_option_choice(row, n, buf, sizeof buf)); n++) {
        if (strcmp(name, value) == 0) {
            sg_text_release(&all);
            sg_text_append(out, value);
            return SG_OK;
        }
        snprintf(copies[n], sizeof copies[n], "%s", name);
        names[n] = copies[n];
        sg_text_append_format(&all, "%s%s", n ? ", " : "", name);
    }
    names[n] = NULL;
    const char *near = sg_suggest(value, names);
    sg_quote_excerpt(value, strlen(value), quoted, sizeof quoted);
    /* If there are few choices, the message lists them all, because the suggestion may be wrong. */
    if (near && n <= 3)
        sg_fail(SG_EINVAL, "--%s: unknown value \"%s\"; did you mean \"%s\"? (choices: %s)", row->name, quoted, near,
                all.bytes);
    else if (near) sg_fail(SG_EINVAL, "--%s: unknown value \"%s\"; did you mean \"%s\"?", row->name, quoted, near);
    else sg_fail(SG_EINVAL, "--%s: unknown value \"%s\"; expected one of %s", row->name, quoted, all.bytes);
    sg_text_release(&all);
    return SG_EINVAL;
}

static sg_status check_flag(const sg_option *row, const char *value, sg_text *out)
{
    bool yes = strcmp(value, "yes") == 0 || strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
    bool no = strcmp(value, "no") == 0 || strcmp(value, "false") == 0 || strcmp(value, "0") == 0;
    if (!yes && !no) {
        char quoted[64];
        return sg_fail(SG_EINVAL, "--%s: expected yes or no, got \"%s\"", row->name,
                       sg_quote_excerpt(value, strlen(value), quoted, sizeof quoted));
    }
    sg_text_append(out, yes ? "yes" : "no");
    return SG_OK;
}

static sg_status check_value(const sg_option *row, const char *value, sg_text *out)
{
    switch (row->type) {
    case SG_OPTION_FLAG:
        return check_flag(row, value, out);
    case SG_OPTION_CHOICE:
        return check_choice(row, value, out);
    case SG_OPTION_TEXT:
        sg_text_append(out, value);
        return SG_OK;
    case SG_OPTION_BYTES:
        return check_bytes(row, value, out);
    case SG_OPTION_INTEGER_LIST:
        return check_integer_list(row, value, out) ? SG_OK : out_of_bounds(row, value);
    case SG_OPTION_REAL:
        return check_real(row, value, out);
    case SG_OPTION_INTEGER:
        break;
    }
    return check_number(row, value, strlen(value), out) ? SG_OK : out_of_bounds(row, value);
}

sg_status sg_option_check(const sg_option *option, const char *value, char **out)
{
    sg_text text = {0};
    sg_text_append(&text, "");
    sg_status st = check_value(option, value, &text);
    if (st == SG_OK && text.failed) st = sg_fail_out_of_memory("the options");
    if (st == SG_OK) *out = text.bytes;
    else sg_text_release(&text);
    return st;
}

static sg_status fail_unknown_option(const sg_options *o, const char *name)
{
    const char **names = sg_calloc(o->count + 1, sizeof *names);
    for (size_t i = 0; names && i < o->count; i++) names[i] = o->table[i].name;
    const char *near = names ? sg_suggest(name, names) : NULL;
    char quoted[64];
    sg_quote_excerpt(name, strlen(name), quoted, sizeof quoted);
    free(names);
    if (near) return sg_fail(SG_EINVAL, "unknown option --%s; did you mean --%s?", quoted, near);
    return sg_fail(SG_EINVAL, "unknown option --%s", quoted);
}

static sg_status set_value(sg_options *o, char **values, const char *name, const char *value)
{
    if (!name || !value) return sg_fail(SG_EINVAL, "an option needs a name and a value");
    size_t i = find_option(o, name);
    if (i == o->count) return fail_unknown_option(o, name);
    char *text;
    sg_status st = sg_option_check(&o->table[i], value, &text);
    if (st != SG_OK) return st;
    free(values[i]);
    values[i] = text;
    return SG_OK;
}

/* --- Presets --- */

static sg_status apply_preset(sg_options *o)
{
    const char *name = sg_options_text(o, "preset");
    clear_values(o->preset_values, o->count);
    size_t which = 0;
    while (which < o->preset_count && strcmp(o->presets[which].name, name) != 0) which++;
    assert(which < o->preset_count);
    const char *p = o->presets[which].settings;
    while (*p) {
        char pair[96];
        size_t n = strcspn(p, " ");
        snprintf(pair, sizeof pair, "%.*s", (int)n, p);
        char *equals = strchr(pair, '=');
        assert(equals);
        *equals = '\0';
        sg_status st = set_value(o, o->preset_values, pair, equals + 1);
        if (st != SG_OK) return st;
        p += n + strspn(p + n, " ");
    }
    return SG_OK;
}

sg_status sg_options_new_from_table(const sg_option *table, size_t count, const sg_preset *presets, size_t preset_count,
                                    sg_options **out)
{
    sg_options *o = sg_calloc(1, sizeof *o);
    if (o) {
        *o = (sg_options){.table = table, .count = count, .presets = presets, .preset_count = preset_count};
        o->user_values = sg_calloc(count, sizeof *o->user_values);
        o->preset_values = sg_calloc(count, sizeof *o->preset_values);
    }
    sg_status st = o && o->user_values && o->preset_values ? apply_preset(o) : sg_fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK) *out = o;
    else sg_options_free(o);
    return st;
}

sg_status sg_options_set(sg_options *o, const char *name, const char *value)
{
    sg_status st = set_value(o, o->user_values, name, value);
    if (st == SG_OK && strcmp(name, "preset") == 0) st = apply_preset(o);
    return st;
}

sg_status sg_options_clone(const sg_options *o, sg_options **out)
{
    sg_options *copy;
    sg_status st = sg_options_new_from_table(o->table, o->count, o->presets, o->preset_count, &copy);
    if (st != SG_OK) return st;
    for (size_t i = 0; st == SG_OK && i < o->count; i++)
        if (o->user_values[i]) st = sg_options_set(copy, o->table[i].name, o->user_values[i]);
    if (st == SG_OK) *out = copy;
    else sg_options_free(copy);
    return st;
}

/* --- Access to values --- */

const char *sg_options_get(const sg_options *o, const char *name)
{
    size_t i = find_option(o, name);
    if (i == o->count) return NULL;
    return o->user_values[i]     ? o->user_values[i]
           : o->preset_values[i] ? o->preset_values[i]
                                 : o->table[i].default_value;
}

const char *sg_options_text(const sg_options *o, const char *name)
{
    const char *value = sg_options_get(o, name);
    assert(value);
    return value;
}

double sg_options_real(const sg_options *o, const char *name)
{
    const char *value = sg_options_text(o, name);
    double x = 0;
    sg_number_parse(value, strlen(value), &x);
    return x;
}

size_t sg_options_integer(const sg_options *o, const char *name) { return (size_t)sg_options_real(o, name); }

size_t sg_options_bytes(const sg_options *o, const char *name)
{
    const char *value = sg_options_text(o, name);
    double bytes = 0;
    sg_byte_size_parse(value, strlen(value), &bytes);
    return bytes < (double)SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

bool sg_options_equals(const sg_options *o, const char *name, const char *value)
{
    return strcmp(sg_options_text(o, name), value) == 0;
}

bool sg_options_list_item(const sg_options *o, const char *name, size_t i, char *buf, size_t size)
{
    return sg_list_item(sg_options_text(o, name), i, buf, size);
}

bool sg_list_item(const char *p, size_t i, char *buf, size_t size)
{
    if (!*p) return false;
    for (; i > 0; i--) {
        p += strcspn(p, ",");
        if (!*p++) return false;
    }
    p += strspn(p, " ");
    size_t n = strcspn(p, ",");
    while (n && p[n - 1] == ' ') n--;
    if (n >= size) n = size - 1;
    memcpy(buf, p, n);
    buf[n] = '\0';
    return true;
}

bool sg_options_is_set(const sg_options *o, const char *name)
{
    size_t i = find_option(o, name);
    return i < o->count && o->user_values[i];
}

/* --- Configuration files --- */

static char *trim(char *s)
{
    s += strspn(s, " \t\r");
    size_t n = strlen(s);
    while (n && strchr(" \t\r", s[n - 1])) n--;
    s[n] = '\0';
    return s;
}

/* Receives the options of a configuration file: `handler`, if it is not NULL, is offered each option first, and
 * `options` gets those that it does not take. */
typedef struct option_file {
    sg_options *options;
    sg_option_handler_fn *handler;
    void *arg;
} option_file;

static sg_status apply_line(const option_file *r, const char *name, const char *value)
{
    int taken = r->handler ? r->handler(r->arg, name, value) : 0;
    if (taken) return taken > 0 ? SG_OK : SG_EINVAL;
    return sg_options_set(r->options, name, value);
}

static sg_status read_line(const option_file *r, char *line, const char *path, size_t number)
{
    line[strcspn(line, "#")] = '\0';
    char *name = trim(line);
    if (!*name) return SG_OK;
    char *equals = strchr(name, '=');
    if (!equals) return sg_fail(SG_EINVAL, "%s:%zu: expected \"name = value\"", path, number);
    *equals = '\0';
    if (apply_line(r, trim(name), trim(equals + 1)) == SG_OK) return SG_OK;
    return sg_fail(SG_EINVAL, "%s:%zu: %s", path, number, sg_errmsg());
}

sg_status sg_options_read(sg_options *o, const char *path, sg_option_handler_fn *other, void *arg)
{
    option_file r = {o, other, arg};
    sg_text text = {0};
    sg_status st = sg_file_read(path, &text);
    if (st != SG_OK) return st;
    if (memchr(text.bytes, '\0', text.length))
        st = sg_fail(SG_EINVAL, "%s: not a configuration file (it contains a NUL byte)", path);
    char *line = text.bytes;
    for (size_t number = 1; st == SG_OK && line; number++) {
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        st = read_line(&r, line, path, number);
        line = end ? end + 1 : NULL;
    }
    sg_text_release(&text);
    return st;
}
