/* arrow_stream.h: builds Arrow streams for tests. Every buffer is a separate allocation that is freed with its array,
 * so that sanitizers detect reads out of bounds and after release. Releases are counted to find missing and double
 * ones. */
#pragma once

#include "data/format/arrow/arrow_abi.h"
#include "test.h"

typedef struct buffer {
    const void *bytes;
    size_t n;
} buffer;

#define BUFFER(a)                                                                                                      \
    {                                                                                                                  \
        a, sizeof(a)                                                                                                   \
    }

/* A column of a batch. If n_buffers is 0, the number of buffers is that of the non-NULL ones. */
typedef struct field {
    const char *name, *format;
    int64_t length, nulls, offset, n_buffers;
    buffer buffers[6];
    const struct field *dictionary;
} field;

typedef struct batch {
    const field *fields;
    int64_t length, offset, nulls;
    buffer valid;
    int64_t n_children; /* 0: the number in the schema */
} batch;

/* The batches of a stream. The fields of the first one define the schema. */
typedef struct feed {
    const batch *batches;
    size_t count, fields;
    const char *format;  /* of the schema; NULL: "+s" */
    const char *error;   /* returned by get_last_error */
    int schema_code;     /* returned by get_schema */
    size_t fails_at;     /* number of the batch that fails, starting at 1, or 0 */
    size_t at;           /* index of the next batch */
    int schemas, arrays; /* how many are not released yet */
    int released;        /* how often the stream was released */
} feed;

/* --- arrays --- */

static void free_array(struct ArrowArray *a)
{
    for (int64_t i = 0; a->buffers && i < (int64_t)((size_t *)a->private_data)[0]; i++) free((void *)a->buffers[i]);
    for (int64_t i = 0; a->children && i < (int64_t)((size_t *)a->private_data)[1]; i++) {
        free_array(a->children[i]);
        free(a->children[i]);
    }
    if (a->dictionary) free_array(a->dictionary);
    free(a->dictionary);
    free(a->buffers);
    free(a->children);
    free(a->private_data);
}

static feed *feeding; /* the stream being read; tests read one at a time */

static void release_array(struct ArrowArray *a)
{
    feeding->arrays--;
    free_array(a);
    a->release = NULL;
}

static const void *copy_of(buffer b)
{
    if (!b.bytes) return NULL;
    void *copy = malloc(b.n ? b.n : 1);
    assert_non_null(copy);
    return memcpy(copy, b.bytes, b.n);
}

static void new_array(struct ArrowArray *a, const buffer *buffers, size_t n, size_t children)
{
    size_t *made = a->private_data = calloc(2, sizeof *made);
    a->buffers = calloc(8, sizeof *a->buffers); /* enough if n_buffers claims more than there are */
    a->children = calloc(children + 1, sizeof *a->children);
    assert_true(made && a->buffers && a->children);
    for (size_t i = 0; i < n; i++) a->buffers[i] = copy_of(buffers[i]);
    made[0] = n;
    made[1] = children;
    a->n_buffers = (int64_t)n;
    a->n_children = (int64_t)children;
    a->release = release_array;
}

static struct ArrowArray *array_of(const field *f)
{
    struct ArrowArray *a = calloc(1, sizeof *a);
    size_t n = 0;
    assert_non_null(a);
    for (size_t i = 0; i < 6; i++)
        if (f->buffers[i].bytes) n = i + 1;
    new_array(a, f->buffers, n, 0);
    if (f->n_buffers) a->n_buffers = f->n_buffers;
    a->length = f->length;
    a->null_count = f->nulls;
    a->offset = f->offset;
    if (f->dictionary) a->dictionary = array_of(f->dictionary);
    return a;
}

static int next_batch(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    feed *f = stream->private_data;
    memset(out, 0, sizeof *out);
    if (f->fails_at && f->at + 1 == f->fails_at) return 5;
    if (f->at == f->count) return 0;
    const batch *b = &f->batches[f->at++];
    new_array(out, &b->valid, 1, f->fields);
    out->length = b->length;
    out->offset = b->offset;
    out->null_count = b->nulls;
    for (size_t i = 0; i < f->fields; i++) out->children[i] = array_of(&b->fields[i]);
    if (b->n_children) out->n_children = b->n_children;
    f->arrays++;
    return 0;
}

/* --- texts --- */

typedef struct view {
    int32_t length;
    char begin[4];
    int32_t buffer, offset; /* short texts continue here instead */
} view;

enum { TEXTS = 64, TEXT_BYTES = 1024 };

typedef struct texts {
    unsigned char valid[TEXTS / 8];
    int32_t small[TEXTS + 1];
    int64_t large[TEXTS + 1];
    view views[TEXTS];
    int64_t sizes[2];
    char bytes[TEXT_BYTES];
} texts;

/* Returns a column of texts in the format "u", "U" or "vu" (with two data buffers). NULL in the list is a null value.
 * The column points into *t. */
