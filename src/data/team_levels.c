/* team_levels.c: see team_levels.h. Each member lists its levels, also those that its numbers become; the lists go to
 * all, and stand for the members' sources where common_levels.h puts them together. */
#include "data/team_levels.h"

#include "base/memory.h"
#include "base/team.h"
#include "data/heading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the categories of a team"); }

typedef struct listing {
    const sg_team *team;
    const sg_source *mine;
    bool *words;       /* (columns): with some member */
    sg_levels *levels; /* (columns): of this one      */
} listing;

static void release(listing *l)
{
    for (size_t i = 0; l->levels && i < l->mine->columns; i++) sg_levels_release(&l->levels[i]);
    free(l->levels);
    free(l->words);
}

/* --- which columns hold words --- */

static sg_status find_words(listing *l, bool *any)
{
    size_t columns = l->mine->columns, bytes;
    char *all = sg_mul(columns, l->team->ranks, &bytes) ? sg_alloc(bytes, 1) : NULL, *own = sg_alloc(columns, 1);
    sg_status st = sg_team_agree(l->team, all && own ? SG_OK : no_memory());
    for (size_t i = 0; st == SG_OK && i < columns; i++)
        own[i] = sg_source_has_words(l->mine, i); /* NOLINT(clang-analyzer-core.NullDereference) */
    if (st == SG_OK) st = sg_team_all(l->team, own, columns, all);
    *any = false;
    for (size_t i = 0; st == SG_OK && i < bytes; i++) {
        l->words[i % columns] |=
            all[i] != 0; /* NOLINT(clang-analyzer-core.DivideZero,clang-analyzer-core.NullDereference) */
        *any |= all[i] != 0;
    }
    free(own);
    free(all);
    return st;
}

/* --- this member's levels --- */

static sg_status check_added(const listing *l, sg_leveled got, size_t column)
{
    char shown[64];
    const char *name = l->mine->names[column];
    if (got == SG_LEVEL_NO_MEMORY) return no_memory();
    if (got != SG_LEVEL_FULL) return SG_OK;
    return sg_fail(SG_EDATA,
                   "%s: column \"%s\", which holds words on another rank, has more than %d different values, too many "
                   "for categories",
                   sg_source_name(l->mine), sg_quotable(name, strlen(name), shown, sizeof shown), SG_LEVELS_MOST);
}

static sg_status list_words(const listing *l, size_t column)
{
    const char *text;
    uint32_t code;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && (text = l->mine->level(l->mine->self, column, i)); i++)
        st = check_added(l, sg_levels_add(&l->levels[column], text, strlen(text), &code), column);
    return st;
}

static sg_status list_numbers(void *arg, const double *values, size_t rows)
{
    const listing *l = arg;
    size_t columns = l->mine->columns;
    uint32_t code;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows * columns; i++)
        if (l->words[i % columns] && !isnan(values[i]) && !sg_source_has_words(l->mine, i % columns))
            st = check_added(l, sg_levels_add_number(&l->levels[i % columns], values[i], &code), i % columns);
    return st;
}

static sg_status list_mine(listing *l)
{
    bool numbers = false;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < l->mine->columns; i++) {
        if (sg_source_has_words(l->mine, i)) st = list_words(l, i);
        else numbers |= l->words[i];
    }
    return st == SG_OK && numbers ? sg_source_walk(l->mine, list_numbers, l) : st;
}

/* --- everyone's --- */

static const char *listed_level(void *self, size_t column, size_t i)
{
    const sg_levels *levels = self;
    return sg_levels_text(&levels[column], i);
}

/* A list in place of a source, without rows. */
static sg_source stand_in(const listing *l, sg_levels *levels)
{
    return (sg_source){.self = levels,
                       .name = l->mine->name,
                       .columns = l->mine->columns,
                       .names = l->mine->names,
                       .level = levels ? listed_level : NULL};
}

static sg_status hear(const listing *l, size_t from, const sg_text *own, sg_heading *out)
{
    uint64_t n = own->length;
    sg_status st = sg_team_share(l->team, from, &n, sizeof n);
    if (st != SG_OK) return st;
    char *text = sg_alloc((size_t)n, 1);
    st = sg_team_agree(l->team, text ? SG_OK : no_memory());
    if (st == SG_OK && from == l->team->rank)
        memcpy(text, own->bytes, own->length); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) st = sg_team_share(l->team, from, text, (size_t)n);
    if (st == SG_OK) st = sg_team_agree(l->team, sg_heading_read(text, l->mine->columns, out));
    free(text); /* its names are not used */
    return st;
}

static sg_status put_together(const listing *l, sg_heading *heading, sg_source *source, sg_common_levels *c)
{
    sg_text own = {0};
    sg_source mine = stand_in(l, l->levels);
    sg_status st = sg_team_agree(l->team, sg_heading_write(&mine, &own));
    for (size_t r = 0; st == SG_OK && r < l->team->ranks; r++) {
        st = hear(l, r, &own, &heading[r]);
        source[r] = stand_in(l, heading[r].levels); /* NOLINT(clang-analyzer-core.NullDereference) */
    }
    if (st == SG_OK) st = sg_team_agree(l->team, sg_common_levels_find(c, source, l->team->ranks));
    sg_text_release(&own);
    return st;
}

static sg_status exchange(const listing *l, sg_common_levels *c)
{
    size_t ranks = l->team->ranks;
    sg_heading *heading = sg_alloc(ranks, sizeof *heading);
    sg_source *source = sg_alloc(ranks, sizeof *source);
    sg_status st = sg_team_agree(l->team, heading && source ? SG_OK : no_memory());
    if (st == SG_OK) st = put_together(l, heading, source, c);
    for (size_t r = 0; heading && r < ranks; r++) sg_heading_release(&heading[r]);
    free(heading);
    free(source);
    return st;
}

/* Columns that hold numbers here are looked up by value, and not by code. */
static void forget_numbers(const listing *l, sg_common_levels *c)
{
    for (size_t i = 0; c->code && i < c->columns; i++) {
        uint32_t **code = &c->code[l->team->rank * c->columns + i];
        if (sg_source_has_words(l->mine, i)) continue;
        free(*code);
        *code = NULL;
    }
}

sg_status sg_team_levels_find(const sg_team *t, const sg_source *mine, sg_common_levels *c)
{
    bool any = false;
    *c = (sg_common_levels){0};
    listing l = {.team = t,
                 .mine = mine,
                 .words = sg_alloc(mine->columns, sizeof *l.words),
                 .levels = sg_alloc(mine->columns, sizeof *l.levels)};
    sg_status st = sg_team_agree(t, l.words && l.levels ? SG_OK : no_memory());
    if (st == SG_OK) st = find_words(&l, &any);
    if (st == SG_OK && any) st = sg_team_agree(t, list_mine(&l));
    if (st == SG_OK && any) st = exchange(&l, c);
    if (st == SG_OK) forget_numbers(&l, c);
    release(&l);
    return st;
}
