/* text_writer.c: wraps lines, escapes Markdown, and formats numbers for readers. */
#include "explain/text/text_writer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 4, MAX_DIGITS = 12 };

size_t sg_text_width(const char *text)
{
    size_t n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80; /* not a continuation byte */
    return n;
}

static void break_line(sg_text_writer *p)
{
    sg_text *t = p->text;
    while (t->length && t->bytes[t->length - 1] == ' ') t->bytes[--t->length] = '\0';
    sg_text_append_format(t, "\n%s", p->indent);
    p->line_start = t->length - strlen(p->indent);
}

/* Never breaks before the first word of a line: that would gain nothing. */
static void write_word(sg_text_writer *p, const char *word, bool may_break)
{
    if (may_break && p->text->length > p->lead_end) {
        if (p->break_marker) sg_text_append(p->text, p->break_marker);
        else if (!p->markdown && sg_text_width(p->text->bytes + p->line_start) + sg_text_width(word) >
                                     (p->width ? p->width : SG_LINE_WIDTH))
            break_line(p);
    }
    for (; *word; word++) {
        if (p->markdown && strchr("\\`*_[]<>|#~", *word)) sg_text_append_bytes(p->text, "\\", 1);
        sg_text_append_bytes(p->text, word, 1);
    }
}

/* Escapes control characters, which may occur in names. */
static void write_format(sg_text_writer *p, bool may_break, const char *format, va_list args)
{
    char *word = NULL;
    sg_text escaped = {0};
    if (vasprintf(&word, format, args) < 0) word = NULL;
    sg_text_append_escaped(&escaped, word ? word : "");
    sg_text_append(&escaped, "");
    if (!word || escaped.failed) p->text->failed = true;
    else write_word(p, escaped.bytes, may_break);
    free(word);
    sg_text_release(&escaped);
}

void sg_text_writer_heading(sg_text_writer *p, int level, const char *format, ...)
{
    static const char *const hashes[] = {"", "# ", "## ", "### "};
    va_list args;
    if (p->text->length) sg_text_append(p->text, "\n");
    p->line_start = p->lead_end = p->text->length;
    p->indent = " ";
    if (p->markdown) sg_text_append(p->text, hashes[level]);
    va_start(args, format);
    write_format(p, false, format, args);
    va_end(args);
}

void sg_text_writer_begin_line(sg_text_writer *p, const char *lead, const char *mark, const char *indent)
{
    p->line_start = p->text->length;
    p->indent = indent;
    if (!p->break_marker) sg_text_append(p->text, p->markdown ? mark : lead);
    p->lead_end = p->text->length;
}

void sg_text_writer_word(sg_text_writer *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_format(p, true, format, args);
    va_end(args);
}

void sg_text_writer_take(sg_text_writer *p, sg_text *t)
{
    if (t->failed) p->text->failed = true;
    else sg_text_writer_word(p, "%s", t->length ? t->bytes : "");
    sg_text_release(t);
}

void sg_text_writer_words(sg_text_writer *p, const char *words)
{
    while (*words) {
        size_t n = strcspn(words, " ");
        n += strspn(words + n, " ");
        sg_text_writer_word(p, "%.*s", (int)n, words);
        words += n;
    }
}

void sg_text_writer_nobreak(sg_text_writer *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_format(p, false, format, args);
    va_end(args);
}

void sg_text_writer_end_line(sg_text_writer *p) { sg_text_append(p->text, "\n"); }

static const char *format_digits(double value, int digits, char buf[SG_NUMBER_BUFFER_SIZE])
{
    double read;
    sg_number_format_rounded(value, digits, buf);
    if (fabs(value) < 1e3 || fabs(value) > 1e9 || !strchr(buf, 'e')) return buf;
    if (sg_number_parse(buf, strlen(buf), &read) == SG_NUMBER_OK) snprintf(buf, SG_NUMBER_BUFFER_SIZE, "%.0f", read);
    return buf;
}

const char *sg_format_short(double value, char buf[SG_NUMBER_BUFFER_SIZE]) { return format_digits(value, DIGITS, buf); }

const char *sg_format_to_resolution(double value, double spread, char buf[SG_NUMBER_BUFFER_SIZE])
{
    int digits = DIGITS;
    double step = fabs(value) / 1000; /* upper bound on the unit of the last digit */
    for (; digits < MAX_DIGITS && spread > 0 && step > spread / 20; digits++) step /= 10;
    return format_digits(value, digits, buf);
}

/* Returns the distance between the value and its decimal with this number of digits. */
static double rounding_error(double value, int digits)
{
    char buf[SG_NUMBER_BUFFER_SIZE];
    double read = 0;
    sg_number_format_rounded(value, digits, buf);
    return sg_number_parse(buf, strlen(buf), &read) == SG_NUMBER_OK ? fabs(value - read) : 0;
}

const char *sg_format_among_neighbours(double value, double gap, char buf[SG_NUMBER_BUFFER_SIZE])
{
    int digits = 3;
    if (rounding_error(value, DIGITS) == 0) return format_digits(value, DIGITS, buf);
    while (digits < MAX_DIGITS && rounding_error(value, digits) > gap / 50) digits++;
    return format_digits(value, digits, buf);
}
