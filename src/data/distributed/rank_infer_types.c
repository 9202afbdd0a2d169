/* rank_infer_types.c: infers column types from the rows of all ranks.
 *
 * Counts are summed over ranks. To count distinct levels, ranks need the levels themselves, which are broadcast only if
 * the sums do not settle the type. */
#include "data/distributed/shard_source.h"

#include "base/memory.h"
#include "comm/collectives.h"
#include "data/ingest/table_builder.h"

#include <stdlib.h>

static sg_status check_columns(const sg_comm *comm, const sg_table_builder *s)
{
    const sg_column_selection *c = &s->selection;
    const char **names = sg_calloc(c->read_count, sizeof *names);
    for (size_t k = 0; names && k < c->read_count; k++) names[k] = c->names[c->read_index[k]];
    sg_source mine = {.name = c->file, .columns = c->read_count, .names = names};
    sg_status st = sg_comm_agree_status(comm, names ? SG_OK : sg_fail_out_of_memory("the columns of all ranks"));
    if (st == SG_OK) st = sg_shard_check_columns(comm, &mine, false);
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

/* Replaces the evidence of this rank with the sum over all ranks. */
static sg_status sum_evidence(const sg_comm *comm, size_t n, sg_type_evidence *evidence)
{
    sg_type_evidence *own = sg_calloc(n, sizeof *own), *one = sg_calloc(n, sizeof *one);
    sg_status st = sg_comm_agree_status(comm, own && one ? SG_OK : sg_fail_out_of_memory("the columns of all ranks"));
    if (st == SG_OK) memcpy(own, evidence, n * sizeof *own); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) memset(evidence, 0, n * sizeof *evidence);
    for (size_t r = 0; st == SG_OK && r < comm->ranks; r++) {
        if (r == comm->rank) memcpy(one, own, n * sizeof *one); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
        st = sg_comm_bcast(comm, r, one, n * sizeof *one);
        for (size_t k = 0; st == SG_OK && k < n; k++) add_evidence(&evidence[k], &one[k]);
    }
    free(own);
    free(one);
    return st;
}

/* --- distinct levels --- */

/* Returns whether the sums over ranks exceed a limit for categorical columns. The exact counts may be smaller, because
 * a level that occurs on several ranks is counted more than once in the sums. */
static bool needs_exact_count(const sg_type_evidence *f)
{
    bool is_text = f->text_count > (f->rows - f->missing_count) / 2;
    return (is_text && f->level_count > f->non_number_count / 2) || f->level_count > SG_LEVELS_MAX ||
           f->level_bytes > SG_LEVEL_BYTES_MAX;
}

/* Returns the number of bytes that the levels of one column may use; see level_budget.c. */
static uint64_t level_limit(const sg_type_evidence *f, size_t n)
{
    uint64_t limit = SG_LEVEL_BYTES_MAX, bytes, overflowed;
    for (;; limit /= 2) {
        bytes = overflowed = 0;
        for (size_t k = 0; k < n; k++)
            if (f[k].overflowed || f[k].level_bytes > limit) overflowed++;
            else bytes += f[k].level_bytes;
        if (!sg_level_budget_exceeded(bytes, overflowed, limit)) return limit;
    }
}

static sg_status intern_all(const char *text, size_t n, sg_string_table *all, bool *full)
{
    uint32_t code;
    for (const char *end = text + n; !*full && text < end; text += strlen(text) + 1) {
        sg_intern_result got = sg_string_table_intern(all, text, strlen(text), &code);
        if (got == SG_INTERN_NO_MEMORY) return sg_fail_out_of_memory("the columns of all ranks");
        *full = got == SG_INTERN_FULL;
    }
    return SG_OK;
}

