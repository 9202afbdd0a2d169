/* arrow_read.c: reads an Arrow stream into a table.
 *
 * The schema determines the columns to read. Each batch is validated (arrow_array_view), appended to a table builder
 * block by block (arrow_column, arrow_extra_columns), and released before the next batch is requested. */
#include "base/memory.h"
#include "base/options.h"
#include "data/column_names.h"
#include "data/dataset_open.h"
#include "data/format/arrow/arrow_extra_columns.h"
#include "data/memory_shares.h"
#include "data/table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

typedef struct arrow_reader {
    struct ArrowArrayStream *stream;
    struct ArrowSchema schema; /* release is NULL until it is read */
    sg_read_options options;
    sg_table_builder builder;
    sg_arrow_column *column; /* (builder.selection.read_count) */
    sg_arrow_extra extra;
    size_t extra_columns; /* number of columns that are read from extra */
    size_t stream_rows;   /* rows of the stream so far, including those beyond the end of extra */
} arrow_reader;

void sg_arrow_stream_release(struct ArrowArrayStream *stream)
{
    if (stream && stream->release) stream->release(stream);
}

static void release(arrow_reader *r)
{
    free(r->column);
    sg_table_builder_release(&r->builder);
    sg_arrow_extra_release(&r->extra);
    if (r->schema.release) r->schema.release(&r->schema);
    sg_arrow_stream_release(r->stream);
}

static sg_status fail_stream(const arrow_reader *r, int code, const char *what)
{
    char excerpt[400];
    sg_text plain = {0};
    const char *text = r->stream->get_last_error ? r->stream->get_last_error(r->stream) : NULL;
    if (!text || !*text) text = strerror(code);
    sg_level_sanitize(&plain, text, strlen(text)); /* the message may contain line breaks */
    sg_status st = sg_fail(
        code == ENOMEM ? SG_ENOMEM : SG_EIO, "%s: can't read the %s: %s", SG_ARROW_NAME, what,
        plain.failed || !plain.bytes ? "" : sg_quote_excerpt(plain.bytes, plain.length, excerpt, sizeof excerpt));
    sg_text_release(&plain);
    return st;
}

/* --- columns --- */

static sg_status fail_out_of_memory(void)
{
    return sg_fail(SG_ENOMEM, "%s: out of memory while selecting the columns", SG_ARROW_NAME);
}

static sg_field name_field(const char *name)
{
    return (sg_field){.text = name ? name : "", .length = name ? strlen(name) : 0};
}

static sg_status init_builder(arrow_reader *r)
{
    const sg_source *extra = r->extra.source;
    size_t own = (size_t)r->schema.n_children, others = extra ? extra->columns : 0;
    if (others > SG_COLUMNS_MAX - own)
        return sg_fail(SG_EDATA, "%s: there are more than %d columns", SG_ARROW_NAME, SG_COLUMNS_MAX);
    sg_field *names = sg_calloc(own + others, sizeof *names);
    if (!names) return fail_out_of_memory();
    for (size_t i = 0; i < own; i++) names[i] = name_field(r->schema.children[i]->name);
    for (size_t i = 0; i < others; i++) names[own + i] = name_field(extra->names[i]);
    sg_status st = sg_table_builder_init(&r->builder, SG_ARROW_NAME, &r->options, names, own + others);
    r->builder.selection.locate_by_row = true;
    free(names);
    return st;
}

/* Reports whether a column can be read. A temporal column can be read only as the group column, as integers. */
static bool is_readable(const arrow_reader *r, const sg_arrow_column *c, sg_column_spec spec)
{
    sg_arrow_class class = sg_arrow_column_class(c);
    if (class == SG_ARROW_TEMPORAL && !c->value_format.type && sg_arrow_format_is_number(&c->format) &&
        spec == SG_SPEC_INFER_KEEP && !r->options.wanted)
        return true;
    return class != SG_ARROW_TEMPORAL && class != SG_ARROW_OTHER;
}

