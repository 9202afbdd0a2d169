/* level_union.c: see level_union.h. */
#include "data/level_union.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sg_level_union_release(sg_level_union *c)
{
    for (size_t i = 0; c->levels && i < c->columns; i++) sg_string_table_release(&c->levels[i]);
    for (size_t i = 0; c->code_map && i < c->parts * c->columns; i++) free(c->code_map[i]);
    free(c->levels);
    free(c->code_map);
    *c = (sg_level_union){0};
}

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the categories of several files"); }

static sg_status fail_intern(sg_intern_result got, const sg_source *s, size_t column)
{
    char shown[64];
    if (got == SG_INTERN_NO_MEMORY) return no_memory();
    return sg_fail(
        SG_EDATA,
        "%s: column \"%s\" has more than %d different values together with the other files, too many for categories",
        sg_source_name(s), sg_quote_excerpt(s->names[column], strlen(s->names[column]), shown, sizeof shown),
        SG_LEVELS_MAX);
}

static bool any_categorical(const sg_source *part, size_t parts, size_t column)
{
    for (size_t p = 0; p < parts; p++)
        if (sg_source_is_categorical(&part[p], column)) return true;
    return false;
}

/* --- parts that have words --- */

static sg_status add_levels(sg_level_union *c, const sg_source *s, size_t column, uint32_t **code)
{
    size_t n = 0;
    const char *text;
    while (s->level(s->self, column, n)) n++;
    *code = sg_calloc(n, sizeof **code);
    if (!*code) return no_memory();
    for (size_t i = 0; (text = s->level(s->self, column, i)); i++) {
        sg_intern_result got = sg_string_table_intern(&c->levels[column], text, strlen(text), &(*code)[i]);
        if (got == SG_INTERN_FULL || got == SG_INTERN_NO_MEMORY) return fail_intern(got, s, column);
    }
    return SG_OK;
}

/* --- parts that have numbers there --- */

typedef struct number_scan {
    sg_level_union *to;
    const sg_source *from;
    const bool *words;     /* (columns): in some part */
    uint32_t *const *code; /* (columns): of this one */
} number_scan;

static sg_status add_number_rows(void *arg, const double *values, size_t rows)
{
    const number_scan *n = arg;
    size_t columns = n->from->columns;
    uint32_t ignored;
    for (size_t i = 0; i < rows * columns; i++) {
        size_t column = i % columns;
        if (!n->words[column] || n->code[column] || isnan(values[i])) continue;
        sg_intern_result got = sg_string_table_intern_number(&n->to->levels[column], values[i], &ignored);
        if (got == SG_INTERN_FULL || got == SG_INTERN_NO_MEMORY) return fail_intern(got, n->from, column);
    }
    return SG_OK;
}

static sg_status add_part(sg_level_union *c, const sg_source *s, size_t p, const bool *words)
{
    uint32_t **code = c->code_map + p * c->columns;
    bool read = false;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < c->columns; i++) {
        if (sg_source_is_categorical(s, i)) st = add_levels(c, s, i, &code[i]);
        else read |= words[i];
    }
    number_scan n = {.to = c, .from = s, .words = words, .code = code};
    return st == SG_OK && read ? sg_source_for_each_block(s, add_number_rows, &n) : st;
}

/* --- all --- */

static sg_status add_parts(sg_level_union *c, const sg_source *part, const bool *words)
{
    size_t pointers;
    sg_status st = SG_OK;
    c->levels = sg_calloc(c->columns, sizeof *c->levels);
    c->code_map = sg_checked_mul(c->parts, c->columns, &pointers) ? sg_calloc(pointers, sizeof *c->code_map) : NULL;
    if (!c->levels || !c->code_map) return no_memory();
    for (size_t p = 0; st == SG_OK && p < c->parts; p++) st = add_part(c, &part[p], p, words);
    return st;
}

sg_status sg_level_union_build(sg_level_union *c, const sg_source *part, size_t parts)
{
    *c = (sg_level_union){.parts = parts, .columns = part->columns};
    bool any = false, *words = sg_calloc(c->columns, sizeof *words);
    if (!words) return no_memory();
    for (size_t i = 0; i < c->columns; i++) any |= words[i] = any_categorical(part, parts, i);
    sg_status st = any ? add_parts(c, part, words) : SG_OK;
    free(words);
    return st;
}

void sg_level_union_map(const sg_level_union *c, size_t part, double *values, size_t rows)
{
    for (size_t k = 0; c->levels && k < c->columns; k++) {
        const uint32_t *code = c->code_map[part * c->columns + k];
        if (c->levels[k].count == 0) continue;
        for (size_t i = 0; i < rows; i++) {
            double *cell = &values[i * c->columns + k];
            if (isnan(*cell)) continue;
            *cell = code ? (double)code[(size_t)*cell] : sg_string_table_find_number(&c->levels[k], *cell);
        }
    }
}
