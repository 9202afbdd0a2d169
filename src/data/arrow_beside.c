/* arrow_beside.c: see arrow_beside.h. */
#include "data/arrow_beside.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for columns beside an Arrow stream"); }

void sg_arrow_beside_release(sg_arrow_beside *b)
{
    for (size_t j = 0; b->entry && j < b->of->columns; j++) free(b->entry[j]);
    free(b->entry);
    free(b->levels);
    free(b->rows);
    *b = (sg_arrow_beside){0};
}

sg_status sg_arrow_beside_init(sg_arrow_beside *b, const sg_source *of)
{
    *b = (sg_arrow_beside){.of = of};
    if (!of) return SG_OK;
    if (of->team) return sg_fail(SG_EINVAL, "columns beside an Arrow stream can't be rows of a team");
    b->entry = sg_alloc(of->columns, sizeof *b->entry);
    b->levels = sg_alloc(of->columns, sizeof *b->levels);
    if (!b->entry || !b->levels) return no_memory();
    for (size_t j = 0; of->level && j < of->columns; j++) {
        while (of->level(of->self, j, b->levels[j])) b->levels[j]++;
        if (b->levels[j] && !(b->entry[j] = sg_alloc(b->levels[j], sizeof **b->entry))) return no_memory();
    }
    return SG_OK;
}

sg_status sg_arrow_beside_read(sg_arrow_beside *b, size_t first, size_t n)
{
    size_t need;
    if (!sg_mul(n, b->of->columns, &need) || !sg_grow(&b->rows, &b->room, need, sizeof *b->rows)) return no_memory();
    return b->of->read(b->of->self, first, n, b->rows);
}

static sg_status put_level(sg_arrow_beside *b, size_t column, double code, sg_store *s, size_t k, size_t line,
                           double *row)
{
    char name[64];
    const char *text = b->of->names[column];
    if (!(code >= 0 && code < (double)b->levels[column]) || floor(code) != code)
        return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": not the number of a level", s->columns.file, line,
                       sg_quotable(text, strlen(text), name, sizeof name));
    sg_arrow_entry *e = &b->entry[column][(size_t)code];
    if (e->known) {
        sg_arrow_entry_put(e, &s->tally[k], &row[k]);
        return SG_OK;
    }
    text = b->of->level(b->of->self, column, (size_t)code);
    return sg_arrow_entry_text(e, s, k, text, strlen(text), line, row);
}

sg_status sg_arrow_beside_fill(sg_arrow_beside *b, size_t column, sg_store *s, size_t k, size_t n, double *rows)
{
    size_t pitch = s->columns.read_count, width = b->of->columns;
    const double *from = b->rows + column;
    sg_status st = SG_OK;
    for (size_t i = 0; i < n; i++) rows[i * pitch + k] = from[i * width];
    if (!b->entry[column]) return sg_arrow_settle(s, k, NULL, 0, n, rows);
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        double *row = rows + i * pitch;
        if (!isnan(row[k])) st = put_level(b, column, row[k], s, k, s->count + i + 1, row);
        else {
            row[k] = NAN;
            s->tally[k].missing++;
        }
    }
    return st;
}
