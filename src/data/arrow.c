/* arrow.c: an Arrow stream to a table.
 *
 * Schema -> names and choice of columns (csv_columns, arrow_choose) -> batches, checked (arrow_view) -> blocks of rows,
 * column by column (arrow_column, arrow_beside) -> store -> what the columns are (store_judge) -> table. A batch is
 * released before the next one is asked for; nothing of it is kept. */
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "data/arrow_beside.h"
#include "data/arrow_choose.h"
#include "data/data.h"
#include "data/memory_share.h"
#include "data/table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

typedef struct reader {
    struct ArrowArrayStream *stream;
    struct ArrowSchema schema; /* release NULL: none                             */
    sg_csv_how how;
    sg_store store;
    sg_arrow_columns columns;
    sg_arrow_beside beside;
    size_t come; /* rows of the stream; those too many are counted */
} reader;

void sg_arrow_release(struct ArrowArrayStream *stream)
{
    if (stream && stream->release) stream->release(stream);
}

static void release(reader *r)
{
    sg_arrow_columns_release(&r->columns);
    sg_store_release(&r->store);
    sg_arrow_beside_release(&r->beside);
    if (r->schema.release) r->schema.release(&r->schema);
    sg_arrow_release(r->stream);
}

static sg_status failed(const reader *r, int code, const char *what)
{
    char said[400];
    sg_text plain = {0};
    const char *text = r->stream->get_last_error ? r->stream->get_last_error(r->stream) : NULL;
    if (!text || !*text) text = strerror(code);
    sg_level_plain(&plain, text, strlen(text)); /* it may have lines */
    sg_status st =
        sg_fail(code == ENOMEM ? SG_ENOMEM : SG_EIO, "%s: can't read its %s: %s", SG_ARROW_NAME, what,
                plain.failed || !plain.bytes ? "" : sg_quotable(plain.bytes, plain.length, said, sizeof said));
    sg_text_release(&plain);
    return st;
}

/* --- rows --- */

/* As many rows as fit into a nearby cache are filled column by column. */
static size_t block_of(const reader *r)
{
    enum { NUMBERS = 8192, FEWEST = 16 };
    size_t width = r->store.columns.read_count, rows = NUMBERS / (width ? width : 1);
    return rows > FEWEST ? rows : FEWEST;
}

/* Up to n rows from the first-th of the batch on: *got of them. */
static sg_status take_block(reader *r, size_t first, size_t n, size_t *got)
{
    sg_store *s = &r->store;
    const sg_source *beside = r->beside.of;
    double *rows;
    sg_status st = sg_store_rows(s, n, beside ? (double)s->count / (double)beside->rows : 0, &rows, got);
    if (st == SG_OK && r->columns.beside) st = sg_arrow_beside_read(&r->beside, s->count, *got);
    for (size_t k = 0; st == SG_OK && k < s->columns.read_count; k++) {
        sg_arrow_column *c = &r->columns.column[k];
        size_t own = (size_t)r->schema.n_children;
        st = c->child < own ? sg_arrow_column_fill(c, s, k, first, *got, rows)
                            : sg_arrow_beside_fill(&r->beside, c->child - own, s, k, *got, rows);
    }
    if (st == SG_OK) sg_store_take_rows(s, rows, *got);
    return st;
}

static sg_status take_rows(reader *r, size_t rows)
{
    size_t block = block_of(r), got;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows; i += got)
        st = take_block(r, i, rows - i < block ? rows - i : block, &got);
    return st;
}

/* --- batches --- */

static sg_status check_batch(const reader *r, const struct ArrowArray *a)
{
    sg_status st = sg_arrow_check_counts(a, NULL);
    if (st != SG_OK) return st;
    if (a->n_children != r->schema.n_children || (a->n_children > 0 && !a->children))
        return sg_fail(SG_EDATA, "%s: a batch of %" PRId64 " columns, expected %" PRId64 " as in the schema",
                       SG_ARROW_NAME, a->n_children, r->schema.n_children);
    const unsigned char *valid = a->n_buffers > 0 && a->null_count ? a->buffers[0] : NULL;
    if (a->null_count > 0 && !valid)
        return sg_fail(SG_EDATA, "%s: row %zu or one after it is null", SG_ARROW_NAME, r->come + 1);
    for (size_t i = 0; valid && i < (size_t)a->length; i++)
        if (!sg_arrow_bit(valid, (size_t)a->offset + i))
            return sg_fail(SG_EDATA, "%s: row %zu is null; expected rows of values, each of which may be null",
                           SG_ARROW_NAME, r->come + i + 1);
    return SG_OK;
}

/* Where rows stand beside, no more of them than these are taken. */
static size_t rows_to_take(const reader *r, size_t rows)
{
    const sg_source *beside = r->beside.of;
    size_t left = beside ? beside->rows - r->store.count : rows;
    return rows < left ? rows : left;
}

static sg_status take_batch(reader *r, const struct ArrowArray *a)
{
    const sg_columns *c = &r->store.columns;
    sg_status st = check_batch(r, a);
    for (size_t k = 0; st == SG_OK && k < c->read_count; k++) {
        sg_arrow_column *column = &r->columns.column[k];
        if (column->child < (size_t)a->n_children)
            st = sg_arrow_column_open(column, a->children[column->child], (size_t)a->offset, (size_t)a->length);
    }
    if (st == SG_OK) st = take_rows(r, rows_to_take(r, (size_t)a->length));
    for (size_t k = 0; k < c->read_count; k++) sg_arrow_column_close(&r->columns.column[k]);
    if (st == SG_OK) r->come += (size_t)a->length;
    return st;
}

