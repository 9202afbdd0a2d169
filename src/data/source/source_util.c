/* source_util.c: helpers for readers and implementations of sg_source. */
#include "data/source/source_util.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

const char *sg_source_name(const sg_source *s) { return s->name ? s->name : "the data"; }

sg_status sg_fail_row(const char *name, size_t row, size_t rows)
{
    return sg_fail(SG_EINVAL, "%s: row %zu is out of range; there are %zu rows", name, row, rows);
}

sg_status sg_check_row_range(const char *name, size_t rows, size_t first, size_t n)
{
    return first > rows || n > rows - first ? sg_fail_row(name, first + n, rows) : SG_OK;
}

const char *sg_source_level(const sg_source *s, size_t column, size_t i)
{
    return s->level ? s->level(s->self, column, i) : NULL;
}

const char *sg_source_wrapped_level(void *self, size_t column, size_t i) { return sg_source_level(self, column, i); }

bool sg_source_is_categorical(const sg_source *s, size_t column) { return sg_source_level(s, column, 0) != NULL; }

const char *sg_source_cell_level(const sg_source *s, size_t column, double cell)
{
    return cell >= 0 && cell <= UINT32_MAX ? sg_source_level(s, column, (size_t)cell) : NULL;
}

sg_status sg_source_require_numeric(const sg_source *s, size_t column)
{
    const char *level = sg_source_level(s, column, 0);
    if (!level) return SG_OK;
    return sg_fail(SG_EDATA, "%s: column \"%s\" holds text (\"%s\"); expected numbers", sg_source_name(s),
                   s->names[column], SG_EXCERPT(level));
}

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

sg_status sg_source_for_each_block(const sg_source *s, sg_block_fn *fn, void *arg)
{
    size_t block_rows = sg_rows_per_block(s->columns, 1 << 15);
    double *block = sg_calloc(s->columns, block_rows * sizeof *block);
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while reading rows");
    size_t first, last;
    sg_source_local_range(s, &first, &last);
    for (size_t n; st == SG_OK && first < last; first += n) {
        n = last - first < block_rows ? last - first : block_rows;
        st = s->read(s->self, first, n, block);
        if (st == SG_OK) st = fn(arg, block, n);
    }
    free(block);
    return st;
}

void sg_source_local_range(const sg_source *s, size_t *first, size_t *last)
{
    *first = s->comm ? s->local_first : 0;
    *last = s->comm ? s->local_first + s->local_rows : s->rows;
}
