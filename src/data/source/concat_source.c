/* concat_source.c: concatenates several sources into one. */
#include "data/source/concat_source.h"

#include "base/memory.h"
#include "data/level_union.h"

#include <string.h>

struct sg_concat {
    size_t count, rows;
    sg_source *part;   /* (count)                                                    */
    size_t *first_row; /* (count + 1) the first row of each part, and the total */
    sg_level_union levels;
};

void sg_concat_free(sg_concat *j)
{
    if (!j) return;
    sg_level_union_release(&j->levels);
    sg_free_all(j->part, j->first_row, j);
}

/* Fails unless both sources have the same column names in the same order. */
static sg_status check_columns(const sg_source *a, const sg_source *b)
{
    if (a->columns != b->columns)
        return sg_fail(SG_EDATA, "%s has %zu columns; expected %zu, as in %s", sg_source_name(b), b->columns,
                       a->columns, sg_source_name(a));
    for (size_t i = 0; i < a->columns; i++)
        if (strcmp(a->names[i], b->names[i]) != 0)
            return sg_fail(SG_EDATA, "%s: column %zu is \"%s\"; expected \"%s\", as in %s", sg_source_name(b), i + 1,
                           b->names[i], a->names[i], sg_source_name(a));
    return SG_OK;
}

sg_status sg_concat_new(const sg_source *parts, size_t count, sg_concat **out)
{
    for (size_t i = 1; i < count; i++) {
        sg_status st = check_columns(&parts[0], &parts[i]);
        if (st != SG_OK) return st;
    }
    sg_concat *j = sg_calloc(1, sizeof *j);
    if (j)
        *j = (sg_concat){.count = count,
                         .part = sg_calloc(count, sizeof *j->part),
                         .first_row = sg_calloc(count + 1, sizeof *j->first_row)};
    if (!j || !j->part || !j->first_row) {
        sg_concat_free(j);
        return sg_fail(SG_ENOMEM, "out of memory while concatenating %zu files", count);
    }
    for (size_t i = 0; i < count; i++) {
        j->part[i] = parts[i];
        j->first_row[i] = j->rows;
        if (parts[i].rows > SIZE_MAX / 2 - j->rows) {
            sg_concat_free(j);
            return sg_fail(SG_EDATA, "%s: the files have more rows than can be counted", sg_source_name(&parts[i]));
        }
        j->rows += parts[i].rows;
    }
    j->first_row[count] = j->rows;
    sg_status st = sg_level_union_build(&j->levels, parts, count);
    if (st != SG_OK) sg_concat_free(j);
    else *out = j;
    return st;
}

/* Returns the part that contains a row. There may be empty parts. */
static size_t find_part(const sg_concat *j, size_t row)
{
    size_t low = 0, high = j->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (j->first_row[middle] <= row) low = middle;
        else high = middle;
    }
    return low;
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_concat *j = self;
    sg_status st = sg_check_row_range("the dataset", j->rows, first, n);
    for (size_t p = n ? find_part(j, first) : 0; st == SG_OK && n; p++) {
        size_t left = j->first_row[p + 1] - first, now = n < left ? n : left;
        st = j->part[p].read(j->part[p].self, first - j->first_row[p], now, out);
        if (st == SG_OK) sg_level_union_map(&j->levels, p, out, now);
        first += now;
        n -= now;
        out += now * j->part->columns;
    }
    return st;
}

/* Gathers each run of rows from the same part with one call. A sorted batch has one run per part. */
static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    enum { CHUNK = 256 };
    const sg_concat *j = self;
    size_t inside[CHUNK];
    for (size_t i = 0, run; i < n; i += run) {
        if (rows[i] >= j->rows) return sg_fail_row("the dataset", rows[i], j->rows);
        size_t p = find_part(j, rows[i]);
        for (run = 0;
             run < CHUNK && i + run < n && rows[i + run] >= j->first_row[p] && rows[i + run] < j->first_row[p + 1];
             run++)
            inside[run] = rows[i + run] - j->first_row[p];
        sg_status st = sg_source_gather(&j->part[p], inside, run, out + i * j->part->columns);
        if (st != SG_OK) return st;
        sg_level_union_map(&j->levels, p, out + i * j->part->columns, run);
    }
    return SG_OK;
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_concat *j = self;
    return column < j->part->columns ? sg_string_table_get(&j->levels.levels[column], i) : NULL;
}

sg_source sg_concat_source(const sg_concat *j)
{
    int slow = 0;
    size_t held = 0;
    for (size_t i = 0; i < j->count; i++) {
        slow |= j->part[i].slow_gather;
        held += j->part[i].resident_bytes;
    }
    return (sg_source){.self = (void *)j,
                       .name = j->part->name,
                       .rows = j->rows,
                       .columns = j->part->columns,
                       .names = j->part->names,
                       .read = read_rows,
                       .gather = gather_rows,
                       .level = j->levels.levels ? level : NULL,
                       .slow_gather = slow,
                       .weight_column = j->part->weight_column,
                       .resident_bytes = held};
}
