/* wrap_word.c: see wrap_word.h. */
#include "explain/text/wrap_word.h"

#include <string.h>

enum { LINE_WIDTH = 78 };

void sg_wrap_word(sg_text *t, size_t *start, const char *word, const char *indent)
{
    if (t->length - *start + strlen(word) > LINE_WIDTH) {
        while (t->length && t->bytes[t->length - 1] == ' ') t->bytes[--t->length] = '\0';
        sg_text_append_format(t, "\n%s", indent);
        *start = t->length - strlen(indent);
    }
    sg_text_append(t, word);
}