static sg_status count_distinct_levels(const sg_comm *comm, const sg_text *own, sg_type_evidence *f)
{
    sg_string_table all = {0};
    bool full = false;
    sg_status st = SG_OK;
    for (size_t r = 0; st == SG_OK && r < comm->ranks; r++) {
        void *text = NULL;
        size_t n = 0;
        st = sg_shard_bcast_bytes(comm, r, own->bytes, own->length, &text, &n);
        if (st == SG_OK) st = sg_comm_agree_status(comm, intern_all(text, n, &all, &full));
        free(text);
    }
    f->level_count = all.count;
    f->level_bytes = sg_string_table_bytes(&all);
    f->overflowed = full;
    sg_string_table_release(&all);
    return st;
}

/* Merges the evidence of all ranks, and drops the levels of columns that have too many on all ranks together. */
static sg_status merge_evidence(const sg_comm *comm, sg_table_builder *s, sg_type_evidence *evidence)
{
    size_t n = s->selection.read_count;
    sg_status st = sum_evidence(comm, n, evidence);
    if (st != SG_OK) return st;
    bool tight = level_limit(evidence, n) < SG_LEVEL_BYTES_MAX;
    for (size_t k = 0; st == SG_OK && k < n; k++)
        if (!evidence[k].overflowed && evidence[k].level_bytes && (tight || needs_exact_count(&evidence[k])))
            st = count_distinct_levels(comm, &s->column[k].levels.text, &evidence[k]);
    uint64_t limit = level_limit(evidence, n);
    for (size_t k = 0; st == SG_OK && k < n; k++) {
        evidence[k].overflowed |= evidence[k].level_bytes > limit;
        if (evidence[k].overflowed) sg_table_builder_drop_levels(s, k);
    }
    return st;
}

/* --- row numbers --- */

/* Merges the checks of all ranks: the row numbers of each rank must continue those of the previous one. */
static sg_status merge_row_numbers(const sg_comm *comm, sg_table_builder *s)
{
    sg_row_number_check *all = sg_calloc(comm->ranks, sizeof *all);
    sg_status st = sg_comm_agree_status(comm, all ? SG_OK : sg_fail_out_of_memory("the columns of all ranks"));
    if (st == SG_OK) st = sg_comm_allgather(comm, &s->row_number, sizeof *all, all);
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): st is SG_OK only if the allocation succeeded */
    for (size_t r = 1; st == SG_OK && r < comm->ranks; r++)
        all->consecutive = all->consecutive && all[r].consecutive && all[r].first == all[r - 1].last + 1;
    if (st == SG_OK) s->row_number = *all;
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
    free(all);
    return st;
}

/* --- interface --- */

sg_status sg_shard_agree_status(const sg_table_builder *s, sg_status st)
{
    return sg_comm_agree_status(s->selection.options->comm, st);
}

sg_status sg_shard_merge_evidence(sg_table_builder *s, sg_status st)
{
    const sg_comm *comm = s->selection.options->comm;
    st = sg_comm_agree_status(comm, st);
    if (st != SG_OK || !comm) return st;
    st = check_columns(comm, s);
    if (st == SG_OK) st = merge_evidence(comm, s, s->evidence);
    return st == SG_OK ? merge_row_numbers(comm, s) : st;
}

sg_status sg_shard_merge_level_budget(sg_table_builder *s, sg_status st)
{
    const sg_comm *comm = s->selection.options->comm;
    size_t n = s->selection.read_count;
    st = sg_comm_agree_status(comm, st);
    if (st != SG_OK || !comm) return st;
    sg_type_evidence *evidence = sg_calloc(n, sizeof *evidence);
    st = sg_comm_agree_status(comm, evidence ? SG_OK : sg_fail_out_of_memory("the columns of all ranks"));
    for (size_t k = 0; st == SG_OK && k < n; k++)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): st is SG_OK only if the allocation succeeded */
        evidence[k] = sg_type_evidence_of(&s->column[k], s->row_count);
    if (st == SG_OK) st = merge_evidence(comm, s, evidence);
    free(evidence);
    return st;
}