static sg_status check_not_wanted(const arrow_reader *r, const sg_arrow_column *c, sg_column_spec spec)
{
    if (!r->options.wanted && spec == SG_SPEC_INFER) return SG_OK;
    return sg_fail(SG_EDATA, "%s: column \"%s\" holds %s, not numbers or categories", SG_ARROW_NAME,
                   SG_EXCERPT(c->name),
                   sg_arrow_column_class(c) == SG_ARROW_TEMPORAL ? "dates or times" : "values of an unsupported type");
}

/* Sets up column k of the builder. If it cannot be read, drops it and sets temporal[i] or other[i] for its index i. */
static sg_status select_column(arrow_reader *r, size_t k, bool *temporal, bool *other)
{
    sg_column_selection *c = &r->builder.selection;
    size_t i = c->read_index[k], own = (size_t)r->schema.n_children;
    sg_arrow_column *column = &r->column[k];
    if (i < own) sg_arrow_column_init(column, r->schema.children[i], i);
    else *column = (sg_arrow_column){.child = i};
    column->name = c->names[i];
    if (i >= own || is_readable(r, column, c->spec[i])) {
        bool categorical = i < own ? column->value_format.type != NULL : r->extra.entry[i - own] != NULL;
        if (categorical && (c->spec[i] == SG_SPEC_INFER || c->spec[i] == SG_SPEC_INFER_KEEP))
            c->spec[i] = SG_SPEC_CATEGORICAL;
        r->extra_columns += i >= own;
        return SG_OK;
    }
    sg_status st = check_not_wanted(r, column, c->spec[i]);
    if (st != SG_OK) return st;
    *(sg_arrow_column_class(column) == SG_ARROW_TEMPORAL ? &temporal[i] : &other[i]) = true;
    sg_table_builder_drop_column(&r->builder, k);
    return SG_OK;
}

static sg_status select_columns(arrow_reader *r)
{
    sg_status st = init_builder(r);
    const sg_column_selection *c = &r->builder.selection;
    if (st != SG_OK) return st;
    bool *temporal = sg_calloc(c->count, sizeof *temporal), *other = sg_calloc(c->count, sizeof *other);
    r->column = sg_calloc(c->read_count, sizeof *r->column);
    if (!temporal || !other || !r->column) st = fail_out_of_memory();
    for (size_t k = 0, before; st == SG_OK && k < c->read_count; k += before == c->read_count) {
        before = c->read_count;
        st = select_column(r, k, temporal, other);
    }
    if (st == SG_OK) {
        sg_notice_dropped_columns(r->options.notify, "dates", c->names, temporal, c->count);
        sg_notice_dropped_columns(r->options.notify, SG_DROPPED_OTHER_TYPES, c->names, other, c->count);
    }
    free(temporal);
    free(other);
    return st;
}

/* --- rows --- */

/* Returns the number of rows of a block, which is filled column by column and should fit into the L1 or L2 cache. */
static size_t block_rows(const arrow_reader *r)
{
    enum { BLOCK_DOUBLES = 8192, MIN_ROWS = 16 };
    size_t width = r->builder.selection.read_count, rows = BLOCK_DOUBLES / (width ? width : 1);
    return rows > MIN_ROWS ? rows : MIN_ROWS;
}

/* Appends up to n rows of the batch, starting at row `first`. Sets *got to the number of rows that it appended. */
static sg_status append_block(arrow_reader *r, size_t first, size_t n, size_t *got)
{
    sg_table_builder *s = &r->builder;
    const sg_source *extra = r->extra.source;
    double *rows;
    sg_status st = sg_table_builder_next_rows(s, n, extra ? (double)s->row_count / (double)extra->rows : 0, &rows, got);
    if (st == SG_OK && r->extra_columns) st = sg_arrow_extra_read(&r->extra, s->row_count, *got);
    for (size_t k = 0; st == SG_OK && k < s->selection.read_count; k++) {
        sg_arrow_column *c = &r->column[k];
        size_t own = (size_t)r->schema.n_children;
        st = c->child < own ? sg_arrow_column_fill(c, s, k, first, *got, rows)
                            : sg_arrow_extra_fill(&r->extra, c->child - own, s, k, *got, rows);
    }
    if (st == SG_OK) sg_table_builder_commit_rows(s, rows, *got);
    return st;
}