static inline field text_field(const char *name, const char *format, const char *const *list, size_t n, texts *t)
{
    int32_t at = 0;
    *t = (texts){.bytes = ""};
    field f = {.name = name, .format = format, .length = (int64_t)n, .n_buffers = *format == 'v' ? 5 : 3};
    for (size_t i = 0; i < n; i++) {
        int32_t length = list[i] ? (int32_t)strlen(list[i]) : 0;
        if (list[i]) t->valid[i / 8] |= (unsigned char)(1 << i % 8);
        else f.nulls++;
        t->views[i].length = list[i] ? length : -77;
        if (length) memcpy(t->bytes + at, list[i], (size_t)length);
        memcpy((char *)&t->views[i] + 4, t->bytes + at, length <= 12 ? (size_t)length : 4);
        if (length > 12) {
            t->views[i].buffer = 1;
            t->views[i].offset = at;
        }
        at += length;
        t->small[i + 1] = at;
        t->large[i + 1] = at;
    }
    t->sizes[1] = at;
    f.buffers[0] = (buffer){t->valid, n / 8 + 1};
    f.buffers[1] = *format == 'u'   ? (buffer){t->small, (n + 1) * 4}
                   : *format == 'U' ? (buffer){t->large, (n + 1) * 8}
                                    : (buffer){t->views, n * sizeof *t->views};
    f.buffers[2] = (buffer){*format == 'v' ? "" : t->bytes, *format == 'v' ? 0 : (size_t)at};
    if (*format != 'v') return f;
    f.buffers[3] = (buffer){t->bytes, (size_t)at};
    f.buffers[4] = (buffer){t->sizes, sizeof t->sizes};
    return f;
}

/* --- the schema --- */

static void free_schema(struct ArrowSchema *s)
{
    for (int64_t i = 0; i < s->n_children; i++) {
        free_schema(s->children[i]);
        free(s->children[i]);
    }
    if (s->dictionary) free_schema(s->dictionary);
    free(s->dictionary);
    free(s->children);
    free((char *)s->format);
    free((char *)s->name);
}

static void release_schema(struct ArrowSchema *s)
{
    feeding->schemas--;
    free_schema(s);
    s->release = NULL;
}

static void make_schema(struct ArrowSchema *s, const char *format, const char *name, size_t children)
{
    memset(s, 0, sizeof *s);
    s->format = strdup(format);
    s->name = name ? strdup(name) : NULL;
    s->n_children = (int64_t)children;
    s->children = calloc(children + 1, sizeof *s->children);
    assert_true(s->format && s->children);
    s->release = release_schema;
}

static struct ArrowSchema *schema_of(const field *f)
{
    struct ArrowSchema *s = calloc(1, sizeof *s);
    assert_non_null(s);
    make_schema(s, f->format, f->name, 0);
    if (f->dictionary) s->dictionary = schema_of(f->dictionary);
    return s;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    feed *f = stream->private_data;
    if (f->schema_code) return f->schema_code;
    make_schema(out, f->format ? f->format : "+s", NULL, f->fields);
    for (size_t i = 0; i < f->fields; i++) out->children[i] = schema_of(&f->batches->fields[i]);
    f->schemas++;
    return 0;
}

/* --- the stream --- */

static const char *last_error(struct ArrowArrayStream *stream) { return ((feed *)stream->private_data)->error; }

static void release_stream(struct ArrowArrayStream *stream)
{
    ((feed *)stream->private_data)->released++;
    stream->release = NULL;
}

static struct ArrowArrayStream stream_of(feed *f)
{
    feeding = f;
    f->at = 0;
    f->schemas = f->arrays = f->released = 0;
    return (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = next_batch,
                                     .get_last_error = last_error,
                                     .release = release_stream,
                                     .private_data = f};
}

/* Checks that everything was released exactly once. */
static void check_released(const feed *f)
{
    assert_int_equal(f->released, 1);
    assert_int_equal(f->schemas, 0);
    assert_int_equal(f->arrays, 0);
}

static inline sg_status open_feed(feed *f, const sg_source *extra, const sg_options *o, const char *const *wanted,
                                  size_t count, sg_dataset **out)
{
    struct ArrowArrayStream stream = stream_of(f);
    sg_status st = sg_dataset_open_arrow(&stream, extra, o, wanted, count, out);
    check_released(f);
    return st;
}

#define FEED(list, width)                                                                                              \
    {                                                                                                                  \
        .batches = (list), .count = sizeof(list) / sizeof *(list), .fields = (width)                                   \
    }

/* Checks all values. NaN equals NaN. */
static inline void check_rows(const sg_dataset *d, const double *expected, size_t rows, size_t columns)
{
    sg_source s = sg_dataset_source(d);
    assert_int_equal(s.rows, rows);
    assert_int_equal(s.columns, columns);
    double *got = malloc(rows * columns * sizeof *got + 1);
    assert_non_null(got);
    check(s.read(s.self, 0, rows, got));
    for (size_t i = 0; i < rows * columns; i++)
        if (!(got[i] == expected[i] || (isnan(got[i]) && isnan(expected[i]))))
            fail_msg("row %zu, column %zu: %.17g, not %.17g", i / columns + 1, i % columns + 1, got[i], expected[i]);
    free(got);
}

static inline void check_level(const sg_dataset *d, size_t column, size_t i, const char *expected)
{
    sg_source s = sg_dataset_source(d);
    const char *text = s.level ? s.level(s.self, column, i) : NULL;
    if (!expected) assert_null(text);
    else if (!text || strcmp(text, expected) != 0)
        fail_msg("level %zu is %s, not %s", i, text ? text : "none", expected);
}
