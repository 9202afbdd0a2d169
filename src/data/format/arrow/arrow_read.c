/* arrow_read.c: an Arrow stream to a table.
 *
 * Schema -> names and choice of columns (csv_columns, arrow_choose) -> batches, checked (arrow_view) -> blocks of rows,
 * column by column (arrow_column, arrow_beside) -> store -> what the columns are (store_judge) -> table. A batch is
 * released before the next one is asked for; nothing of it is kept. */
#include "base/memory.h"
#include "base/options.h"
#include "comm/comm.h"
#include "data/dataset.h"
#include "data/format/arrow/arrow_extra.h"
#include "data/format/arrow/arrow_select.h"
#include "data/memory_budget.h"
#include "data/table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

typedef struct reader {
    struct ArrowArrayStream *stream;
    struct ArrowSchema schema; /* release NULL: none                             */
    sg_read_options options;
    sg_table_builder store;
    sg_arrow_columns columns;
    sg_arrow_extra extra;
    size_t stream_rows; /* rows of the stream; those too many are counted */
} reader;

void sg_arrow_stream_release(struct ArrowArrayStream *stream)
{
    if (stream && stream->release) stream->release(stream);
}

static void release(reader *r)
{
    sg_arrow_columns_release(&r->columns);
    sg_table_builder_release(&r->store);
    sg_arrow_extra_release(&r->extra);
    if (r->schema.release) r->schema.release(&r->schema);
    sg_arrow_stream_release(r->stream);
}

static sg_status failed(const reader *r, int code, const char *what)
{
    char said[400];
    sg_text plain = {0};
    const char *text = r->stream->get_last_error ? r->stream->get_last_error(r->stream) : NULL;
    if (!text || !*text) text = strerror(code);
    sg_level_sanitize(&plain, text, strlen(text)); /* it may have lines */
    sg_status st =
        sg_fail(code == ENOMEM ? SG_ENOMEM : SG_EIO, "%s: can't read its %s: %s", SG_ARROW_NAME, what,
                plain.failed || !plain.bytes ? "" : sg_quote_excerpt(plain.bytes, plain.length, said, sizeof said));
    sg_text_release(&plain);
    return st;
}

/* --- rows --- */

/* As many rows as fit into a nearby cache are filled column by column. */
static size_t block_rows(const reader *r)
{
    enum { BLOCK_DOUBLES = 8192, MIN_ROWS = 16 };
    size_t width = r->store.selection.read_count, rows = BLOCK_DOUBLES / (width ? width : 1);
    return rows > MIN_ROWS ? rows : MIN_ROWS;
}

/* Up to n rows from the first-th of the batch on: *got of them. */
static sg_status append_block(reader *r, size_t first, size_t n, size_t *got)
{
    sg_table_builder *s = &r->store;
    const sg_source *extra = r->extra.source;
    double *rows;
    sg_status st = sg_table_builder_next_rows(s, n, extra ? (double)s->row_count / (double)extra->rows : 0, &rows, got);
    if (st == SG_OK && r->columns.extra) st = sg_arrow_extra_read(&r->extra, s->row_count, *got);
    for (size_t k = 0; st == SG_OK && k < s->selection.read_count; k++) {
        sg_arrow_column *c = &r->columns.column[k];
        size_t own = (size_t)r->schema.n_children;
        st = c->child < own ? sg_arrow_column_fill(c, s, k, first, *got, rows)
                            : sg_arrow_extra_fill(&r->extra, c->child - own, s, k, *got, rows);
    }
    if (st == SG_OK) sg_table_builder_commit_rows(s, rows, *got);
    return st;
}

static sg_status append_rows(reader *r, size_t rows)
{
    size_t block = block_rows(r), got;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows; i += got)
        st = append_block(r, i, rows - i < block ? rows - i : block, &got);
    return st;
}

/* --- batches --- */

static sg_status check_batch(const reader *r, const struct ArrowArray *a)
{
    sg_status st = sg_arrow_array_check(a, NULL);
    if (st != SG_OK) return st;
    if (a->n_children != r->schema.n_children || (a->n_children > 0 && !a->children))
        return sg_fail(SG_EDATA, "%s: a batch of %" PRId64 " columns, expected %" PRId64 " as in the schema",
                       SG_ARROW_NAME, a->n_children, r->schema.n_children);
    const unsigned char *valid = a->n_buffers > 0 && a->null_count ? a->buffers[0] : NULL;
    if (a->null_count > 0 && !valid)
        return sg_fail(SG_EDATA, "%s: row %zu or one after it is null", SG_ARROW_NAME, r->stream_rows + 1);
    for (size_t i = 0; valid && i < (size_t)a->length; i++)
        if (!sg_arrow_bit(valid, (size_t)a->offset + i))
            return sg_fail(SG_EDATA, "%s: row %zu is null; expected rows of values, each of which may be null",
                           SG_ARROW_NAME, r->stream_rows + i + 1);
    return SG_OK;
}

/* Where rows stand beside, no more of them than these are taken. */
static size_t limit_rows(const reader *r, size_t rows)
{
    const sg_source *extra = r->extra.source;
    size_t left = extra ? extra->rows - r->store.row_count : rows;
    return rows < left ? rows : left;
}

