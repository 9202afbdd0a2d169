/* arff_header.c: splits lines of ARFF and KEEL files into tokens, and parses the declarations before the rows. */
#include "data/format/arff/arff_header.h"

#include "base/memory.h"
#include "data/column_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- tokens --- */

sg_status sg_arff_fail_expected(const sg_line *line, const char *start, const char *what)
{
    return sg_fail(SG_EDATA, "%s:%zu:%zu: expected %s", line->file, line->number, (size_t)(line->at - start) + 1, what);
}

bool sg_arff_accept(sg_line *line, char c)
{
    if (!sg_line_skip_blanks(line) || *line->at != c) return false;
    line->at++;
    return true;
}

bool sg_arff_at_end(sg_line *line) { return !sg_line_skip_blanks(line) || *line->at == '%'; }

/* Returns the character that a backslash followed by c stands for. */
static char unescape_char(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c; }

static sg_status read_quoted(sg_line *line, sg_text *unescaped, sg_arff_token *out)
{
    char quote = *line->at++;
    const char *start = line->at;
    bool escapes = false;
    unescaped->length = 0;
    for (; line->at < line->end && *line->at != quote; line->at++) {
        char c = *line->at;
        if (c == '\\' && line->at + 1 < line->end) {
            escapes = true;
            c = unescape_char(*++line->at);
        }
        sg_text_append_bytes(unescaped, &c, 1);
    }
    if (unescaped->failed) return sg_fail_read_memory(line->file);
    if (line->at == line->end)
        return sg_fail(SG_EDATA, "%s:%zu: the quote %c is never closed", line->file, line->number, quote);
    *out = (sg_arff_token){.text = escapes ? unescaped->bytes : start,
                           .quoted = true,
                           .length = escapes ? unescaped->length : (size_t)(line->at - start)};
    line->at++;
    return SG_OK;
}

sg_status sg_arff_next_token(sg_line *line, const char *stops, sg_text *unescaped, sg_arff_token *out)
{
    if (sg_line_skip_blanks(line) && (*line->at == '\'' || *line->at == '"')) return read_quoted(line, unescaped, out);
    const char *start = line->at;
    while (line->at < line->end && !strchr(stops, *line->at)) line->at++;
    const char *end = line->at;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
    *out = (sg_arff_token){.text = start, .length = (size_t)(end - start)};
    return SG_OK;
}

/* --- declarations --- */

void sg_arff_header_release(sg_arff_header *h)
{
    for (size_t i = 0; i < h->count; i++) sg_string_table_release(&h->attribute[i].levels);
    free(h->attribute);
    sg_text_release(&h->names);
    *h = (sg_arff_header){0};
}

/* The state of the parser. */
typedef struct arff_header_reader {
    sg_arff_header *h;
    sg_line line;
    const char *start; /* beginning of the line */
    sg_text unescaped;
} arff_header_reader;

static sg_status fail_expected(const arff_header_reader *r, const char *what)
{
    return sg_arff_fail_expected(&r->line, r->start, what);
}

/* --- values of a nominal attribute --- */

static sg_intern_result add_level(sg_string_table *l, const sg_arff_token *w)
{
    uint32_t code;
    double value;
    sg_text text = {0};
    if (sg_number_parse(w->text, w->length, &value) == SG_NUMBER_OK)
        return sg_string_table_intern_number(l, value, &code);
    sg_level_sanitize(&text, w->text, w->length);
    sg_intern_result got = text.failed ? SG_INTERN_NO_MEMORY
                                       : sg_string_table_intern(l, text.length ? text.bytes : "", text.length, &code);
    sg_text_release(&text);
    return got;
}

bool sg_arff_level_find(const sg_string_table *levels, const char *text, size_t n, uint32_t *code)
{
    double value, found;
    sg_text unescaped = {0};
    if (sg_number_parse(text, n, &value) == SG_NUMBER_OK) found = sg_string_table_find_number(levels, value);
    else {
        found = sg_string_table_find(levels, text, n);
        if (isnan(found)) sg_level_sanitize(&unescaped, text, n);
        if (isnan(found) && unescaped.length) found = sg_string_table_find(levels, unescaped.bytes, unescaped.length);
    }
    sg_text_release(&unescaped);
    if (isnan(found)) return false;
    *code = (uint32_t)found;
    return true;
}

