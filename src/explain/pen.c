/* pen.c: see pen.h. */
#include "explain/pen.h"

#include "explain/flow.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 4, MOST_DIGITS = 12 };

/* Names may hold anything: what means something in Markdown gets a backslash. */
static void plain(sg_pen *p, const char *text)
{
    for (; *text; text++) {
        if (p->markdown && strchr("\\`*_[]<>|#~", *text)) sg_text_bytes(p->text, "\\", 1);
        sg_text_bytes(p->text, text, 1);
    }
}

/* As a terminal may have it: what is written out in a name is not told from a name that is written so. To be freed;
 * NULL without memory. */
static char *printed(sg_pen *p, const char *format, va_list args)
{
    char *word = NULL;
    sg_text shown = {0};
    if (vasprintf(&word, format, args) < 0) word = NULL;
    if (word) sg_text_shown(&shown, word);
    if (!word || shown.failed) p->text->failed = true;
    else if (!*word) return word;
    free(word);
    return shown.bytes;
}

static void put(sg_pen *p, char *word, bool may_break)
{
    if (word && may_break && p->apart) sg_text_add(p->text, p->apart);
    if (word && may_break && !p->markdown && !p->apart) sg_flow(p->text, &p->start, word, p->indent);
    else if (word) plain(p, word);
    free(word);
}

void sg_pen_heading(sg_pen *p, int level, const char *format, ...)
{
    static const char *const hashes[] = {"", "# ", "## ", "### "};
    va_list args;
    if (p->text->length) sg_text_add(p->text, "\n");
    p->start = p->text->length;
    p->indent = " ";
    if (p->markdown) sg_text_add(p->text, hashes[level]);
    va_start(args, format);
    put(p, printed(p, format, args), false);
    va_end(args);
}

void sg_pen_line(sg_pen *p, const char *text, const char *mark, const char *indent)
{
    p->start = p->text->length;
    p->indent = indent;
    if (!p->apart) sg_text_add(p->text, p->markdown ? mark : text);
}

void sg_pen_word(sg_pen *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put(p, printed(p, format, args), true);
    va_end(args);
}

void sg_pen_words(sg_pen *p, const char *words)
{
    while (*words) {
        size_t n = strcspn(words, " ");
        n += strspn(words + n, " ");
        sg_pen_word(p, "%.*s", (int)n, words);
        words += n;
    }
}

void sg_pen_stay(sg_pen *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put(p, printed(p, format, args), false);
    va_end(args);
}

void sg_pen_end(sg_pen *p) { sg_text_add(p->text, "\n"); }

static const char *in_digits(double value, int digits, char buf[SG_NUMBER_SIZE])
{
    double read;
    sg_number_rounded(value, digits, buf);
    if (fabs(value) < 1e3 || fabs(value) > 1e9 || !strchr(buf, 'e')) return buf;
    if (sg_number_parse(buf, strlen(buf), &read) == SG_NUMBER_OK) snprintf(buf, SG_NUMBER_SIZE, "%.0f", read);
    return buf;
}

const char *sg_pen_number(double value, char buf[SG_NUMBER_SIZE]) { return in_digits(value, DIGITS, buf); }

const char *sg_pen_near(double value, double spread, char buf[SG_NUMBER_SIZE])
{
    int digits = DIGITS;
    double step = fabs(value) / 1000; /* of the last digit, at most */
    for (; digits < MOST_DIGITS && spread > 0 && step > spread / 20; digits++) step /= 10;
    return in_digits(value, digits, buf);
}