static sg_status append_rows(arrow_reader *r, size_t rows)
{
    size_t block = block_rows(r), got;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows; i += got)
        st = append_block(r, i, rows - i < block ? rows - i : block, &got);
    return st;
}

/* --- batches --- */

static sg_status check_batch(const arrow_reader *r, const struct ArrowArray *a)
{
    sg_status st = sg_arrow_array_check(a, NULL);
    if (st != SG_OK) return st;
    if (a->n_children != r->schema.n_children || (a->n_children > 0 && !a->children))
        return sg_fail(SG_EDATA, "%s: a batch has %" PRId64 " columns; expected %" PRId64 " as in the schema",
                       SG_ARROW_NAME, a->n_children, r->schema.n_children);
    const unsigned char *valid = a->n_buffers > 0 && a->null_count ? a->buffers[0] : NULL;
    if (a->null_count > 0 && !valid)
        return sg_fail(SG_EDATA, "%s: row %zu or a later row is null", SG_ARROW_NAME, r->stream_rows + 1);
    for (size_t i = 0; valid && i < (size_t)a->length; i++)
        if (!sg_arrow_bit(valid, (size_t)a->offset + i))
            return sg_fail(SG_EDATA, "%s: row %zu is null; only the values of a row may be null", SG_ARROW_NAME,
                           r->stream_rows + i + 1);
    return SG_OK;
}

/* Returns how many of the next `rows` rows to read. Rows beyond the end of the extra columns are only counted. */
static size_t limit_rows(const arrow_reader *r, size_t rows)
{
    const sg_source *extra = r->extra.source;
    size_t left = extra ? extra->rows - r->builder.row_count : rows;
    return rows < left ? rows : left;
}

static sg_status append_batch(arrow_reader *r, const struct ArrowArray *a)
{
    const sg_column_selection *c = &r->builder.selection;
    sg_status st = check_batch(r, a);
    for (size_t k = 0; st == SG_OK && k < c->read_count; k++) {
        sg_arrow_column *column = &r->column[k];
        if (column->child < (size_t)a->n_children)
            st = sg_arrow_column_open(column, a->children[column->child], (size_t)a->offset, (size_t)a->length);
    }
    if (st == SG_OK) st = append_rows(r, limit_rows(r, (size_t)a->length));
    for (size_t k = 0; k < c->read_count; k++) sg_arrow_column_close(&r->column[k]);
    if (st == SG_OK) r->stream_rows += (size_t)a->length;
    return st;
}

static sg_status read_batches(arrow_reader *r)
{
    for (;;) {
        struct ArrowArray a = {0};
        int code = r->stream->get_next(r->stream, &a);
        if (code) return fail_stream(r, code, "next batch");
        if (!a.release) return SG_OK;
        sg_status st = append_batch(r, &a);
        a.release(&a);
        if (st != SG_OK) return st;
    }
}

/* --- the stream --- */

static sg_status read_schema(arrow_reader *r)
{
    const struct ArrowSchema *s = &r->schema;
    int code = r->stream->get_schema(r->stream, &r->schema);
    if (code) {
        r->schema.release = NULL;
        return fail_stream(r, code, "schema");
    }
    if (!s->release || !s->format) return sg_fail(SG_EDATA, "%s: the schema is missing", SG_ARROW_NAME);
    if (strcmp(s->format, "+s") != 0)
        return sg_fail(SG_EDATA,
                       "%s: the arrays have type \"%s\"; expected \"+s\", a struct whose fields are the columns",
                       SG_ARROW_NAME, SG_EXCERPT(s->format));
    if (s->n_children < 0 || s->n_children > SG_COLUMNS_MAX || (s->n_children > 0 && !s->children))
        return sg_fail(SG_EDATA, "%s: the schema has %" PRId64 " columns; expected at most %d", SG_ARROW_NAME,
                       s->n_children, SG_COLUMNS_MAX);
    for (int64_t i = 0; i < s->n_children; i++)
        if (!s->children[i] || !s->children[i]->format)
            return sg_fail(SG_EDATA, "%s: column %" PRId64 " has no type", SG_ARROW_NAME, i + 1);
    return SG_OK;
}

