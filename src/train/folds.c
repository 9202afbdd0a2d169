/* folds.c: see folds.h. */
#include "train/folds.h"

#include "base/memory.h"
#include "base/random.h"
#include "train/groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { RANDOM, ORDERED, ALIKE } kind;

struct sg_folds {
    kind kind;
    sg_source rows;
    size_t k;
    uint64_t seed;
    uint16_t *fold; /* alike: of the rows that are here */
    size_t first;   /* of these                         */
    size_t blank;
};

void sg_folds_free(sg_folds *f)
{
    if (!f) return;
    free(f->fold);
    free(f);
}

static sg_status no_memory(const sg_source *rows)
{
    return sg_fail(SG_ENOMEM, "out of memory for the folds of %zu rows", rows->rows);
}

static sg_status make(sg_folds with, sg_folds **out)
{
    sg_folds *f = sg_alloc(1, sizeof *f);
    if (!f) return no_memory(&with.rows);
    *f = with;
    *out = f;
    return SG_OK;
}

sg_status sg_folds_random(const sg_source *rows, size_t k, uint64_t seed, sg_folds **out)
{
    return make((sg_folds){.kind = RANDOM, .rows = *rows, .k = k, .seed = seed}, out);
}

sg_status sg_folds_ordered(const sg_source *rows, size_t k, sg_folds **out)
{
    return make((sg_folds){.kind = ORDERED, .rows = *rows, .k = k}, out);
}

/* --- equal parts --- */

/* The first of `rows` places that part i of `parts` has. */
static size_t boundary(size_t rows, size_t parts, size_t i) { return rows / parts * i + rows % parts * i / parts; }

static size_t part_of(size_t rows, size_t parts, size_t place)
{
    size_t low = 0, high = parts; /* the part is in [low, high) */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (boundary(rows, parts, middle) <= place) low = middle;
        else high = middle;
    }
    return low;
}

/* --- groups --- */

typedef struct walk {
    const size_t *columns;
    size_t count, width;
    sg_groups groups;
    uint16_t *fold; /* of the next row */
} walk;

static sg_status count_rows(void *arg, const double *row, size_t n)
{
    walk *w = arg;
    for (size_t i = 0; i < n; i++, row += w->width)
        if (!sg_groups_add(&w->groups, sg_group_key(row, w->columns, w->count), 1))
            return sg_fail(SG_ENOMEM, "out of memory for groups of rows");
    return SG_OK;
}

/* A file that changes says so itself; other sources may not. */
static sg_status place_rows(void *arg, const double *row, size_t n)
{
    walk *w = arg;
    for (size_t i = 0; i < n; i++, row += w->width) {
        const sg_group *g = sg_groups_find(&w->groups, sg_group_key(row, w->columns, w->count));
        if (!g) return sg_fail(SG_EDATA, "the rows changed while they were read");
        *w->fold++ = (uint16_t)g->fold;
    }
    return SG_OK;
}

static sg_status too_few(const sg_source *rows, const size_t *columns, size_t count, size_t k, size_t found)
{
    char where[96], shown[64];
    const char *name = rows->names[columns[0]];
    if (count == 1)
        snprintf(where, sizeof where, "column \"%s\"", sg_quotable(name, strlen(name), shown, sizeof shown));
    else snprintf(where, sizeof where, "%zu columns", count);
    return sg_fail(SG_EDATA, "%s: %zu folds need at least %zu groups of rows that differ in %s, there %s %zu",
                   sg_source_name(rows), k, k, where, found == 1 ? "is" : "are", found);
}

/* How many rows have no value in any of the columns. */
static sg_status count_blank(sg_folds *f, const walk *w)
{
    double *blank = sg_alloc(w->width, sizeof *blank);
    if (!blank) return no_memory(&f->rows);
    for (size_t i = 0; i < w->width; i++) blank[i] = NAN;
    const sg_group *g = sg_groups_find(&w->groups, sg_group_key(blank, w->columns, w->count));
    f->blank = g ? g->rows : 0;
    free(blank);
    return SG_OK;
}

static sg_status deal(sg_folds *f, walk *w)
{
    const sg_source *s = &f->rows;
    sg_status st = sg_team_agree(s->team, sg_source_walk(s, count_rows, w));
    if (st == SG_OK) st = sg_groups_unite(&w->groups, s->team);
    if (st == SG_OK && w->groups.count < f->k) st = too_few(s, w->columns, w->count, f->k, w->groups.count);
    if (st == SG_OK) st = sg_groups_deal(&w->groups, f->k, f->seed);
    if (st == SG_OK) st = count_blank(f, w);
    return st == SG_OK ? sg_team_agree(s->team, sg_source_walk(s, place_rows, w)) : st;
}

sg_status sg_folds_alike(const sg_source *rows, const size_t *columns, size_t count, size_t k, uint64_t seed,
                         sg_folds **out)
{
    sg_folds f = {.kind = ALIKE, .rows = *rows, .k = k, .seed = seed};
    size_t end;
    if (k < 1 || k > UINT16_MAX) return sg_fail(SG_EINVAL, "%zu folds; expected 1 to %d", k, UINT16_MAX);
    sg_source_range(rows, &f.first, &end);
    f.fold = sg_alloc(end - f.first, sizeof *f.fold);
    walk w = {.columns = columns, .count = count, .width = rows->columns, .fold = f.fold};
    sg_status st = sg_team_agree(rows->team, f.fold ? SG_OK : no_memory(rows));
    if (st == SG_OK) st = deal(&f, &w);
    sg_groups_release(&w.groups);
    if (st == SG_OK) st = make(f, out);
    if (st != SG_OK) free(f.fold);
    return st;
}

/* --- of rows --- */

size_t sg_folds_of(const sg_folds *f, size_t row)
{
    size_t rows = f->rows.rows;
    switch (f->kind) {
    case RANDOM:
        return part_of(rows, f->k, sg_random_place(f->seed, SG_RANDOM_SPLIT, rows, row));
    case ORDERED:
        return part_of(rows, f->k + 1, row) - 1; /* SG_NO_FOLD is -1 */
    default:
        return f->fold[row - f->first];
    }
}

size_t sg_folds_blank(const sg_folds *f) { return f->blank; }

static bool is_trained_on(const sg_folds *f, size_t fold, size_t i)
{
    return f->kind == ORDERED ? fold == SG_NO_FOLD || fold < i : fold != i;
}

sg_status sg_folds_rows(const sg_folds *f, size_t i, bool left_out, sg_subset **out)
{
    sg_marks marks;
    size_t begin, end;
    sg_source_range(&f->rows, &begin, &end);
    if (!sg_marks_init(&marks, end - begin)) return no_memory(&f->rows);
    for (size_t row = begin; row < end; row++) {
        size_t fold = sg_folds_of(f, row);
        if (left_out ? fold == i : is_trained_on(f, fold, i)) sg_marks_set(&marks, row - begin);
    }
    return sg_subset_marked(&f->rows, &marks, out);
}
