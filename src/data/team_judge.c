/* team_judge.c: see team_judge.h. Counts are sums; how many different words there are is known only where the words
 * themselves go to all, which is done where it matters. */
#include "data/team_judge.h"

#include "base/memory.h"
#include "base/team.h"
#include "data/team_view.h"

#include <stdlib.h>

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the columns of a team"); }

static sg_status check_columns(const sg_team *t, const sg_store *s)
{
    const sg_columns *c = &s->columns;
    const char **names = sg_alloc(c->read_count, sizeof *names);
    for (size_t k = 0; names && k < c->read_count; k++) names[k] = c->names[c->reads[k]];
    sg_source mine = {.name = c->file, .columns = c->read_count, .names = names};
    sg_status st = sg_team_agree(t, names ? SG_OK : no_memory());
    if (st == SG_OK) st = sg_team_same_columns(t, &mine, false);
    free(names);
    return st;
}

/* --- counts --- */

static void add(sg_facts *to, const sg_facts *more)
{
    to->rows += more->rows; /* NOLINT(clang-analyzer-core.NullDereference) */
    to->missing += more->missing;
    to->texts += more->texts;
    to->words += more->words;
    to->dates += more->dates;
    to->levels += more->levels;
    to->crowded += more->crowded;
}

static sg_status add_all(const sg_team *t, sg_store *s)
{
    size_t n = s->columns.read_count;
    sg_facts *all = sg_alloc(n, sizeof *all), *one = sg_alloc(n, sizeof *one);
    sg_status st = sg_team_agree(t, all && one ? SG_OK : no_memory());
    for (size_t r = 0; st == SG_OK && r < t->ranks; r++) {
        if (r == t->rank) memcpy(one, s->facts, n * sizeof *one); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
        st = sg_team_share(t, r, one, n * sizeof *one);
        for (size_t k = 0; st == SG_OK && k < n; k++) add(&all[k], &one[k]);
    }
    free(one);
    free(s->facts);
    s->facts = all;
    return st;
}

/* --- different words --- */

/* The sum over members is too large for categories, but they may have the same words. */
static bool is_unclear(const sg_store *s, size_t k)
{
    const sg_facts *f = &s->facts[k];
    return f->texts > (f->rows - f->missing) / 2 && !f->crowded && (f->levels > f->words / 2 || f->levels > SG_LEVELS_MOST);
}

static sg_status add_words(const char *text, size_t n, sg_levels *all, bool *full)
{
    uint32_t code;
    for (const char *end = text + n; !*full && text < end; text += strlen(text) + 1) {
        sg_leveled got = sg_levels_add(all, text, strlen(text), &code);
        if (got == SG_LEVEL_NO_MEMORY) return no_memory();
        *full = got == SG_LEVEL_FULL;
    }
    return SG_OK;
}

/* Those of one member, which all hear. */
static sg_status hear_words(const sg_team *t, size_t from, const sg_text *own, sg_levels *all, bool *full)
{
    uint64_t n = own->length;
    sg_status st = sg_team_share(t, from, &n, sizeof n);
    if (st != SG_OK) return st;
    char *text = sg_alloc((size_t)n, 1);
    st = sg_team_agree(t, text ? SG_OK : no_memory());
    if (st == SG_OK && from == t->rank && n) memcpy(text, own->bytes, n); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) st = sg_team_share(t, from, text, (size_t)n);
    if (st == SG_OK) st = sg_team_agree(t, add_words(text, (size_t)n, all, full));
    free(text);
    return st;
}

static sg_status count_words(const sg_team *t, sg_store *s, size_t k)
{
    sg_levels all = {0};
    bool full = false;
    sg_status st = SG_OK;
    for (size_t r = 0; st == SG_OK && r < t->ranks; r++) st = hear_words(t, r, &s->tally[k].levels.text, &all, &full);
    s->facts[k].levels = all.count;
    s->facts[k].crowded = full;
    sg_levels_release(&all);
    return st;
}

/* --- a numbering --- */

/* Each member's goes on where that of the one before ends. */
static sg_status join_numbering(const sg_team *t, sg_store *s)
{
    sg_numbering *all = sg_alloc(t->ranks, sizeof *all);
    sg_status st = sg_team_agree(t, all ? SG_OK : no_memory());
    if (st == SG_OK) st = sg_team_all(t, &s->numbering, sizeof *all, all);
    for (size_t r = 1; st == SG_OK && r < t->ranks; r++)
        all->is = all->is && all[r].is && all[r].from == all[r - 1].to + 1; /* NOLINT(clang-analyzer-core.NullDereference) */
    if (st == SG_OK) s->numbering = *all; /* NOLINT(clang-analyzer-core.NullDereference) */
    free(all);
    return st;
}

/* --- all --- */

sg_status sg_team_facts(const sg_team *t, sg_store *s)
{
    sg_status st = check_columns(t, s);
    if (st == SG_OK) st = add_all(t, s);
    for (size_t k = 0; st == SG_OK && k < s->columns.read_count; k++)
        if (is_unclear(s, k)) st = count_words(t, s, k);
    return st == SG_OK ? join_numbering(t, s) : st;
}

sg_status sg_team_crowded(const sg_team *t, sg_store *s)
{
    size_t n = s->columns.read_count;
    char *one = sg_alloc(n, 1);
    sg_status st = sg_team_agree(t, one ? SG_OK : no_memory());
    for (size_t r = 0; st == SG_OK && r < t->ranks; r++) {
        for (size_t k = 0; k < n; k++) one[k] = s->tally[k].crowded; /* NOLINT(clang-analyzer-core.NullDereference) */
        st = sg_team_share(t, r, one, n);
        for (size_t k = 0; st == SG_OK && k < n; k++) s->tally[k].crowded |= one[k] != 0;
    }
    free(one);
    return st;
}