static sg_status check_rows(const arrow_reader *r)
{
    const sg_source *extra = r->extra.source;
    if (extra && extra->rows != r->stream_rows)
        return sg_fail(SG_EDATA, "%s: the stream has %zu rows, but the extra columns have %zu", SG_ARROW_NAME,
                       r->stream_rows, extra->rows);
    return r->stream_rows ? SG_OK : sg_fail(SG_EDATA, "%s: there are no rows", SG_ARROW_NAME);
}

/* Sets the weight column of the table if one of the extra columns holds the row weights. */
static sg_status set_weights(const arrow_reader *r, sg_table *t)
{
    const char *weights = r->extra.source ? r->extra.source->weight_column : NULL;
    size_t i = 0;
    while (weights && i < sg_table_columns(t) && strcmp(sg_table_name(t, i), weights) != 0) i++;
    if (weights && i < sg_table_columns(t)) sg_table_set_weights(t, i);
    if (!weights || i < sg_table_columns(t) || r->options.wanted) return SG_OK;
    return sg_fail(
        SG_EINVAL,
        "%s: no extra column has the name of the weight column, \"%s\"; expected a name without control characters",
        SG_ARROW_NAME, SG_EXCERPT(weights));
}

static sg_status read_all(arrow_reader *r, const sg_source *extra, sg_table **out)
{
    sg_status st = sg_arrow_extra_init(&r->extra, extra);
    if (st == SG_OK) st = read_schema(r);
    if (st == SG_OK) st = select_columns(r);
    if (st == SG_OK) st = read_batches(r);
    if (st == SG_OK) st = check_rows(r);
    if (st == SG_OK) st = sg_table_builder_finish(&r->builder, SG_ARROW_NAME, out);
    if (st == SG_OK && (st = set_weights(r, *out)) != SG_OK) {
        sg_table_free(*out);
        *out = NULL;
    }
    return st;
}

static sg_read_options options_for_stream(const sg_options *o)
{
    enum { MIN_MEMORY = 1 << 16 }; /* as for files: smaller tables are not worth a temporary file */
    sg_read_options options = sg_read_options_from(o);
    size_t memory = sg_memory_for_rows(o);
    options.memory_limit = memory > MIN_MEMORY ? memory : MIN_MEMORY;
    return options;
}

sg_status sg_dataset_open_arrow_typed(struct ArrowArrayStream *stream, const sg_source *extra, const sg_options *o,
                                      const char *const *wanted, const bool *categorical, size_t wanted_count,
                                      sg_dataset **out)
{
    bool local;
    sg_table *table;
    if (!stream || !stream->release) return sg_fail(SG_EINVAL, "the Arrow stream has already been released");
    arrow_reader r = {.stream = stream, .options = options_for_stream(o)};
    r.options.wanted = wanted;
    r.options.wanted_categorical = categorical;
    r.options.wanted_count = wanted_count;
    sg_status st = sg_options_comm(o, &local) ? sg_fail(SG_EINVAL, "an Arrow stream can't be read by several ranks")
                                              : read_all(&r, extra, &table);
    release(&r);
    return st == SG_OK ? sg_dataset_from_table(table, out) : st;
}

sg_status sg_dataset_open_arrow(struct ArrowArrayStream *stream, const sg_source *extra, const sg_options *o,
                                const char *const *wanted, size_t wanted_count, sg_dataset **out)
{
    return sg_dataset_open_arrow_typed(stream, extra, o, wanted, NULL, wanted_count, out);
}
