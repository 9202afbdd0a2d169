/* store_words.c: which columns have too many words to be kept.
 *
 * A column may have L bytes of them: 16 MB, or half of that, a quarter, ...: the largest L for which all columns
 * together take 64 MB at most, where one that has more than L, or more levels than a column may have, counts as L. That
 * depends on the sets of words alone, not on their order: a sum that is too large while rows are read is at least as
 * large at their end. So members of a team that each know some of the rows find the same columns as one process that
 * reads all of them (team_judge.c): what is too much for one of them is so for all. */
#include "data/store.h"

bool sg_words_too_many(uint64_t bytes, uint64_t crowded, uint64_t limit)
{
    return limit && bytes + crowded * limit > SG_LEVELS_ALL;
}

/* Words that a file's header declares are counted there. */
static bool is_counted(const sg_store *s, size_t k)
{
    return !s->tally[k].crowded && s->columns.kind[s->columns.reads[k]] != SG_KIND_DECLARED;
}

void sg_store_crowd(sg_store *s, size_t k)
{
    sg_column_tally *t = &s->tally[k];
    if (t->crowded) return;
    if (is_counted(s, k)) s->words -= sg_levels_bytes(&t->levels);
    t->crowded = true;
    s->crowded++;
    sg_levels_release(&t->levels);
}

/* Columns with more than the limit are crowded; the limit becomes less until the others fit. */
static void make_fit(sg_store *s)
{
    while (sg_words_too_many(s->words, s->crowded, s->word_limit)) {
        s->word_limit /= 2;
        for (size_t k = 0; k < s->columns.read_count; k++)
            if (is_counted(s, k) && sg_levels_bytes(&s->tally[k].levels) > s->word_limit) sg_store_crowd(s, k);
    }
}

sg_leveled sg_store_level(sg_store *s, size_t k, const char *text, size_t n, uint32_t *code)
{
    sg_levels *l = &s->tally[k].levels;
    size_t before = sg_levels_bytes(l);
    sg_leveled got = sg_levels_add(l, text, n, code);
    if (got == SG_LEVEL_NEW && is_counted(s, k)) {
        s->words += sg_levels_bytes(l) - before;
        if (sg_levels_bytes(l) > s->word_limit) got = SG_LEVEL_FULL;
    }
    if (got == SG_LEVEL_FULL) sg_store_crowd(s, k);
    if (got == SG_LEVEL_FULL || got == SG_LEVEL_NEW) make_fit(s);
    return s->tally[k].crowded ? SG_LEVEL_FULL : got;
}
