/* level_budget.c: decides which columns have too many levels to be categorical.
 *
 * The levels of one column may use L bytes, where L is the largest of 16 MB, 8 MB, 4 MB, ... for which all columns
 * together use at most 64 MB. In this sum, a column with more than L bytes or too many levels counts as L bytes. The
 * result depends only on the sets of levels, not on their order, and a limit that is exceeded while rows are read stays
 * exceeded. Thus ranks that each read some of the rows exclude the same columns as one process that reads all rows
 * (rank_infer_types.c). */
#include "data/ingest/table_builder.h"

bool sg_level_budget_exceeded(uint64_t bytes, uint64_t overflowed, uint64_t limit)
{
    return limit && bytes + overflowed * limit > SG_LEVEL_BYTES_TOTAL_MAX;
}

/* Returns whether the levels of column k count towards the limit. Levels that a file header declares do not, because
 * the reader of the header limits them. */
static bool counts_toward_budget(const sg_table_builder *s, size_t k)
{
    return !s->column[k].overflowed && sg_table_builder_spec(s, k) != SG_SPEC_FIXED_LEVELS;
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

/* Halves the limit, and drops the levels of columns that exceed it, until the remaining levels fit. */
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
