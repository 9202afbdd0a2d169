/* flow.c: see flow.h. */
#include "explain/flow.h"

#include <string.h>

enum { LINE = 78 };

void sg_flow(sg_text *t, size_t *start, const char *word, const char *indent)
{
    if (t->length - *start + strlen(word) > LINE) {
        while (t->length && t->bytes[t->length - 1] == ' ') t->bytes[--t->length] = '\0';
        sg_text_format(t, "\n%s", indent);
        *start = t->length - strlen(indent);
    }
    sg_text_add(t, word);
}
