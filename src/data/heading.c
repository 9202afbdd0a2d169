/* heading.c: see heading.h. No level is empty: an empty cell is a missing value. */
#include "data/heading.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the names of columns"); }

static void put(sg_text *out, const char *text) { sg_text_bytes(out, text, strlen(text) + 1); }

sg_status sg_heading_write(const sg_source *s, sg_text *out)
{
    for (size_t i = 0; i < s->columns; i++) {
        const char *text;
        put(out, s->names[i]);
        for (size_t k = 0; s->level && (text = s->level(s->self, i, k)); k++) put(out, text);
        put(out, "");
    }
    return out->failed ? no_memory() : SG_OK;
}

void sg_heading_release(sg_heading *h)
{
    for (size_t i = 0; h->levels && i < h->columns; i++) sg_levels_release(&h->levels[i]);
    free(h->levels);
    free(h->names);
    *h = (sg_heading){0};
}

static const char *next(const char *text) { return text + strlen(text) + 1; }

/* Returns what is behind them, or NULL without memory. */
static const char *take_levels(const char *text, sg_levels *to)
{
    uint32_t code;
    for (; *text; text = next(text))
        if (sg_levels_add(to, text, strlen(text), &code) == SG_LEVEL_NO_MEMORY) return NULL;
    return next(text);
}

sg_status sg_heading_read(const char *text, size_t columns, sg_heading *h)
{
    *h = (sg_heading){.columns = columns,
                      .names = sg_alloc(columns, sizeof *h->names),
                      .levels = sg_alloc(columns, sizeof *h->levels)};
    bool words = false;
    if (!h->names || !h->levels) return no_memory();
    for (size_t i = 0; i < columns; i++) {
        h->names[i] = text;
        text = take_levels(next(text), &h->levels[i]);
        if (!text) return no_memory();
        words |= h->levels[i].count > 0;
    }
    if (words) return SG_OK;
    free(h->levels);
    h->levels = NULL;
    return SG_OK;
}