static sg_status read_batches(reader *r)
{
    for (;;) {
        struct ArrowArray a = {0};
        int code = r->stream->get_next(r->stream, &a);
        if (code) return failed(r, code, "next batch");
        if (!a.release) return SG_OK;
        sg_status st = take_batch(r, &a);
        a.release(&a);
        if (st != SG_OK) return st;
    }
}

/* --- all of it --- */

static sg_status read_schema(reader *r)
{
    const struct ArrowSchema *s = &r->schema;
    char shown[64];
    int code = r->stream->get_schema(r->stream, &r->schema);
    if (code) {
        r->schema.release = NULL;
        return failed(r, code, "schema");
    }
    if (!s->release || !s->format) return sg_fail(SG_EDATA, "%s: no schema", SG_ARROW_NAME);
    if (strcmp(s->format, "+s") != 0)
        return sg_fail(SG_EDATA, "%s: arrays of type \"%s\", expected \"+s\": a struct, whose fields are the columns",
                       SG_ARROW_NAME, sg_quotable(s->format, strlen(s->format), shown, sizeof shown));
    if (s->n_children < 0 || s->n_children > SG_CSV_COLUMNS || (s->n_children > 0 && !s->children))
        return sg_fail(SG_EDATA, "%s: %" PRId64 " columns, expected %d at most", SG_ARROW_NAME, s->n_children,
                       SG_CSV_COLUMNS);
    for (int64_t i = 0; i < s->n_children; i++)
        if (!s->children[i] || !s->children[i]->format)
            return sg_fail(SG_EDATA, "%s: column %" PRId64 " has no type", SG_ARROW_NAME, i + 1);
    return SG_OK;
}

static sg_status check_rows(const reader *r)
{
    const sg_source *beside = r->beside.of;
    if (beside && beside->rows != r->come)
        return sg_fail(SG_EDATA, "%s: %zu rows, but %zu rows of the columns beside it", SG_ARROW_NAME, r->come,
                       beside->rows);
    return r->come ? SG_OK : sg_fail(SG_EDATA, "%s: no rows", SG_ARROW_NAME);
}

/* The weights of rows may stand beside. */
static sg_status weigh(const reader *r, sg_table *t)
{
    const char *weights = r->beside.of ? r->beside.of->weights : NULL;
    char shown[64];
    size_t i = 0;
    while (weights && i < sg_table_columns(t) && strcmp(sg_table_name(t, i), weights) != 0) i++;
    if (weights && i < sg_table_columns(t)) sg_table_weigh(t, i);
    if (!weights || i < sg_table_columns(t) || r->how.wanted) return SG_OK;
    return sg_fail(
        SG_EINVAL,
        "%s: no column beside it is called \"%s\", as that of the weights; expected a name without control characters",
        SG_ARROW_NAME, sg_quotable(weights, strlen(weights), shown, sizeof shown));
}

static sg_status read_all(reader *r, const sg_source *beside, sg_table **out)
{
    sg_status st = sg_arrow_beside_init(&r->beside, beside);
    if (st == SG_OK) st = read_schema(r);
    if (st == SG_OK) st = sg_arrow_choose(&r->store, &r->how, &r->schema, &r->beside, &r->columns);
    if (st == SG_OK) st = read_batches(r);
    if (st == SG_OK) st = check_rows(r);
    if (st == SG_OK) st = sg_store_finish(&r->store, SG_ARROW_NAME, out);
    if (st == SG_OK && (st = weigh(r, *out)) != SG_OK) {
        sg_table_free(*out);
        *out = NULL;
    }
    return st;
}

static sg_csv_how how_by(const sg_options *o)
{
    enum { LEAST = 1 << 16 }; /* as for files: bytes of rows before one of them is worth it */
    sg_csv_how how = sg_csv_how_by(o);
    size_t memory = sg_memory_for_rows(o);
    if (!how.missing) how.missing = SG_CSV_MISSING;
    how.memory = memory > LEAST ? memory : LEAST;
    return how;
}

sg_status sg_data_open_arrow_kinds(struct ArrowArrayStream *stream, const sg_source *beside, const sg_options *o,
                                   const char *const *wanted, const bool *words, size_t wanted_count, sg_data **out)
{
    bool local;
    sg_table *table;
    const char *cache = o ? sg_options_get(o, "cache") : NULL;
    if (!stream || !stream->release) return sg_fail(SG_EINVAL, "the Arrow stream is one that was released before");
    reader r = {.stream = stream, .how = how_by(o)};
    r.how.wanted = wanted;
    r.how.words = words;
    r.how.wanted_count = wanted_count;
    if (cache && *cache) sg_notice(o, "--cache does nothing for an Arrow stream");
    sg_status st = sg_options_readers(o, &local)
                       ? sg_fail(SG_EINVAL, "an Arrow stream is read by one process, and not by a team")
                       : read_all(&r, beside, &table);
    release(&r);
    return st == SG_OK ? sg_data_of_table(table, out) : st;
}

sg_status sg_data_open_arrow(struct ArrowArrayStream *stream, const sg_source *beside, const sg_options *o,
                             const char *const *wanted, size_t wanted_count, sg_data **out)
{
    return sg_data_open_arrow_kinds(stream, beside, o, wanted, NULL, wanted_count, out);
}