static sg_status parse_levels(arff_header_reader *r, sg_arff_attribute *a)
{
    a->spec = SG_SPEC_FIXED_LEVELS;
    a->levels.shared_bytes = &r->h->level_bytes;
    for (;;) {
        sg_arff_token w;
        const char *at = r->line.at;
        sg_status st = sg_arff_next_token(&r->line, ",}", &r->unescaped, &w);
        if (st != SG_OK) return st;
        sg_line token_start = {.at = at, .end = r->line.end, .number = r->line.number, .file = r->line.file};
        if (w.length == 0 && !w.quoted) return sg_arff_fail_expected(&token_start, r->start, "a value");
        if (!sg_is_utf8(w.text, w.length)) return sg_arff_fail_expected(&token_start, r->start, "a value in UTF-8");
        sg_intern_result got = w.length ? add_level(&a->levels, &w) : SG_INTERN_FOUND; /* '' is a missing value */
        if (got == SG_INTERN_NO_MEMORY) return sg_fail_read_memory(r->line.file);
        if (got == SG_INTERN_FULL)
            return sg_fail(SG_EDATA, "%s:%zu: the attribute has more than %d values, or its values are too long",
                           r->line.file, r->line.number, SG_LEVELS_MAX);
        if (sg_arff_accept(&r->line, '}')) return SG_OK;
        if (!sg_arff_accept(&r->line, ',')) return fail_expected(r, "a comma or } after a value");
    }
}

/* --- types --- */

static const struct {
    const char *name;
    sg_column_spec spec;
} types[] = {
    {"numeric", SG_SPEC_NUMERIC}, {"real", SG_SPEC_NUMERIC}, {"integer", SG_SPEC_NUMERIC},
    {"string", SG_SPEC_INFER},    {"date", SG_SPEC_DATE},
};

/* Skips the range [min, max] that a KEEL file may declare after a type. */
static sg_status skip_range(arff_header_reader *r)
{
    if (!sg_arff_accept(&r->line, '[')) return SG_OK;
    const char *end = memchr(r->line.at, ']', (size_t)(r->line.end - r->line.at));
    if (!end) return fail_expected(r, "a range like [0, 1]");
    r->line.at = end + 1;
    return SG_OK;
}

static sg_status parse_type(arff_header_reader *r, sg_arff_attribute *a)
{
    sg_arff_token w;
    if (sg_arff_accept(&r->line, '{')) return parse_levels(r, a);
    sg_line token_start = r->line;
    sg_status st = sg_arff_next_token(&r->line, " \t[%", &r->unescaped, &w);
    if (st != SG_OK) return st;
    size_t i = 0, n = sizeof types / sizeof *types;
    while (i < n && (strlen(types[i].name) != w.length || strncasecmp(types[i].name, w.text, w.length) != 0)) i++;
    if (i == n)
        return sg_arff_fail_expected(&token_start, r->start,
                                     "a type: numeric, real, integer, string, date or {values}");
    a->spec = types[i].spec;
    if (a->spec == SG_SPEC_DATE) { /* the rest of the line is the date format */
        r->line.at = r->line.end;
        return SG_OK;
    }
    return a->spec == SG_SPEC_NUMERIC ? skip_range(r) : SG_OK;
}

static sg_status parse_attribute(arff_header_reader *r)
{
    sg_arff_header *h = r->h;
    sg_arff_token w;
    sg_status st = sg_arff_next_token(&r->line, " \t{%", &r->unescaped, &w);
    if (st != SG_OK) return st;
    if (w.length == 0) return fail_expected(r, "the name of an attribute");
    if (h->count == SG_COLUMNS_MAX)
        return sg_fail(SG_EDATA, "%s: the file has more than %d attributes", r->line.file, SG_COLUMNS_MAX);
    if (!sg_array_reserve(&h->attribute, &h->capacity, h->count + 1, sizeof *h->attribute))
        return sg_fail_read_memory(r->line.file);
    sg_arff_attribute *a = &h->attribute[h->count++];
    *a = (sg_arff_attribute){.name = h->names.length, .name_length = w.length, .line = r->line.number};
    sg_text_append_bytes(&h->names, w.text, w.length);
    sg_text_append_bytes(&h->names, "", 1);
    if (h->names.failed) return sg_fail_read_memory(r->line.file);
    st = parse_type(r, a);
    return st == SG_OK && !sg_arff_at_end(&r->line) ? fail_expected(r, "the end of the line") : st;
}

/* --- inputs and outputs --- */

