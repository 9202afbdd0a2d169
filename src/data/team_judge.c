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
    to->bytes += more->bytes;
    to->crowded += more->crowded;
}

/* Each member's becomes that of all. */
static sg_status add_all(const sg_team *t, size_t n, sg_facts *facts)
{
    sg_facts *own = sg_alloc(n, sizeof *own), *one = sg_alloc(n, sizeof *one);
    sg_status st = sg_team_agree(t, own && one ? SG_OK : no_memory());
    if (st == SG_OK) memcpy(own, facts, n * sizeof *own); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) memset(facts, 0, n * sizeof *facts);
    for (size_t r = 0; st == SG_OK && r < t->ranks; r++) {
        if (r == t->rank) memcpy(one, own, n * sizeof *one); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
        st = sg_team_share(t, r, one, n * sizeof *one);
        for (size_t k = 0; st == SG_OK && k < n; k++) add(&facts[k], &one[k]);
    }
    free(own);
    free(one);
    return st;
}

/* --- different words --- */

/* The sum over members is too large for categories, but they may have the same words. */
static bool is_unclear(const sg_facts *f)
{
    bool words = f->texts > (f->rows - f->missing) / 2;
    return (words && f->levels > f->words / 2) || f->levels > SG_LEVELS_MOST || f->bytes > SG_LEVELS_BYTES;
}

/* Bytes that a column may have, where these are the columns: see store_words.c. */
static uint64_t limit_of(const sg_facts *f, size_t n)
{
    uint64_t limit = SG_LEVELS_BYTES, bytes, crowded;
    for (;; limit /= 2) {
        bytes = crowded = 0;
        for (size_t k = 0; k < n; k++)
            if (f[k].crowded || f[k].bytes > limit) crowded++;
            else bytes += f[k].bytes;
        if (!sg_words_too_many(bytes, crowded, limit)) return limit;
    }
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
    if (st == SG_OK && from == t->rank && n)
        memcpy(text, own->bytes, n); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) st = sg_team_share(t, from, text, (size_t)n);
    if (st == SG_OK) st = sg_team_agree(t, add_words(text, (size_t)n, all, full));
    free(text);
    return st;
}

static sg_status count_words(const sg_team *t, const sg_text *own, sg_facts *f)
{
    sg_levels all = {0};
    bool full = false;
    sg_status st = SG_OK;
    for (size_t r = 0; st == SG_OK && r < t->ranks; r++) st = hear_words(t, r, own, &all, &full);
    f->levels = all.count;
    f->bytes = sg_levels_bytes(&all);
    f->crowded = full;
    sg_levels_release(&all);
    return st;
}

/* facts: of this member, then of all: each word counts once where that matters. What has too many words with all of
 * them together has so with each. */
static sg_status unite(const sg_team *t, sg_store *s, sg_facts *facts)
{
    size_t n = s->columns.read_count;
    sg_status st = add_all(t, n, facts);
    if (st != SG_OK) return st;
    bool tight = limit_of(facts, n) < SG_LEVELS_BYTES;
    for (size_t k = 0; st == SG_OK && k < n; k++)
        if (!facts[k].crowded && facts[k].bytes && (tight || is_unclear(&facts[k])))
            st = count_words(t, &s->tally[k].levels.text, &facts[k]);
    uint64_t limit = limit_of(facts, n);
    for (size_t k = 0; st == SG_OK && k < n; k++) {
        facts[k].crowded |= facts[k].bytes > limit;
        if (facts[k].crowded) sg_store_crowd(s, k);
    }
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
        all->is =
            all->is && all[r].is && all[r].from == all[r - 1].to + 1; /* NOLINT(clang-analyzer-core.NullDereference) */
    if (st == SG_OK) s->numbering = *all;                             /* NOLINT(clang-analyzer-core.NullDereference) */
    free(all);
    return st;
}

/* --- all --- */

sg_status sg_team_facts(const sg_team *t, sg_store *s)
{
    sg_status st = check_columns(t, s);
    if (st == SG_OK) st = unite(t, s, s->facts);
    return st == SG_OK ? join_numbering(t, s) : st;
}

sg_status sg_team_crowded(const sg_team *t, sg_store *s)
{
    size_t n = s->columns.read_count;
    sg_facts *facts = sg_alloc(n, sizeof *facts);
    sg_status st = sg_team_agree(t, facts ? SG_OK : no_memory());
    for (size_t k = 0; st == SG_OK && k < n; k++)
        facts[k] = sg_facts_of(&s->tally[k], s->count); /* NOLINT(clang-analyzer-core.NullDereference) */
    if (st == SG_OK) st = unite(t, s, facts);
    free(facts);
    return st;
}
