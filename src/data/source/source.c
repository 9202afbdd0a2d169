/* source.c: see source.h. */
#include "data/source/source.h"

#include "base/memory.h"
#include "comm/comm.h"

#include <stdint.h>
#include <stdlib.h>

const char *sg_source_name(const sg_source *s) { return s->name ? s->name : "the data"; }

bool sg_source_is_categorical(const sg_source *s, size_t column) { return s->level && s->level(s->self, column, 0); }

const char *sg_source_cell_level(const sg_source *s, size_t column, double cell)
{
    return s->level && cell >= 0 && cell <= UINT32_MAX ? s->level(s->self, column, (size_t)cell) : NULL;
}

/* Neighbours are read together where it can't gather. */
sg_status sg_source_gather(const sg_source *s, const size_t *rows, size_t n, double *out)
{
    if (s->gather) return s->gather(s->self, rows, n, out);
    for (size_t i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n && rows[i + run] == rows[i] + run;) run++;
        sg_status st = s->read(s->self, rows[i], run, out + i * s->columns);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

sg_status sg_source_for_each_block(const sg_source *s, sg_block_fn *take, void *arg)
{
    enum { BLOCK_DOUBLES = 1 << 15 }; /* in a block, unless one row has more */
    size_t block_rows = s->columns < BLOCK_DOUBLES ? BLOCK_DOUBLES / s->columns : 1;
    double *block = sg_calloc(s->columns, block_rows * sizeof *block);
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    size_t first, last;
    sg_source_local_range(s, &first, &last);
    for (size_t n; st == SG_OK && first < last; first += n) {
        n = last - first < block_rows ? last - first : block_rows;
        st = s->read(s->self, first, n, block);
        if (st == SG_OK) st = take(arg, block, n);
    }
    free(block);
    return st;
}

void sg_source_local_range(const sg_source *s, size_t *first, size_t *last)
{
    *first = s->comm ? s->local_first : 0;
    *last = s->comm ? s->local_first + s->local_rows : s->rows;
}

sg_status sg_source_shard_bounds(const sg_source *s, size_t *bound)
{
    size_t ranks = sg_comm_ranks(s->comm), end = 0, (*range)[2] = sg_calloc(ranks, sizeof *range), mine[2];
    sg_source_local_range(s, &mine[0], &mine[1]);
    sg_status st =
        range ? sg_comm_allgather(s->comm, mine, sizeof mine, range) : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t i = 0; st == SG_OK && i < ranks; i++) {
        bound[i] = range[i][0];
        if (range[i][0] != end || range[i][1] < end)
            st = sg_fail(SG_EINVAL, "%s: the rows of rank %zu do not follow those before it", sg_source_name(s), i);
        end = range[i][1];
    }
    bound[ranks] = s->rows;
    if (st == SG_OK && end != s->rows)
        st = sg_fail(SG_EINVAL, "%s: %zu rows, but the ranks hold %zu", sg_source_name(s), s->rows, end);
    free(range);
    return st;
}