/* Sorts the attributes so far by name. *sorted is valid until an attribute is added. The caller frees it. */
static sg_status sort_names(const arff_header_reader *r, sg_named_column **sorted)
{
    const sg_arff_header *h = r->h;
    const char **names = sg_calloc(h->count, sizeof *names);
    if (!names) return sg_fail_read_memory(r->line.file);
    for (size_t i = 0; i < h->count; i++) names[i] = h->names.bytes + h->attribute[i].name;
    sg_status st = sg_column_names_sort(names, h->count, sorted);
    free(names);
    return st;
}

static sg_status parse_role(arff_header_reader *r, const sg_named_column *sorted, sg_arff_role role)
{
    char shown[64];
    sg_arff_token w;
    sg_line token_start = r->line;
    sg_status st = sg_arff_next_token(&r->line, ",%", &r->unescaped, &w);
    if (st != SG_OK) return st;
    sg_line_skip_blanks(&token_start);
    const sg_named_column *found = sg_column_names_find(sorted, r->h->count, w.text, w.length);
    sg_arff_attribute *a = found ? &r->h->attribute[found->column] : NULL;
    if (!a || a->role != SG_ARFF_ROLE_NONE)
        return sg_fail(SG_EDATA, "%s:%zu:%zu: %s attribute \"%s\"", token_start.file, token_start.number,
                       (size_t)(token_start.at - r->start) + 1, a ? "repeated" : "unknown",
                       sg_quote_excerpt(w.text, w.length, shown, sizeof shown));
    a->role = role;
    return SG_OK;
}

static sg_status parse_roles(arff_header_reader *r, sg_arff_role role)
{
    sg_named_column *sorted;
    sg_status st = sort_names(r, &sorted);
    if (st != SG_OK) return st;
    do st = parse_role(r, sorted, role);
    while (st == SG_OK && sg_arff_accept(&r->line, ','));
    free(sorted);
    if (st != SG_OK) return st;
    return sg_arff_at_end(&r->line) ? SG_OK : fail_expected(r, "a comma or the end of the line");
}

static sg_status parse_inputs(arff_header_reader *r)
{
    r->h->has_inputs = true;
    return parse_roles(r, SG_ARFF_ROLE_INPUT);
}

static sg_status parse_outputs(arff_header_reader *r)
{
    r->h->has_outputs = true;
    return parse_roles(r, SG_ARFF_ROLE_OUTPUT);
}

/* --- lines --- */

static sg_status parse_nothing(arff_header_reader *r)
{
    (void)r;
    return SG_OK;
}

static const struct {
    const char *name;
    sg_status (*parse)(arff_header_reader *r);
} keywords[] = {
    {"@relation", parse_nothing}, {"@attribute", parse_attribute}, {"@inputs", parse_inputs}, {"@input", parse_inputs},
    {"@outputs", parse_outputs},  {"@output", parse_outputs},      {"@data", NULL},
};

/* Parses a line. Sets *data if the line is @data. */
static sg_status parse_line(arff_header_reader *r, bool *data)
{
    r->start = r->line.at;
    if (sg_arff_at_end(&r->line)) return SG_OK;
    const char *word = r->line.at;
    while (r->line.at < r->line.end && !strchr(" \t", *r->line.at)) r->line.at++;
    size_t n = (size_t)(r->line.at - word);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (strlen(keywords[i].name) != n || strncasecmp(keywords[i].name, word, n) != 0) continue;
        *data = !keywords[i].parse;
        return *data ? SG_OK : keywords[i].parse(r);
    }
    r->line.at = word;
    return fail_expected(r, "@relation, @attribute, @inputs, @outputs or @data");
}

sg_status sg_arff_header_read(sg_line_reader *lines, const char *file, sg_arff_header *h)
{
    arff_header_reader r = {.h = h};
    bool got = true, data = false;
    sg_status st = SG_OK;
    while (st == SG_OK && !data) {
        st = sg_line_reader_next(lines, &r.line, &got);
        if (st != SG_OK || !got) break;
        st = parse_line(&r, &data);
    }
    sg_text_release(&r.unescaped);
    if (st != SG_OK) return st;
    if (!data) return sg_fail(SG_EDATA, "%s: the line @data is missing; expected attributes, @data and rows", file);
    if (h->count == 0) return sg_fail(SG_EDATA, "%s: there are no attributes before @data", file);
    return SG_OK;
}
