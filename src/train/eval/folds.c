/* folds.c: random, ordered and grouped folds for cross-validation. */
#include "train/eval/folds.h"

#include "base/memory.h"
#include "base/part_range.h"
#include "base/random/random.h"
#include "comm/collectives.h"
#include "train/eval/row_groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum fold_kind { RANDOM, ORDERED, GROUPED } fold_kind;

struct sg_folds {
    fold_kind kind;
    sg_source rows;
    size_t k;
    uint64_t seed;
    uint16_t *fold; /* (local rows): their folds, if grouped */
    size_t first;   /* the first local row */
    size_t rows_without_group;
};

void sg_folds_free(sg_folds *f)
{
    if (!f) return;
    free(f->fold);
    free(f);
}

static sg_status fail_out_of_memory(const sg_source *rows)
{
    return sg_fail(SG_ENOMEM, "out of memory while assigning %zu rows to folds", rows->rows);
}

static sg_status new_folds(sg_folds with, sg_folds **out)
{
    sg_folds *f = sg_calloc(1, sizeof *f);
    if (!f) return fail_out_of_memory(&with.rows);
    *f = with;
    *out = f;
    return SG_OK;
}

sg_status sg_folds_random(const sg_source *rows, size_t k, uint64_t seed, sg_folds **out)
{
    return new_folds((sg_folds){.kind = RANDOM, .rows = *rows, .k = k, .seed = seed}, out);
}

sg_status sg_folds_ordered(const sg_source *rows, size_t k, sg_folds **out)
{
    return new_folds((sg_folds){.kind = ORDERED, .rows = *rows, .k = k}, out);
}

/* --- groups --- */

typedef struct group_scan {
    const size_t *columns;
    size_t count, width;
    sg_group_table groups;
    uint16_t *fold; /* where to store the fold of the next row */
} group_scan;

static sg_status count_rows(void *arg, const double *row, size_t n)
{
    group_scan *w = arg;
    for (size_t i = 0; i < n; i++, row += w->width)
        if (!sg_group_table_add(&w->groups, sg_group_key(row, w->columns, w->count), 1))
            return sg_fail(SG_ENOMEM, "out of memory while grouping rows");
    return SG_OK;
}

/* Fails if a row has no group: sources other than files do not report that their data has changed. */
static sg_status assign_rows(void *arg, const double *row, size_t n)
{
    group_scan *w = arg;
    for (size_t i = 0; i < n; i++, row += w->width) {
        const sg_group *g = sg_group_table_find(&w->groups, sg_group_key(row, w->columns, w->count));
        if (!g) return sg_fail(SG_EDATA, "the rows changed while they were read");
        *w->fold++ = (uint16_t)g->fold;
    }
    return SG_OK;
}

static sg_status fail_too_few_groups(const sg_source *rows, const size_t *columns, size_t count, size_t k, size_t found)
{
    char where[96], shown[64];
    const char *name = rows->names[columns[0]];
    if (count == 1)
        snprintf(where, sizeof where, "column \"%s\"", sg_quote_excerpt(name, strlen(name), shown, sizeof shown));
    else snprintf(where, sizeof where, "%zu columns", count);
    return sg_fail(SG_EDATA, "%s: %zu folds need at least %zu different groups in %s, found %zu", sg_source_name(rows),
                   k, k, where, found);
}

/* Counts the rows in which all group columns have missing values. */
static sg_status count_rows_without_group(sg_folds *f, const group_scan *w)
{
    double *blank = sg_calloc(w->width, sizeof *blank);
    if (!blank) return fail_out_of_memory(&f->rows);
    for (size_t i = 0; i < w->width; i++) blank[i] = NAN;
    const sg_group *g = sg_group_table_find(&w->groups, sg_group_key(blank, w->columns, w->count));
    f->rows_without_group = g ? g->rows : 0;
    free(blank);
    return SG_OK;
}

static sg_status assign_groups(sg_folds *f, group_scan *w)
{
    const sg_source *s = &f->rows;
    sg_status st = sg_comm_agree_status(s->comm, sg_source_for_each_block(s, count_rows, w));
    if (st == SG_OK) st = sg_group_table_allgather(&w->groups, s->comm);
    if (st == SG_OK && w->groups.count < f->k) st = fail_too_few_groups(s, w->columns, w->count, f->k, w->groups.count);
    if (st == SG_OK) st = sg_group_table_assign_folds(&w->groups, f->k, f->seed);
    if (st == SG_OK) st = count_rows_without_group(f, w);
    return st == SG_OK ? sg_comm_agree_status(s->comm, sg_source_for_each_block(s, assign_rows, w)) : st;
}

sg_status sg_folds_grouped(const sg_source *rows, const size_t *columns, size_t count, size_t k, uint64_t seed,
                           sg_folds **out)
{
    sg_folds f = {.kind = GROUPED, .rows = *rows, .k = k, .seed = seed};
    size_t end;
    if (k < 1 || k > UINT16_MAX) return sg_fail(SG_EINVAL, "got %zu folds; expected 1 to %d", k, UINT16_MAX);
    sg_source_local_range(rows, &f.first, &end);
    f.fold = sg_calloc(end - f.first, sizeof *f.fold);
    group_scan w = {.columns = columns, .count = count, .width = rows->columns, .fold = f.fold};
    sg_status st = sg_comm_agree_status(rows->comm, f.fold ? SG_OK : fail_out_of_memory(rows));
    if (st == SG_OK) st = assign_groups(&f, &w);
    sg_group_table_release(&w.groups);
    if (st == SG_OK) st = new_folds(f, out);
    if (st != SG_OK) free(f.fold);
    return st;
}

/* --- rows of a fold --- */

size_t sg_folds_find(const sg_folds *f, size_t row)
{
    size_t rows = f->rows.rows;
    switch (f->kind) {
    case RANDOM:
        return sg_part_of(rows, f->k, sg_random_permute(f->seed, SG_RANDOM_SPLIT, rows, row));
    case ORDERED:
        return sg_part_of(rows, f->k + 1, row) - 1; /* SG_NO_FOLD is -1 */
    default:
        return f->fold[row - f->first];
    }
}

size_t sg_folds_rows_without_group(const sg_folds *f) { return f->rows_without_group; }

static bool is_trained_on(const sg_folds *f, size_t fold, size_t i)
{
    return f->kind == ORDERED ? fold == SG_NO_FOLD || fold < i : fold != i;
}

sg_status sg_folds_rows(const sg_folds *f, size_t i, bool held_out, sg_subset **out)
{
    sg_select_bitset marks;
    size_t begin, end;
    sg_source_local_range(&f->rows, &begin, &end);
    if (!sg_select_bitset_init(&marks, end - begin)) return fail_out_of_memory(&f->rows);
    for (size_t row = begin; row < end; row++) {
        size_t fold = sg_folds_find(f, row);
        if (held_out ? fold == i : is_trained_on(f, fold, i)) sg_select_bitset_set(&marks, row - begin);
    }
    return sg_subset_from_bitset(&f->rows, &marks, out);
}
