/* arff_lexer.c: splits lines of ARFF files into tokens. */
#include "data/format/arff/arff_lexer.h"

#include <string.h>

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

/* Returns the character that an escape sequence stands for. */
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
        return sg_fail(SG_EDATA, "%s:%zu: a quote is never closed: %c", line->file, line->number, quote);
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
