/* options.c: see options.h. */
#include "base/options.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/status.h"
#include "base/text.h"

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
    char **set;    /* by the user, or NULL   */
    char **preset; /* by the preset, or NULL */
    sg_notice_fn *notice;
    void *notice_arg;
    sg_stop_fn *stop;
    void *stop_arg;
    const sg_team *team; /* that reads files, or NULL */
    bool local;
};

static void clear(char **values, size_t n)
{
    for (size_t i = 0; values && i < n; i++) {
        free(values[i]);
        values[i] = NULL;
    }
}

void sg_options_free(sg_options *o)
{
    if (!o) return;
    clear(o->set, o->count);
    clear(o->preset, o->count);
    free(o->set);
    free(o->preset);
    free(o);
}

void sg_options_on_notice(sg_options *o, sg_notice_fn *fn, void *arg)
{
    o->notice = fn;
    o->notice_arg = arg;
}

void sg_options_on_stop(sg_options *o, sg_stop_fn *fn, void *arg)
{
    o->stop = fn;
    o->stop_arg = arg;
}

bool sg_options_stopped(const sg_options *o, size_t done) { return o && o->stop && o->stop(o->stop_arg, done, 0); }

void sg_options_team(sg_options *o, const sg_team *team, int local)
{
    o->team = team;
    o->local = local != 0;
}

const sg_team *sg_options_readers(const sg_options *o, bool *local)
{
    *local = o && o->local;
    return o && o->team && o->team->ranks > 1 ? o->team : NULL;
}

void sg_notice(const sg_options *o, const char *format, ...)
{
    if (!o || !o->notice) return;
    char sentence[1024], shown[sizeof sentence];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    o->notice(o->notice_arg, sg_sayable(sentence, shown, sizeof shown));
}

static size_t find(const sg_options *o, const char *name)
{
    size_t i = 0;
    while (i < o->count && strcmp(o->table[i].name, name) != 0) i++;
    return i;
}

