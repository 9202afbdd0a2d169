/* schema_wire.c: encodes and decodes column names and levels. An empty string ends the levels of a column: no level is
 * empty, because empty cells are missing values. */
#include "data/distributed/schema_wire.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void put_string(sg_text *out, const char *text) { sg_text_append_bytes(out, text, strlen(text) + 1); }

sg_status sg_schema_encode(const sg_source *s, sg_text *out)
{
    for (size_t i = 0; i < s->columns; i++) {
        const char *text;
        put_string(out, s->names[i]);
        for (size_t k = 0; (text = sg_source_level(s, i, k)); k++) put_string(out, text);
        put_string(out, "");
    }
    return out->failed ? sg_fail_out_of_memory("the names of columns") : SG_OK;
}

void sg_schema_release(sg_schema *h)
{
    for (size_t i = 0; h->levels && i < h->columns; i++) sg_string_table_release(&h->levels[i]);
    free(h->levels);
    free(h->names);
    *h = (sg_schema){0};
}

static const char *next_string(const char *text) { return text + strlen(text) + 1; }

/* Returns the position after the levels, or NULL if memory is exhausted. */
static const char *decode_levels(const char *text, sg_string_table *to)
{
    uint32_t code;
    for (; *text; text = next_string(text))
        if (sg_string_table_intern(to, text, strlen(text), &code) == SG_INTERN_NO_MEMORY) return NULL;
    return next_string(text);
}

sg_status sg_schema_decode(const char *text, size_t columns, sg_schema *h)
{
    *h = (sg_schema){.columns = columns,
                     .names = sg_calloc(columns, sizeof *h->names),
                     .levels = sg_calloc(columns, sizeof *h->levels)};
    bool categorical = false;
    if (!h->names || !h->levels) return sg_fail_out_of_memory("the names of columns");
    for (size_t i = 0; i < columns; i++) {
        h->names[i] = text;
        text = decode_levels(next_string(text), &h->levels[i]);
        if (!text) return sg_fail_out_of_memory("the names of columns");
        categorical |= h->levels[i].count > 0;
    }
    if (categorical) return SG_OK;
    free(h->levels);
    h->levels = NULL;
    return SG_OK;
}
