/* common_levels.c: see common_levels.h. */
#include "data/common_levels.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sg_common_levels_release(sg_common_levels *c)
{
    for (size_t i = 0; c->levels && i < c->columns; i++) sg_levels_release(&c->levels[i]);
    for (size_t i = 0; c->code && i < c->parts * c->columns; i++) free(c->code[i]);
    free(c->levels);
    free(c->code);
    *c = (sg_common_levels){0};
}

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the categories of several files"); }

static sg_status fault(sg_leveled got, const sg_source *s, size_t column)
{
    char shown[64];
    if (got == SG_LEVEL_NO_MEMORY) return no_memory();
    return sg_fail(
        SG_EDATA,
        "%s: column \"%s\" has more than %d different values together with the other files, too many for categories",
        sg_source_name(s), sg_quotable(s->names[column], strlen(s->names[column]), shown, sizeof shown),
        SG_LEVELS_MOST);
}

static bool any_words(const sg_source *part, size_t parts, size_t column)
{
    for (size_t p = 0; p < parts; p++)
        if (sg_source_has_words(&part[p], column)) return true;
    return false;
}

/* --- parts that have words --- */

static sg_status add_words(sg_common_levels *c, const sg_source *s, size_t column, uint32_t **code)
{
    size_t n = 0;
    const char *text;
    while (s->level(s->self, column, n)) n++;
    *code = sg_alloc(n, sizeof **code);
    if (!*code) return no_memory();
    for (size_t i = 0; (text = s->level(s->self, column, i)); i++) {
        sg_leveled got = sg_levels_add(&c->levels[column], text, strlen(text), &(*code)[i]);
        if (got == SG_LEVEL_FULL || got == SG_LEVEL_NO_MEMORY) return fault(got, s, column);
    }
    return SG_OK;
}

/* --- parts that have numbers there --- */

typedef struct numbers {
    sg_common_levels *to;
    const sg_source *from;
    const bool *words;     /* (columns): in some part */
    uint32_t *const *code; /* (columns): of this one */
} numbers;

static sg_status add_rows(void *arg, const double *values, size_t rows)
{
    const numbers *n = arg;
    size_t columns = n->from->columns;
    uint32_t ignored;
    for (size_t i = 0; i < rows * columns; i++) {
        size_t column = i % columns;
        if (!n->words[column] || n->code[column] || isnan(values[i])) continue;
        sg_leveled got = sg_levels_add_number(&n->to->levels[column], values[i], &ignored);
        if (got == SG_LEVEL_FULL || got == SG_LEVEL_NO_MEMORY) return fault(got, n->from, column);
    }
    return SG_OK;
}

static sg_status add_part(sg_common_levels *c, const sg_source *s, size_t p, const bool *words)
{
    uint32_t **code = c->code + p * c->columns;
    bool read = false;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < c->columns; i++) {
        if (sg_source_has_words(s, i)) st = add_words(c, s, i, &code[i]);
        else read |= words[i];
    }
    numbers n = {.to = c, .from = s, .words = words, .code = code};
    return st == SG_OK && read ? sg_source_walk(s, add_rows, &n) : st;
}

/* --- all --- */

static sg_status add_parts(sg_common_levels *c, const sg_source *part, const bool *words)
{
    size_t pointers;
    sg_status st = SG_OK;
    c->levels = sg_alloc(c->columns, sizeof *c->levels);
    c->code = sg_mul(c->parts, c->columns, &pointers) ? sg_alloc(pointers, sizeof *c->code) : NULL;
    if (!c->levels || !c->code) return no_memory();
    for (size_t p = 0; st == SG_OK && p < c->parts; p++) st = add_part(c, &part[p], p, words);
    return st;
}

sg_status sg_common_levels_find(sg_common_levels *c, const sg_source *part, size_t parts)
{
    *c = (sg_common_levels){.parts = parts, .columns = part->columns};
    bool any = false, *words = sg_alloc(c->columns, sizeof *words);
    if (!words) return no_memory();
    for (size_t i = 0; i < c->columns; i++) any |= words[i] = any_words(part, parts, i);
    sg_status st = any ? add_parts(c, part, words) : SG_OK;
    free(words);
    return st;
}

void sg_common_levels_map(const sg_common_levels *c, size_t part, double *values, size_t rows)
{
    for (size_t k = 0; c->levels && k < c->columns; k++) {
        const uint32_t *code = c->code[part * c->columns + k];
        if (c->levels[k].count == 0) continue;
        for (size_t i = 0; i < rows; i++) {
            double *cell = &values[i * c->columns + k];
            if (isnan(*cell)) continue;
            *cell = code ? (double)code[(size_t)*cell] : sg_levels_find_number(&c->levels[k], *cell);
        }
    }
}
