/* memory_table.c: see memory_table.h. */
#include "auto/search/memory_table.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_memory_table *d = self;
    memcpy(out, d->values + first * d->rows.columns, n * d->rows.columns * sizeof *out);
    return SG_OK;
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_memory_table *d = self;
    size_t width = d->rows.columns;
    for (size_t i = 0; i < n; i++) memcpy(out + i * width, d->values + rows[i] * width, width * sizeof *out);
    return SG_OK;
}

static const char *level_of(void *self, size_t column, size_t i)
{
    const sg_source *of = &((const sg_memory_table *)self)->schema;
    return of->level(of->self, column, i);
}

sg_status sg_memory_table_init(sg_memory_table *d, const sg_source *of, size_t rows)
{
    size_t cells;
    double *value = sg_checked_mul(rows, of->columns, &cells) ? sg_calloc(cells, sizeof *value) : NULL;
    if (!value) return sg_fail(SG_ENOMEM, "out of memory for %zu rows of a search", rows);
    *d = (sg_memory_table){.schema = *of, .values = value};
    d->rows = (sg_source){.self = d,
                          .name = of->name,
                          .rows = rows,
                          .columns = of->columns,
                          .names = of->names,
                          .read = read_rows,
                          .gather = gather_rows,
                          .level = of->level ? level_of : NULL,
                          .weight_column = of->weight_column};
    return SG_OK;
}

void sg_memory_table_release(sg_memory_table *d)
{
    free(d->values);
    *d = (sg_memory_table){0};
}
