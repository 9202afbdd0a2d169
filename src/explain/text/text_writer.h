/* text_writer.h: writes words into lines of limited length, as plain text or as Markdown. */
#pragma once

#include "base/text.h"

typedef struct sg_text_writer {
    sg_text *text;
    bool markdown;
    const char *indent; /* of continuation lines */
    /* If not NULL, lines are not wrapped and have no lead; instead, this precedes each word that may start a line. */
    const char *break_marker;
    size_t width;                /* maximum length of lines; 0: SG_LINE_WIDTH */
    size_t line_start, lead_end; /* offsets in text of the current line and its first word */
} sg_text_writer;

/* Starts a heading of level 1, 2 or 3, after an empty line unless the text is empty. */
__attribute__((format(printf, 3, 4))) void sg_text_writer_heading(sg_text_writer *p, int level, const char *format,
                                                                  ...);
/* Starts a line with `lead`, or a Markdown item with `mark`. */
void sg_text_writer_begin_line(sg_text_writer *p, const char *lead, const char *mark, const char *indent);
/* Adds a word, on a new line if the current line would get too long. The word may contain spaces. */
__attribute__((format(printf, 2, 3))) void sg_text_writer_word(sg_text_writer *p, const char *format, ...);
/* Adds `t` as one word and releases it. */
void sg_text_writer_take(sg_text_writer *p, sg_text *t);
/* Adds the words of a text, which are separated by spaces. */
void sg_text_writer_words(sg_text_writer *p, const char *words);
/* Adds a word to the current line, however long it gets. */
__attribute__((format(printf, 2, 3))) void sg_text_writer_nobreak(sg_text_writer *p, const char *format, ...);
void sg_text_writer_end_line(sg_text_writer *p);

enum { SG_LINE_WIDTH = 78, SG_WIDE_LINE_WIDTH = 98 };
/* Returns the number of characters of UTF-8 text. */
size_t sg_text_width(const char *text);

/* Formats the value with four significant digits, without an exponent if its magnitude is 1e3 to 1e9. Returns buf. */
const char *sg_format_short(double value, char buf[SG_NUMBER_BUFFER_SIZE]);
/* Formats the value with four digits, or with more to tell apart values that differ by spread / 20. Returns buf. */
const char *sg_format_to_resolution(double value, double spread, char buf[SG_NUMBER_BUFFER_SIZE]);
/* Formats the value with at least three significant digits, with a fourth if the value is then exact, and with more to
 * tell it apart from its neighbours, which differ by `gap` or more. Returns buf. */
const char *sg_format_among_neighbours(double value, double gap, char buf[SG_NUMBER_BUFFER_SIZE]);
