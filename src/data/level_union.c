/* level_union.c: merges the levels of several sources. */
#include "data/level_union.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sg_level_union_release(sg_level_union *u)
{
    for (size_t i = 0; u->levels && i < u->columns; i++) sg_string_table_release(&u->levels[i]);
    for (size_t i = 0; u->code_map && i < u->parts * u->columns; i++) free(u->code_map[i]);
    free(u->levels);
    free(u->code_map);
    *u = (sg_level_union){0};
}

static sg_status fail_intern(sg_intern_result got, const sg_source *s, size_t column)
{
    if (got == SG_INTERN_NO_MEMORY) return sg_fail_out_of_memory("the categories of several files");
    return sg_fail(SG_EDATA,
                   "%s: column \"%s\" can't be categorical: in all files together it has more than %d distinct values, "
                   "or its values are too long",
                   sg_source_name(s), SG_EXCERPT(s->names[column]), SG_LEVELS_MAX);
}

static bool any_categorical(const sg_source *part, size_t parts, size_t column)
{
    for (size_t p = 0; p < parts; p++)
        if (sg_source_is_categorical(&part[p], column)) return true;
    return false;
}

/* --- categorical columns --- */

static sg_status add_levels(sg_level_union *u, const sg_source *s, size_t column, uint32_t **code)
{
    size_t n = 0;
    const char *text;
    while (s->level(s->self, column, n)) n++;
    *code = sg_calloc(n, sizeof **code);
    if (!*code) return sg_fail_out_of_memory("the categories of several files");
    for (size_t i = 0; (text = s->level(s->self, column, i)); i++) {
        sg_intern_result got = sg_string_table_intern(&u->levels[column], text, strlen(text), &(*code)[i]);
        if (got == SG_INTERN_FULL || got == SG_INTERN_NO_MEMORY) return fail_intern(got, s, column);
    }
    return SG_OK;
}

/* --- numeric columns that are categorical in another part --- */

typedef struct number_scan {
    sg_level_union *to;
    const sg_source *from;
    const bool *categorical; /* (columns) whether a column is categorical in any part */
    uint32_t *const *code;   /* (columns) maps the codes of this part */
} number_scan;

static sg_status add_number_rows(void *arg, const double *values, size_t rows)
{
    const number_scan *n = arg;
    size_t columns = n->from->columns;
    uint32_t ignored;
    for (size_t i = 0; i < rows * columns; i++) {
        size_t column = i % columns;
        if (!n->categorical[column] || n->code[column] || isnan(values[i])) continue;
        sg_intern_result got = sg_string_table_intern_number(&n->to->levels[column], values[i], &ignored);
        if (got == SG_INTERN_FULL || got == SG_INTERN_NO_MEMORY) return fail_intern(got, n->from, column);
    }
    return SG_OK;
}

static sg_status add_part(sg_level_union *u, const sg_source *s, size_t p, const bool *categorical)
{
    uint32_t **code = u->code_map + p * u->columns;
    bool read = false;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < u->columns; i++) {
        if (sg_source_is_categorical(s, i)) st = add_levels(u, s, i, &code[i]);
        else read |= categorical[i];
    }
    number_scan n = {.to = u, .from = s, .categorical = categorical, .code = code};
    return st == SG_OK && read ? sg_source_for_each_block(s, add_number_rows, &n) : st;
}

/* --- all parts --- */

static sg_status add_parts(sg_level_union *u, const sg_source *part, const bool *categorical)
{
    size_t pointers;
    sg_status st = SG_OK;
    u->levels = sg_calloc(u->columns, sizeof *u->levels);
    u->code_map = sg_checked_mul(u->parts, u->columns, &pointers) ? sg_calloc(pointers, sizeof *u->code_map) : NULL;
    if (!u->levels || !u->code_map) return sg_fail_out_of_memory("the categories of several files");
    for (size_t p = 0; st == SG_OK && p < u->parts; p++) st = add_part(u, &part[p], p, categorical);
    return st;
}

sg_status sg_level_union_build(sg_level_union *u, const sg_source *part, size_t parts)
{
    *u = (sg_level_union){.parts = parts, .columns = part->columns};
    bool any = false, *categorical = sg_calloc(u->columns, sizeof *categorical);
    if (!categorical) return sg_fail_out_of_memory("the categories of several files");
    for (size_t i = 0; i < u->columns; i++) any |= categorical[i] = any_categorical(part, parts, i);
    sg_status st = any ? add_parts(u, part, categorical) : SG_OK;
    free(categorical);
    return st;
}

void sg_level_union_map(const sg_level_union *u, size_t part, double *values, size_t rows)
{
    for (size_t k = 0; u->levels && k < u->columns; k++) {
        const uint32_t *code = u->code_map[part * u->columns + k];
        if (u->levels[k].count == 0) continue;
        for (size_t i = 0; i < rows; i++) {
            double *cell = &values[i * u->columns + k];
            if (isnan(*cell)) continue;
            *cell = code ? (double)code[(size_t)*cell] : sg_string_table_find_number(&u->levels[k], *cell);
        }
    }
}
