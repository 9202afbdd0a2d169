/* level_budget.c: which columns have too many words to be kept.
 *
 * A column may have L bytes of them: 16 MB, or half of that, a quarter, ...: the largest L for which all columns
 * together take 64 MB at most, where one that has more than L, or more levels than a column may have, counts as L. That
 * depends on the sets of words alone, not on their order: a sum that is too large while rows are read is at least as
 * large at their end. So members of a team that each know some of the rows find the same columns as one process that
 * reads all of them (shard_infer_types.c): what is too much for one of them is so for all. */
#include "data/ingest/table_builder.h"

bool sg_level_budget_exceeded(uint64_t bytes, uint64_t crowded, uint64_t limit)
{
    return limit && bytes + crowded * limit > SG_LEVEL_BYTES_TOTAL_MAX;
}

/* Words that a file's header declares are counted there. */
static bool counts_toward_budget(const sg_table_builder *s, size_t k)
{
    return !s->column[k].overflowed && s->selection.spec[s->selection.read_index[k]] != SG_SPEC_FIXED_LEVELS;
}

void sg_table_builder_drop_levels(sg_table_builder *s, size_t k)
{
    sg_column_builder *t = &s->column[k];
    if (t->overflowed) return;
    if (counts_toward_budget(s, k)) s->level_bytes -= sg_string_table_bytes(&t->levels);
    t->overflowed = true;
    s->overflowed_columns++;
    sg_string_table_release(&t->levels);
}

/* Columns with more than the limit are crowded; the limit becomes less until the others fit. */
static void shrink_limit(sg_table_builder *s)
{
    while (sg_level_budget_exceeded(s->level_bytes, s->overflowed_columns, s->level_bytes_limit)) {
        s->level_bytes_limit /= 2;
        for (size_t k = 0; k < s->selection.read_count; k++)
            if (counts_toward_budget(s, k) && sg_string_table_bytes(&s->column[k].levels) > s->level_bytes_limit)
                sg_table_builder_drop_levels(s, k);
    }
}

sg_intern_result sg_table_builder_intern_level(sg_table_builder *s, size_t k, const char *text, size_t n,
                                               uint32_t *code)
{
    sg_string_table *l = &s->column[k].levels;
    size_t before = sg_string_table_bytes(l);
    sg_intern_result got = sg_string_table_intern(l, text, n, code);
    if (got == SG_INTERN_ADDED && counts_toward_budget(s, k)) {
        s->level_bytes += sg_string_table_bytes(l) - before;
        if (sg_string_table_bytes(l) > s->level_bytes_limit) got = SG_INTERN_FULL;
    }
    if (got == SG_INTERN_FULL) sg_table_builder_drop_levels(s, k);
    if (got == SG_INTERN_FULL || got == SG_INTERN_ADDED) shrink_limit(s);
    return s->column[k].overflowed ? SG_INTERN_FULL : got;
}
