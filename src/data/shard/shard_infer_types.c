/* shard_infer_types.c: see shard_infer_types.h. Counts are sums; how many different words there are is known only where
 * the words themselves go to all, which is done where it matters. */
#include "data/shard/shard_infer_types.h"

#include "base/memory.h"
#include "comm/comm.h"
#include "data/shard/shard_check.h"

#include <stdlib.h>

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the columns of a team"); }

static sg_status check_columns(const sg_comm *t, const sg_table_builder *s)
{
    const sg_column_selection *c = &s->selection;
    const char **names = sg_calloc(c->read_count, sizeof *names);
    for (size_t k = 0; names && k < c->read_count; k++) names[k] = c->names[c->read_index[k]];
    sg_source mine = {.name = c->file, .columns = c->read_count, .names = names};
    sg_status st = sg_comm_agree_status(t, names ? SG_OK : no_memory());
    if (st == SG_OK) st = sg_shard_check_columns(t, &mine, false);
    free(names);
    return st;
}

/* --- counts --- */

static void add_evidence(sg_type_evidence *to, const sg_type_evidence *more)
{
    to->rows += more->rows; /* NOLINT(clang-analyzer-core.NullDereference) */
    to->missing_count += more->missing_count;
    to->text_count += more->text_count;
    to->non_number_count += more->non_number_count;
    to->date_count += more->date_count;
    to->level_count += more->level_count;
    to->level_bytes += more->level_bytes;
    to->overflowed += more->overflowed;
}

/* Each member's becomes that of all. */
static sg_status sum_evidence(const sg_comm *t, size_t n, sg_type_evidence *facts)
{
    sg_type_evidence *own = sg_calloc(n, sizeof *own), *one = sg_calloc(n, sizeof *one);
    sg_status st = sg_comm_agree_status(t, own && one ? SG_OK : no_memory());
    if (st == SG_OK) memcpy(own, facts, n * sizeof *own); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) memset(facts, 0, n * sizeof *facts);
    for (size_t r = 0; st == SG_OK && r < t->ranks; r++) {
        if (r == t->rank) memcpy(one, own, n * sizeof *one); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
        st = sg_comm_bcast(t, r, one, n * sizeof *one);
        for (size_t k = 0; st == SG_OK && k < n; k++) add_evidence(&facts[k], &one[k]);
    }
    free(own);
    free(one);
    return st;
}

/* --- different words --- */

/* The sum over members is too large for categories, but they may have the same words. */
static bool needs_exact_count(const sg_type_evidence *f)
{
    bool words = f->text_count > (f->rows - f->missing_count) / 2;
    return (words && f->level_count > f->non_number_count / 2) || f->level_count > SG_LEVELS_MAX ||
           f->level_bytes > SG_LEVEL_BYTES_MAX;
}

/* Bytes that a column may have, where these are the columns: see level_budget.c. */
static uint64_t level_limit(const sg_type_evidence *f, size_t n)
{
    uint64_t limit = SG_LEVEL_BYTES_MAX, bytes, crowded;
    for (;; limit /= 2) {
        bytes = crowded = 0;
        for (size_t k = 0; k < n; k++)
            if (f[k].overflowed || f[k].level_bytes > limit) crowded++;
            else bytes += f[k].level_bytes;
        if (!sg_level_budget_exceeded(bytes, crowded, limit)) return limit;
    }
}

static sg_status intern_all(const char *text, size_t n, sg_string_table *all, bool *full)
{
    uint32_t code;
    for (const char *end = text + n; !*full && text < end; text += strlen(text) + 1) {
        sg_intern_result got = sg_string_table_intern(all, text, strlen(text), &code);
        if (got == SG_INTERN_NO_MEMORY) return no_memory();
        *full = got == SG_INTERN_FULL;
    }
    return SG_OK;
}