const char *sg_option_choice(const sg_option *option, size_t i, char *buf, size_t size)
{
    if (option->list) return option->list(i);
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

/* --- checking a value against its row --- */

/* The default of a number may be a word: none. */
static const char *word_of(const sg_option *row)
{
    double x;
    return sg_number_parse(row->fallback, strlen(row->fallback), &x) == SG_NUMBER_OK ? NULL : row->fallback;
}

static sg_status out_of_bounds(const sg_option *row, const char *value)
{
    char shown[64], low[SG_NUMBER_SIZE], high[SG_NUMBER_SIZE];
    bool whole = row->type != SG_OPTION_REAL;
    const char *word = row->type == SG_OPTION_REAL ? word_of(row) : NULL;
    return sg_fail(SG_EINVAL, "--%s: expected %s from %s to %s%s%s, not \"%s\"", row->name,
                   row->type == SG_OPTION_COUNTS ? "whole numbers"
                   : whole                       ? "a whole number"
                                                 : "a number",
                   sg_number_shortest(row->low, low), sg_number_shortest(row->high, high), word ? " or " : "",
                   word ? word : "", sg_quotable(value, strlen(value), shown, sizeof shown));
}

static sg_status check_size(const sg_option *row, const char *value, sg_text *out)
{
    char shown[64];
    double bytes;
    if (sg_size_parse(value, strlen(value), &bytes) && bytes >= row->low && bytes <= row->high) {
        sg_text_size(out, bytes);
        return SG_OK;
    }
    sg_text low = {0}, high = {0};
    sg_text_size(&low, row->low);
    sg_text_size(&high, row->high);
    sg_fail(SG_EINVAL, "--%s: expected a size from %s to %s, such as 256MB, not \"%s\"", row->name,
            low.failed ? "" : low.bytes, high.failed ? "" : high.bytes,
            sg_quotable(value, strlen(value), shown, sizeof shown));
    sg_text_release(&low);
    sg_text_release(&high);
    return SG_EINVAL;
}

/* Appends the number in its shortest form, so that 1e-2 and 0.01 are the same value. */
static bool check_number(const sg_option *row, const char *value, size_t n, sg_text *out)
{
    double x;
    if (sg_number_parse(value, n, &x) != SG_NUMBER_OK || x < row->low || x > row->high) return false;
    if (row->type != SG_OPTION_REAL && x != floor(x)) return false;
    if (x == 0) x = 0; /* -0 is 0 */
    if (row->type == SG_OPTION_REAL || x > 9e15) sg_text_number(out, x);
    else sg_text_format(out, "%.0f", x);
    return true;
}

static sg_status check_real(const sg_option *row, const char *value, sg_text *out)
{
    const char *word = word_of(row);
    if (word && strcmp(value, word) == 0) sg_text_add(out, value);
    else if (!check_number(row, value, strlen(value), out)) return out_of_bounds(row, value);
    return SG_OK;
}

static bool check_counts(const sg_option *row, const char *value, sg_text *out)
{
    for (const char *p = value;; p++) {
        size_t n = strcspn(p, ",");
        if (!check_number(row, p, n, out)) return false;
        p += n;
        if (!*p) return true;
        sg_text_add(out, ",");
    }
}

static sg_status check_choice(const sg_option *row, const char *value, sg_text *out)
{
    char buf[64], shown[64];
    const char *names[64];
    char copies[64][32];
    size_t n = 0;
    sg_text all = {0};
    for (const char *name; n < 63 && (name = sg_option_choice(row, n, buf, sizeof buf)); n++) {
        if (strcmp(name, value) == 0) {
            sg_text_release(&all);
            sg_text_add(out, value);
            return SG_OK;
        }
        snprintf(copies[n], sizeof copies[n], "%s", name);
        names[n] = copies[n];
        sg_text_format(&all, "%s%s", n ? ", " : "", name);
    }
    names[n] = NULL;
    const char *near = sg_suggest(value, names);
    sg_quotable(value, strlen(value), shown, sizeof shown);
    /* A few names are said at once: f16 may be no slip of the finger. */
    if (near && n <= 3)
        sg_fail(SG_EINVAL, "--%s: unknown \"%s\"; did you mean %s? (one of %s)", row->name, shown, near, all.bytes);
    else if (near) sg_fail(SG_EINVAL, "--%s: unknown \"%s\"; did you mean %s?", row->name, shown, near);
    else sg_fail(SG_EINVAL, "--%s: unknown \"%s\"; expected one of %s", row->name, shown, all.bytes);
    sg_text_release(&all);
    return SG_EINVAL;
}

static sg_status check_flag(const sg_option *row, const char *value, sg_text *out)
{
    bool yes = strcmp(value, "yes") == 0 || strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
    bool no = strcmp(value, "no") == 0 || strcmp(value, "false") == 0 || strcmp(value, "0") == 0;
    if (!yes && !no) {
        char shown[64];
        return sg_fail(SG_EINVAL, "--%s: expected yes or no, not \"%s\"", row->name,
                       sg_quotable(value, strlen(value), shown, sizeof shown));
    }
    sg_text_add(out, yes ? "yes" : "no");
    return SG_OK;
}

static sg_status check(const sg_option *row, const char *value, sg_text *out)
{
    switch (row->type) {
    case SG_OPTION_FLAG:
        return check_flag(row, value, out);
    case SG_OPTION_CHOICE:
        return check_choice(row, value, out);
    case SG_OPTION_TEXT:
        sg_text_add(out, value);
        return SG_OK;
    case SG_OPTION_SIZE:
        return check_size(row, value, out);
    case SG_OPTION_COUNTS:
        return check_counts(row, value, out) ? SG_OK : out_of_bounds(row, value);
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
    sg_text_add(&text, "");
    sg_status st = check(option, value, &text);
    if (st == SG_OK && text.failed) st = sg_fail(SG_ENOMEM, "out of memory for options");
    if (st == SG_OK) *out = text.bytes;
    else sg_text_release(&text);
    return st;
}

static sg_status unknown(const sg_options *o, const char *name)
{
    const char **names = sg_alloc(o->count + 1, sizeof *names);
    for (size_t i = 0; names && i < o->count; i++) names[i] = o->table[i].name;
    const char *near = names ? sg_suggest(name, names) : NULL;
    char shown[64];
    sg_quotable(name, strlen(name), shown, sizeof shown);
    free(names);
    if (near) return sg_fail(SG_EINVAL, "unknown option --%s; did you mean --%s?", shown, near);
    return sg_fail(SG_EINVAL, "unknown option --%s", shown);
}

static sg_status put(sg_options *o, char **values, const char *name, const char *value)
{
    if (!name || !value) return sg_fail(SG_EINVAL, "an option needs a name and a value");
    size_t i = find(o, name);
    if (i == o->count) return unknown(o, name);
    char *text;
    sg_status st = sg_option_check(&o->table[i], value, &text);
    if (st != SG_OK) return st;
    free(values[i]);
    values[i] = text;
    return SG_OK;
}

/* --- presets --- */

static sg_status apply_preset(sg_options *o)
{
    const char *name = sg_options_text(o, "preset");
    clear(o->preset, o->count);
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
        sg_status st = put(o, o->preset, pair, equals + 1);
        if (st != SG_OK) return st;
        p += n + strspn(p + n, " ");
    }
    return SG_OK;
}

sg_status sg_options_over(const sg_option *table, size_t count, const sg_preset *presets, size_t preset_count,
                          sg_options **out)
{
    sg_options *o = sg_alloc(1, sizeof *o);
    if (o) {
        *o = (sg_options){.table = table, .count = count, .presets = presets, .preset_count = preset_count};
        o->set = sg_alloc(count, sizeof *o->set);
        o->preset = sg_alloc(count, sizeof *o->preset);
    }
    sg_status st = o && o->set && o->preset ? apply_preset(o) : sg_fail(SG_ENOMEM, "out of memory");
    if (st != SG_OK) {
        sg_options_free(o);
        return st;
    }
    *out = o;
    return SG_OK;
}

sg_status sg_options_set(sg_options *o, const char *name, const char *value)
{
    sg_status st = put(o, o->set, name, value);
    if (st == SG_OK && strcmp(name, "preset") == 0) st = apply_preset(o);
    return st;
}

sg_status sg_options_clone(const sg_options *o, sg_options **out)
{
    sg_options *copy;
    sg_status st = sg_options_over(o->table, o->count, o->presets, o->preset_count, &copy);
    if (st != SG_OK) return st;
    for (size_t i = 0; st == SG_OK && i < o->count; i++)
        if (o->set[i]) st = sg_options_set(copy, o->table[i].name, o->set[i]);
    if (st != SG_OK) {
        sg_options_free(copy);
        return st;
    }
    *out = copy;
    return SG_OK;
}

/* --- reading values --- */

const char *sg_options_get(const sg_options *o, const char *name)
{
    size_t i = find(o, name);
    if (i == o->count) return NULL;
    return o->set[i] ? o->set[i] : o->preset[i] ? o->preset[i] : o->table[i].fallback;
}

const char *sg_options_text(const sg_options *o, const char *name)
{
    const char *value = sg_options_get(o, name);
    assert(value);
    return value;
}

double sg_options_number(const sg_options *o, const char *name)
{
    const char *value = sg_options_text(o, name);
    double x = 0;
    sg_number_parse(value, strlen(value), &x);
    return x;
}

size_t sg_options_size(const sg_options *o, const char *name) { return (size_t)sg_options_number(o, name); }

size_t sg_options_bytes(const sg_options *o, const char *name)
{
    const char *value = sg_options_text(o, name);
    double bytes = 0;
    sg_size_parse(value, strlen(value), &bytes);
    return bytes < (double)SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

bool sg_options_is(const sg_options *o, const char *name, const char *value)
{
    return strcmp(sg_options_text(o, name), value) == 0;
}

bool sg_options_item(const sg_options *o, const char *name, size_t i, char *buf, size_t size)
{
    const char *p = sg_options_text(o, name);
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

bool sg_options_given(const sg_options *o, const char *name)
{
    size_t i = find(o, name);
    return i < o->count && o->set[i];
}

/* --- files of options --- */

static char *trim(char *s)
{
    s += strspn(s, " \t\r");
    size_t n = strlen(s);
    while (n && strchr(" \t\r", s[n - 1])) n--;
    s[n] = '\0';
    return s;
}

/* Who takes what a file of options says. */
typedef struct reading {
    sg_options *options;
    sg_other_fn *other;
    void *arg;
} reading;

static sg_status take(const reading *r, const char *name, const char *value)
{
    int taken = r->other ? r->other(r->arg, name, value) : 0;
    if (taken) return taken > 0 ? SG_OK : SG_EINVAL;
    return sg_options_set(r->options, name, value);
}

static sg_status read_line(const reading *r, char *line, const char *path, size_t number)
{
    line[strcspn(line, "#")] = '\0';
    char *name = trim(line);
    if (!*name) return SG_OK;
    char *equals = strchr(name, '=');
    if (!equals) return sg_fail(SG_EINVAL, "%s:%zu: expected \"name = value\"", path, number);
    *equals = '\0';
    if (take(r, trim(name), trim(equals + 1)) == SG_OK) return SG_OK;
    return sg_fail(SG_EINVAL, "%s:%zu: %s", path, number, sg_errmsg());
}

sg_status sg_options_read(sg_options *o, const char *path, sg_other_fn *other, void *arg)
{
    reading r = {o, other, arg};
    sg_text text = {0};
    sg_status st = sg_file_read(path, &text);
    if (st != SG_OK) return st;
    if (memchr(text.bytes, '\0', text.length))
        st = sg_fail(SG_EINVAL, "%s: not a file of options: it holds a NUL byte", path);
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
