/* memory_table.c: a source that reads rows from an array. */
#include "data/source/memory_table.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_memory_table *t = self;
    memcpy(out, t->values + first * t->rows.columns, n * t->rows.columns * sizeof *out);
    return SG_OK;
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_memory_table *t = self;
    size_t width = t->rows.columns;
    for (size_t i = 0; i < n; i++) memcpy(out + i * width, t->values + rows[i] * width, width * sizeof *out);
    return SG_OK;
}

static const char *schema_level(void *self, size_t column, size_t i)
{
    const sg_source *schema = &((const sg_memory_table *)self)->schema;
    return schema->level(schema->self, column, i);
}

sg_status sg_memory_table_init(sg_memory_table *t, const sg_source *schema, size_t rows)
{
    size_t cells;
    double *values = sg_checked_mul(rows, schema->columns, &cells) ? sg_calloc(cells, sizeof *values) : NULL;
    if (!values) return sg_fail(SG_ENOMEM, "out of memory while allocating %zu rows", rows);
    *t = (sg_memory_table){.schema = *schema, .values = values};
    t->rows = (sg_source){.self = t,
                          .name = schema->name,
                          .rows = rows,
                          .columns = schema->columns,
                          .names = schema->names,
                          .read = read_rows,
                          .gather = gather_rows,
                          .level = schema->level ? schema_level : NULL,
                          .weight_column = schema->weight_column};
    return SG_OK;
}

void sg_memory_table_release(sg_memory_table *t)
{
    free(t->values);
    *t = (sg_memory_table){0};
}
