/* rank_level_union.c: merges the levels of ranks that read files of their own.
 *
 * Each rank lists its levels, including the numbers in columns that are categorical on another rank. The lists are
 * broadcast, and sg_level_union_build merges them in place of the ranks' sources. */
#include "data/distributed/shard_source.h"

#include "base/memory.h"
#include "data/distributed/schema_wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct level_lists {
    const sg_comm *comm;
    const sg_source *local;
    bool *categorical;       /* (columns) categorical on any rank */
    sg_string_table *levels; /* (columns) levels on this rank */
} level_lists;

static void release(level_lists *l)
{
    for (size_t i = 0; l->levels && i < l->local->columns; i++) sg_string_table_release(&l->levels[i]);
    free(l->levels);
    free(l->categorical);
}

/* --- which columns are categorical --- */

static sg_status find_categorical(level_lists *l, bool *any)
{
    size_t columns = l->local->columns, bytes;
    char *all = sg_checked_mul(columns, l->comm->ranks, &bytes) ? sg_calloc(bytes, 1) : NULL,
         *own = sg_calloc(columns, 1);
    sg_status st =
        sg_comm_agree_status(l->comm, all && own ? SG_OK : sg_fail_out_of_memory("the categories of all ranks"));
    for (size_t i = 0; st == SG_OK && i < columns; i++)
        own[i] = sg_source_is_categorical(l->local, i); /* NOLINT(clang-analyzer-core.NullDereference) */
    if (st == SG_OK) st = sg_comm_allgather(l->comm, own, columns, all);
    *any = false;
    for (size_t i = 0; st == SG_OK && i < bytes; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero,clang-analyzer-core.NullDereference): as above */
        l->categorical[i % columns] |= all[i] != 0;
        *any |= all[i] != 0;
    }
    free(own);
    free(all);
    return st;
}

/* --- the levels of this rank --- */

static sg_status check_intern_result(const level_lists *l, sg_intern_result got, size_t column)
{
    const char *name = l->local->names[column];
    if (got == SG_INTERN_NO_MEMORY) return sg_fail_out_of_memory("the categories of all ranks");
    if (got != SG_INTERN_FULL) return SG_OK;
    return sg_fail(SG_EDATA,
                   "%s: column \"%s\" holds text on another rank, but can't be categorical: it has more than %d "
                   "distinct values, or its values are too long",
                   sg_source_name(l->local), SG_EXCERPT(name), SG_LEVELS_MAX);
}

static sg_status list_levels(const level_lists *l, size_t column)
{
    const char *text;
    uint32_t code;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && (text = l->local->level(l->local->self, column, i)); i++)
        st = check_intern_result(l, sg_string_table_intern(&l->levels[column], text, strlen(text), &code), column);
    return st;
}

static sg_status list_numbers(void *arg, const double *values, size_t rows)
{
    const level_lists *l = arg;
    size_t columns = l->local->columns;
    uint32_t code;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows * columns; i++)
        if (l->categorical[i % columns] && !isnan(values[i]) && !sg_source_is_categorical(l->local, i % columns))
            st = check_intern_result(l, sg_string_table_intern_number(&l->levels[i % columns], values[i], &code),
                                     i % columns);
    return st;
}

static sg_status list_local_levels(level_lists *l)
{
    bool numbers = false;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < l->local->columns; i++) {
        if (sg_source_is_categorical(l->local, i)) st = list_levels(l, i);
        else numbers |= l->categorical[i];
    }
    return st == SG_OK && numbers ? sg_source_for_each_block(l->local, list_numbers, l) : st;
}

/* --- the levels of all ranks --- */

static const char *get_level(void *self, size_t column, size_t i)
{
    const sg_string_table *levels = self;
    return sg_string_table_get(&levels[column], i);
}

/* Returns a source that has the listed levels, but no rows. */
static sg_source levels_source(const level_lists *l, sg_string_table *levels)
{
    return (sg_source){.self = levels,
                       .name = l->local->name,
                       .columns = l->local->columns,
                       .names = l->local->names,
                       .level = levels ? get_level : NULL};
}

static sg_status broadcast_levels(const level_lists *l, size_t from, const sg_text *own, sg_schema *out)
{
    void *text = NULL;
    sg_status st = sg_shard_bcast_bytes(l->comm, from, own->bytes, own->length, &text, NULL);
    if (st == SG_OK) st = sg_comm_agree_status(l->comm, sg_schema_decode(text, l->local->columns, out));
    free(text); /* the names in it are not used */
    return st;
}

static sg_status merge_levels(const level_lists *l, sg_schema *schema, sg_source *source, sg_level_union *u)
{
    sg_text own = {0};
    sg_source local = levels_source(l, l->levels);
    sg_status st = sg_comm_agree_status(l->comm, sg_schema_encode(&local, &own));
    for (size_t r = 0; st == SG_OK && r < l->comm->ranks; r++) {
        st = broadcast_levels(l, r, &own, &schema[r]);
        source[r] = levels_source(l, schema[r].levels); /* NOLINT(clang-analyzer-core.NullDereference) */
    }
    if (st == SG_OK) st = sg_comm_agree_status(l->comm, sg_level_union_build(u, source, l->comm->ranks));
    sg_text_release(&own);
    return st;
}

static sg_status exchange_levels(const level_lists *l, sg_level_union *u)
{
    size_t ranks = l->comm->ranks;
    sg_schema *schema = sg_calloc(ranks, sizeof *schema);
    sg_source *source = sg_calloc(ranks, sizeof *source);
    sg_status st =
        sg_comm_agree_status(l->comm, schema && source ? SG_OK : sg_fail_out_of_memory("the categories of all ranks"));
    if (st == SG_OK) st = merge_levels(l, schema, source, u);
    for (size_t r = 0; schema && r < ranks; r++) sg_schema_release(&schema[r]);
    free(schema);
    free(source);
    return st;
}

/* Frees the codes of columns that are numeric on this rank, so that cells are mapped by value, not by code. */
static void clear_number_codes(const level_lists *l, sg_level_union *u)
{
    for (size_t i = 0; u->code_map && i < u->columns; i++) {
        uint32_t **code = &u->code_map[l->comm->rank * u->columns + i];
        if (sg_source_is_categorical(l->local, i)) continue;
        free(*code);
        *code = NULL;
    }
}

sg_status sg_shard_level_union(const sg_comm *comm, const sg_source *local, sg_level_union *u)
{
    bool any = false;
    *u = (sg_level_union){0};
    level_lists l = {.comm = comm,
                     .local = local,
                     .categorical = sg_calloc(local->columns, sizeof *l.categorical),
                     .levels = sg_calloc(local->columns, sizeof *l.levels)};
    sg_status st = sg_comm_agree_status(
        comm, l.categorical && l.levels ? SG_OK : sg_fail_out_of_memory("the categories of all ranks"));
    if (st == SG_OK) st = find_categorical(&l, &any);
    if (st == SG_OK && any) st = sg_comm_agree_status(comm, list_local_levels(&l));
    if (st == SG_OK && any) st = exchange_levels(&l, u);
    if (st == SG_OK) clear_number_codes(&l, u);
    release(&l);
    return st;
}
