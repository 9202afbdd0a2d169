/* text_writer.c: see text_writer.h. */
#include "explain/text/text_writer.h"

#include "explain/text/wrap_word.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 4, MOST_DIGITS = 12 };

/* Names may hold anything: what means something in Markdown gets a backslash. */
static void add_escaped(sg_text_writer *p, const char *text)
{
    for (; *text; text++) {
        if (p->markdown && strchr("\\`*_[]<>|#~", *text)) sg_text_append_bytes(p->text, "\\", 1);
        sg_text_append_bytes(p->text, text, 1);
    }
}

/* As a terminal may have it: what is written out in a name is not told from a name that is written so. To be freed;
 * NULL without memory. */
static char *format_escaped(sg_text_writer *p, const char *format, va_list args)
{
    char *word = NULL;
    sg_text shown = {0};
    if (vasprintf(&word, format, args) < 0) word = NULL;
    if (word) sg_text_append_escaped(&shown, word);
    if (!word || shown.failed) p->text->failed = true;
    else if (!*word) return word;
    free(word);
    return shown.bytes;
}

static void put_word(sg_text_writer *p, char *word, bool may_break)
{
    if (word && may_break && p->break_marker) sg_text_append(p->text, p->break_marker);
    if (word && may_break && !p->markdown && !p->break_marker) sg_wrap_word(p->text, &p->line_start, word, p->indent);
    else if (word) add_escaped(p, word);
    free(word);
}

void sg_text_writer_heading(sg_text_writer *p, int level, const char *format, ...)
{
    static const char *const hashes[] = {"", "# ", "## ", "### "};
    va_list args;
    if (p->text->length) sg_text_append(p->text, "\n");
    p->line_start = p->text->length;
    p->indent = " ";
    if (p->markdown) sg_text_append(p->text, hashes[level]);
    va_start(args, format);
    put_word(p, format_escaped(p, format, args), false);
    va_end(args);
}

void sg_text_writer_begin_line(sg_text_writer *p, const char *text, const char *mark, const char *indent)
{
    p->line_start = p->text->length;
    p->indent = indent;
    if (!p->break_marker) sg_text_append(p->text, p->markdown ? mark : text);
}

void sg_text_writer_word(sg_text_writer *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_word(p, format_escaped(p, format, args), true);
    va_end(args);
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
    put_word(p, format_escaped(p, format, args), false);
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
    double step = fabs(value) / 1000; /* of the last digit, at most */
    for (; digits < MOST_DIGITS && spread > 0 && step > spread / 20; digits++) step /= 10;
    return format_digits(value, digits, buf);
}
