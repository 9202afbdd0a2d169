/* arrow_extra_columns.c: reads columns of another source along with an Arrow stream. */
#include "data/format/arrow/arrow_extra_columns.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void sg_arrow_extra_release(sg_arrow_extra *b)
{
    for (size_t j = 0; b->entry && j < b->source->columns; j++) free(b->entry[j]);
    sg_free_all(b->entry, b->level_count, b->rows);
    *b = (sg_arrow_extra){0};
}

sg_status sg_arrow_extra_init(sg_arrow_extra *b, const sg_source *source)
{
    *b = (sg_arrow_extra){.source = source};
    if (!source) return SG_OK;
    if (source->comm) return sg_fail(SG_EINVAL, "the extra columns of an Arrow stream can't be distributed");
    b->entry = sg_calloc(source->columns, sizeof *b->entry);
    b->level_count = sg_calloc(source->columns, sizeof *b->level_count);
    if (!b->entry || !b->level_count) return sg_fail_out_of_memory("the extra columns of an Arrow stream");
    for (size_t j = 0; source->level && j < source->columns; j++) {
        while (source->level(source->self, j, b->level_count[j])) b->level_count[j]++;
        if (b->level_count[j] && !(b->entry[j] = sg_calloc(b->level_count[j], sizeof **b->entry)))
            return sg_fail_out_of_memory("the extra columns of an Arrow stream");
    }
    return SG_OK;
}

sg_status sg_arrow_extra_read(sg_arrow_extra *b, size_t first, size_t n)
{
    size_t need;
    if (!sg_checked_mul(n, b->source->columns, &need) ||
        !sg_array_reserve(&b->rows, &b->capacity, need, sizeof *b->rows))
        return sg_fail_out_of_memory("the extra columns of an Arrow stream");
    return b->source->read(b->source->self, first, n, b->rows);
}

static sg_status put_level(sg_arrow_extra *b, size_t column, double code, sg_table_builder *s, size_t k, size_t line,
                           double *row)
{
    const char *text = b->source->names[column];
    if (!(code >= 0 && code < (double)b->level_count[column]) || floor(code) != code)
        return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": the value is not a level index", s->selection.file, line,
                       SG_EXCERPT(text));
    sg_arrow_dict_entry *e = &b->entry[column][(size_t)code];
    if (e->known) {
        sg_arrow_dict_entry_put(e, &s->column[k], &row[k]);
        return SG_OK;
    }
    text = b->source->level(b->source->self, column, (size_t)code);
    return sg_arrow_dict_entry_set_string(e, s, k, text, strlen(text), line, row);
}

sg_status sg_arrow_extra_fill(sg_arrow_extra *b, size_t column, sg_table_builder *s, size_t k, size_t n, double *rows)
{
    size_t pitch = s->selection.read_count, width = b->source->columns;
    const double *from = b->rows + column;
    sg_status st = SG_OK;
    for (size_t i = 0; i < n; i++) rows[i * pitch + k] = from[i * width];
    if (!b->entry[column]) return sg_arrow_apply_nulls(s, k, NULL, 0, n, rows);
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        double *row = rows + i * pitch;
        if (!isnan(row[k])) st = put_level(b, column, row[k], s, k, s->row_count + i + 1, row);
        else {
            row[k] = NAN;
            s->column[k].missing_count++;
        }
    }
    return st;
}