/* Those of one member, which all hear. */
static sg_status broadcast_levels(const sg_comm *t, size_t from, const sg_text *own, sg_string_table *all, bool *full)
{
    uint64_t n = own->length;
    sg_status st = sg_comm_bcast(t, from, &n, sizeof n);
    if (st != SG_OK) return st;
    char *text = sg_calloc((size_t)n, 1);
    st = sg_comm_agree_status(t, text ? SG_OK : no_memory());
    if (st == SG_OK && from == t->rank && n)
        memcpy(text, own->bytes, n); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) st = sg_comm_bcast(t, from, text, (size_t)n);
    if (st == SG_OK) st = sg_comm_agree_status(t, intern_all(text, (size_t)n, all, full));
    free(text);
    return st;
}

static sg_status count_distinct_levels(const sg_comm *t, const sg_text *own, sg_type_evidence *f)
{
    sg_string_table all = {0};
    bool full = false;
    sg_status st = SG_OK;
    for (size_t r = 0; st == SG_OK && r < t->ranks; r++) st = broadcast_levels(t, r, own, &all, &full);
    f->level_count = all.count;
    f->level_bytes = sg_string_table_bytes(&all);
    f->overflowed = full;
    sg_string_table_release(&all);
    return st;
}

/* facts: of this member, then of all: each word counts once where that matters. What has too many words with all of
 * them together has so with each. */
static sg_status merge_evidence(const sg_comm *t, sg_table_builder *s, sg_type_evidence *facts)
{
    size_t n = s->selection.read_count;
    sg_status st = sum_evidence(t, n, facts);
    if (st != SG_OK) return st;
    bool tight = level_limit(facts, n) < SG_LEVEL_BYTES_MAX;
    for (size_t k = 0; st == SG_OK && k < n; k++)
        if (!facts[k].overflowed && facts[k].level_bytes && (tight || needs_exact_count(&facts[k])))
            st = count_distinct_levels(t, &s->column[k].levels.text, &facts[k]);
    uint64_t limit = level_limit(facts, n);
    for (size_t k = 0; st == SG_OK && k < n; k++) {
        facts[k].overflowed |= facts[k].level_bytes > limit;
        if (facts[k].overflowed) sg_table_builder_drop_levels(s, k);
    }
    return st;
}

/* --- a numbering --- */

/* Each member's goes on where that of the one before ends. */
static sg_status merge_row_numbers(const sg_comm *t, sg_table_builder *s)
{
    sg_row_number_check *all = sg_calloc(t->ranks, sizeof *all);
    sg_status st = sg_comm_agree_status(t, all ? SG_OK : no_memory());
    if (st == SG_OK) st = sg_comm_allgather(t, &s->row_number, sizeof *all, all);
    for (size_t r = 1; st == SG_OK && r < t->ranks; r++)
        all->consecutive = all->consecutive && all[r].consecutive &&
                           all[r].first == all[r - 1].last + 1; /* NOLINT(clang-analyzer-core.NullDereference) */
    if (st == SG_OK) s->row_number = *all;                      /* NOLINT(clang-analyzer-core.NullDereference) */
    free(all);
    return st;
}

/* --- all --- */

sg_status sg_shard_merge_evidence(const sg_comm *t, sg_table_builder *s)
{
    sg_status st = check_columns(t, s);
    if (st == SG_OK) st = merge_evidence(t, s, s->evidence);
    return st == SG_OK ? merge_row_numbers(t, s) : st;
}

sg_status sg_shard_merge_level_budget(const sg_comm *t, sg_table_builder *s)
{
    size_t n = s->selection.read_count;
    sg_type_evidence *facts = sg_calloc(n, sizeof *facts);
    sg_status st = sg_comm_agree_status(t, facts ? SG_OK : no_memory());
    for (size_t k = 0; st == SG_OK && k < n; k++)
        facts[k] = sg_type_evidence_of(&s->column[k], s->row_count); /* NOLINT(clang-analyzer-core.NullDereference) */
    if (st == SG_OK) st = merge_evidence(t, s, facts);
    free(facts);
    return st;
}
