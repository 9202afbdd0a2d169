/* text_writer.h: words in lines that are not too long, as plain text or as Markdown. */
#ifndef SG_EXPLAIN_TEXT_TEXT_WRITER_H
#define SG_EXPLAIN_TEXT_TEXT_WRITER_H

#include "base/text.h"

typedef struct sg_text_writer {
    sg_text *text;
    bool markdown;
    size_t line_start;  /* where this line begins            */
    const char *indent; /* of lines that go on with this one */
    const char
        *break_marker; /* NULL, or: words alone, on one line, this before each of those that might be on another */
} sg_text_writer;

/* A heading of level 1, 2 or 3, after an empty line unless it is the first. */
__attribute__((format(printf, 3, 4))) void sg_text_writer_heading(sg_text_writer *p, int level, const char *format,
                                                                  ...);
/* Begins a line with `text`, or a Markdown item with `mark`; what goes on with it is indented. */
void sg_text_writer_begin_line(sg_text_writer *p, const char *text, const char *mark, const char *indent);
/* Adds a word or some that stay together, on a new line where this one would get too long. */
__attribute__((format(printf, 2, 3))) void sg_text_writer_word(sg_text_writer *p, const char *format, ...);
/* Words with blanks between them, each of which may stand on a new line. */
void sg_text_writer_words(sg_text_writer *p, const char *words);
/* The same where a break would gain nothing. */
__attribute__((format(printf, 2, 3))) void sg_text_writer_nobreak(sg_text_writer *p, const char *format, ...);
void sg_text_writer_end_line(sg_text_writer *p);

/* Four digits, and no powers of ten where there need be none. Returns buf. */
const char *sg_format_short(double value, char buf[SG_NUMBER_BUFFER_SIZE]);
/* With as many more as it takes to tell values apart that differ by a twentieth of a spread. */
const char *sg_format_to_resolution(double value, double spread, char buf[SG_NUMBER_BUFFER_SIZE]);

#endif