static sg_status append_batch(reader *r, const struct ArrowArray *a)
{
    const sg_column_selection *c = &r->store.selection;
    sg_status st = check_batch(r, a);
    for (size_t k = 0; st == SG_OK && k < c->read_count; k++) {
        sg_arrow_column *column = &r->columns.column[k];
        if (column->child < (size_t)a->n_children)
            st = sg_arrow_column_open(column, a->children[column->child], (size_t)a->offset, (size_t)a->length);
    }
    if (st == SG_OK) st = append_rows(r, limit_rows(r, (size_t)a->length));
    for (size_t k = 0; k < c->read_count; k++) sg_arrow_column_close(&r->columns.column[k]);
    if (st == SG_OK) r->stream_rows += (size_t)a->length;
    return st;
}

static sg_status read_batches(reader *r)
{
    for (;;) {
        struct ArrowArray a = {0};
        int code = r->stream->get_next(r->stream, &a);
        if (code) return failed(r, code, "next batch");
        if (!a.release) return SG_OK;
        sg_status st = append_batch(r, &a);
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
                       SG_ARROW_NAME, sg_quote_excerpt(s->format, strlen(s->format), shown, sizeof shown));
    if (s->n_children < 0 || s->n_children > SG_COLUMNS_MAX || (s->n_children > 0 && !s->children))
        return sg_fail(SG_EDATA, "%s: %" PRId64 " columns, expected %d at most", SG_ARROW_NAME, s->n_children,
                       SG_COLUMNS_MAX);
    for (int64_t i = 0; i < s->n_children; i++)
        if (!s->children[i] || !s->children[i]->format)
            return sg_fail(SG_EDATA, "%s: column %" PRId64 " has no type", SG_ARROW_NAME, i + 1);
    return SG_OK;
}

static sg_status check_rows(const reader *r)
{
    const sg_source *extra = r->extra.source;
    if (extra && extra->rows != r->stream_rows)
        return sg_fail(SG_EDATA, "%s: %zu rows, but %zu rows of the columns beside it", SG_ARROW_NAME, r->stream_rows,
                       extra->rows);
    return r->stream_rows ? SG_OK : sg_fail(SG_EDATA, "%s: no rows", SG_ARROW_NAME);
}

/* The weights of rows may stand beside. */
static sg_status set_weights(const reader *r, sg_table *t)
{
    const char *weights = r->extra.source ? r->extra.source->weight_column : NULL;
    char shown[64];
    size_t i = 0;
    while (weights && i < sg_table_columns(t) && strcmp(sg_table_name(t, i), weights) != 0) i++;
    if (weights && i < sg_table_columns(t)) sg_table_set_weights(t, i);
    if (!weights || i < sg_table_columns(t) || r->options.wanted) return SG_OK;
    return sg_fail(
        SG_EINVAL,
        "%s: no column beside it is called \"%s\", as that of the weights; expected a name without control characters",
        SG_ARROW_NAME, sg_quote_excerpt(weights, strlen(weights), shown, sizeof shown));
}

static sg_status read_all(reader *r, const sg_source *extra, sg_table **out)
{
    sg_status st = sg_arrow_extra_init(&r->extra, extra);
    if (st == SG_OK) st = read_schema(r);
    if (st == SG_OK) st = sg_arrow_columns_select(&r->store, &r->options, &r->schema, &r->extra, &r->columns);
    if (st == SG_OK) st = read_batches(r);
    if (st == SG_OK) st = check_rows(r);
    if (st == SG_OK) st = sg_table_builder_finish(&r->store, SG_ARROW_NAME, out);
    if (st == SG_OK && (st = set_weights(r, *out)) != SG_OK) {
        sg_table_free(*out);
        *out = NULL;
    }
    return st;
}

static sg_read_options options_for_stream(const sg_options *o)
{
    enum { MIN_MEMORY = 1 << 16 }; /* as for files: bytes of rows before one of them is worth it */
    sg_read_options options = sg_read_options_from(o);
    size_t memory = sg_memory_for_rows(o);
    if (!options.missing) options.missing = SG_DEFAULT_MISSING;
    options.memory_limit = memory > MIN_MEMORY ? memory : MIN_MEMORY;
    return options;
}

sg_status sg_dataset_open_arrow_typed(struct ArrowArrayStream *stream, const sg_source *extra, const sg_options *o,
                                      const char *const *wanted, const bool *words, size_t wanted_count,
                                      sg_dataset **out)
{
    bool local;
    sg_table *table;
    if (!stream || !stream->release) return sg_fail(SG_EINVAL, "the Arrow stream is one that was released before");
    reader r = {.stream = stream, .options = options_for_stream(o)};
    r.options.wanted = wanted;
    r.options.wanted_categorical = words;
    r.options.wanted_count = wanted_count;
    sg_status st = sg_options_comm(o, &local)
                       ? sg_fail(SG_EINVAL, "an Arrow stream is read by one process, and not by a team")
                       : read_all(&r, extra, &table);
    release(&r);
    return st == SG_OK ? sg_dataset_from_table(table, out) : st;
}

sg_status sg_dataset_open_arrow(struct ArrowArrayStream *stream, const sg_source *extra, const sg_options *o,
                                const char *const *wanted, size_t wanted_count, sg_dataset **out)
{
    return sg_dataset_open_arrow_typed(stream, extra, o, wanted, NULL, wanted_count, out);
}
