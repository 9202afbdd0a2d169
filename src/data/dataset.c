/* dataset.c: data by its path, whatever the format: a row of the table each. */
#include "data/dataset.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/comm.h"
#include "data/format/arff/arff.h"
#include "data/format/csv/csv.h"
#include "data/format/csv/csv_sniff.h"
#include "data/format/csv/csv_write.h"
#include "data/format/libsvm/libsvm.h"
#include "data/format/npy/npy.h"
#include "data/format/npy/npy_header.h"
#include "data/memory_budget.h"
#include "data/shard/shard_check.h"
#include "data/shard/shard_levels.h"
#include "data/shard/shard_scatter.h"
#include "data/source/concat_source.h"
#include "data/table.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file, or several in a row that are read as one. */
typedef struct part {
    const struct format *format;
    void *rows; /* the table, or the file */
    sg_source source;
} part;

struct sg_dataset {
    part *part;
    size_t parts;
    sg_concat *concat; /* NULL: there is one part */
    sg_shard *shard;   /* NULL: all rows are here */
};

typedef struct open_args {
    const char *const *paths;
    size_t paths_count;
    size_t *room; /* bytes of memory that are left for rows */
    sg_read_options options;
} open_args;

/* --- the formats --- */

typedef struct format {
    const char *suffix, *other; /* ends of names; other may be NULL */
    bool (*is)(const struct format *f, const char *path);
    bool multi_file; /* it reads files that continue each other as one */
    bool in_place;   /* rows are read when they are asked for */
    sg_status (*open)(const open_args *a, part *d);
    const char *(*dropped_column)(const void *rows, size_t i);
    void (*free)(void *rows);
    sg_status (*save)(const sg_source *rows, const char *path);
} format;

static sg_status open_npy(const open_args *a, part *d)
{
    sg_npy *npy;
    sg_status st = sg_npy_open(a->paths[0], &a->options, &npy);
    if (st != SG_OK) return st;
    *a->room -= sg_npy_allow_load(npy, *a->room);
    d->rows = npy;
    d->source = sg_npy_source(npy);
    return SG_OK;
}

static const char *npy_dropped_column(const void *rows, size_t i) { return sg_npy_dropped_column(rows, i); }
static void free_npy(void *rows) { sg_npy_free(rows); }

static void set_table(const open_args *a, part *d, sg_table *table)
{
    size_t bytes = sg_table_resident_bytes(table);
    *a->room = bytes < *a->room ? *a->room - bytes : 0;
    d->rows = table;
    d->source = sg_table_source(table);
}

static sg_status open_csv(const open_args *a, part *d)
{
    sg_table *table;
    sg_status st = sg_csv_read_files(a->paths, a->paths_count, &a->options, &table);
    if (st == SG_OK) set_table(a, d, table);
    return st;
}

static sg_status open_arff(const open_args *a, part *d)
{
    sg_table *table;
    sg_status st = sg_arff_read_file(a->paths[0], &a->options, &table);
    if (st == SG_OK) set_table(a, d, table);
    return st;
}

static sg_status open_libsvm(const open_args *a, part *d)
{
    sg_table *table;
    sg_status st = sg_libsvm_read_files(a->paths, a->paths_count, &a->options, &table);
    if (st == SG_OK) set_table(a, d, table);
    return st;
}

static const char *table_dropped_column(const void *rows, size_t i) { return sg_table_dropped_column(rows, i); }
static void free_table(void *rows) { sg_table_free(rows); }

/* --- which it is --- */

static bool ends_with(const char *path, size_t n, const char *suffix)
{
    size_t m = strlen(suffix);
    return n > m && strncasecmp(path + n - m, suffix, m) == 0;
}

/* Its name, or its name before .gz. */
static bool has_suffix(const format *f, const char *path)
{
    size_t n = strlen(path);
    if (ends_with(path, n, ".gz")) n -= 3;
    return ends_with(path, n, f->suffix) || (f->other && ends_with(path, n, f->other));
}

/* Only a plain file can be looked into and read again. */
static bool is_regular_file(const char *path)
{
    struct stat is;
    return strcmp(path, "-") != 0 && stat(path, &is) == 0 && S_ISREG(is.st_mode);
}

/* What can't be opened is left to whoever reads it. */
static bool is_npy(const format *f, const char *path)
{
    (void)f;
    char head[SG_NPY_MAGIC_SIZE];
    int fd = is_regular_file(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd < 0 ? 0 : pread(fd, head, sizeof head, 0);
    if (fd >= 0) close(fd);
    return n == sizeof head && memcmp(head, SG_NPY_MAGIC, sizeof head) == 0;
}

/* Many files are called .dat: one for KEEL begins with @relation, or a comment. */
static bool is_keel(const format *f, const char *path)
{
    sg_byte_reader *in;
    const char *head = "";
    size_t n = 0;
    bool whole;
    if (!has_suffix(f, path) || !is_regular_file(path) || sg_byte_reader_open(path, &in) != SG_OK) return false;
    bool is = sg_csv_check_encoding(in) == SG_OK && sg_byte_reader_peek(in, &head, &n, &whole) == SG_OK;
    while (is && n && strchr(" \t\r\n", *head)) head++, n--;
    is = is && n && (*head == '@' || *head == '%');
    sg_byte_reader_close(in);
    return is;
}

static bool is_any_file(const format *f, const char *path)
{
    (void)f, (void)path;
    return true;
}

/* The last one takes every file that is left. */
static const format formats[] = {
    {".npy", NULL, is_npy, false, true, open_npy, npy_dropped_column, free_npy, sg_npy_save},
    {".arff", NULL, has_suffix, false, false, open_arff, table_dropped_column, free_table, sg_arff_save},
    {".dat", NULL, is_keel, false, false, open_arff, table_dropped_column, free_table, sg_keel_save},
    {".svm", ".libsvm", has_suffix, true, false, open_libsvm, table_dropped_column, free_table, sg_libsvm_save},
    {".csv", NULL, is_any_file, true, false, open_csv, table_dropped_column, free_table, sg_csv_save},
};

enum { FORMATS = sizeof formats / sizeof *formats, CSV = FORMATS - 1 };

/* --- opening --- */

static const format *detect_format(const char *path)
{
    const format *f = formats;
    while (!f->is(f, path)) f++;
    return f;
}

/* How many of the paths the next part takes. */
static size_t count_part_files(const open_args *a, const format *f)
{
    size_t n = 1;
    while (f->multi_file && n < a->paths_count && detect_format(a->paths[n]) == f) n++;
    return n;
}

static sg_status open_parts(open_args a, sg_dataset *d)
{
    enum { MIN_MEMORY = 1 << 16 }; /* bytes of rows before a file is worth it */
    sg_status st = SG_OK;
    while (st == SG_OK && a.paths_count) {
        part *p = &d->part[d->parts];
        open_args now = a;
        p->format = detect_format(*a.paths);
        now.paths_count = count_part_files(&a, p->format);
        now.options.memory_limit = *a.room > MIN_MEMORY ? *a.room : MIN_MEMORY;
        st = p->format->open(&now, p);
        if (st == SG_OK) d->parts++;
        a.paths += now.paths_count;
        a.paths_count -= now.paths_count;
    }
    return st;
}

static sg_status concat_parts(sg_dataset *d)
{
    if (d->parts == 1) return SG_OK;
    sg_source *all = sg_calloc(d->parts, sizeof *all);
    for (size_t i = 0; all && i < d->parts; i++) all[i] = d->part[i].source;
    sg_status st =
        all ? sg_concat_new(all, d->parts, &d->concat) : sg_fail(SG_ENOMEM, "out of memory for %zu files", d->parts);
    free(all);
    return st;
}

static sg_status open_local(const open_args *a, sg_dataset **out)
{
    sg_dataset *d = sg_calloc(1, sizeof *d);
    if (!d || !(d->part = sg_calloc(a->paths_count, sizeof *d->part))) {
        free(d);
        return sg_comm_agree_status(a->options.comm, sg_fail(SG_ENOMEM, "can't read %s: out of memory", *a->paths));
    }
    sg_status st = open_parts(*a, d);
    if (st == SG_OK) st = concat_parts(d);
    if (st != SG_OK) {
        sg_dataset_free(d);
        return st;
    }
    *out = d;
    return SG_OK;
}

static sg_source whole(const sg_dataset *d)
{
    return d->concat ? sg_concat_source(d->concat) : d->part->source;
} /* NOLINT(clang-analyzer-core.NullDereference) */

sg_source sg_dataset_source(const sg_dataset *d) { return d->shard ? sg_shard_source(d->shard) : whole(d); }

/* --- opening by a team --- */

static bool all_in_place(const open_args *a)
{
    for (size_t i = 0; i < a->paths_count; i++)
        if (!detect_format(a->paths[i])->in_place) return false;
    return true;
}

sg_status sg_dataset_from_table(sg_table *table, sg_dataset **out)
{
    sg_dataset *d = sg_calloc(1, sizeof *d);
    if (!d || !(d->part = sg_calloc(1, sizeof *d->part))) {
        free(d);
        sg_table_free(table);
        return sg_fail(SG_ENOMEM, "out of memory for a table");
    }
    *d->part = (part){.format = &formats[CSV], .rows = table, .source = sg_table_source(table)};
    d->parts = 1;
    *out = d;
    return SG_OK;
}

/* Member 0 read them; the others get theirs. */
static sg_status scatter_rows(const open_args *a, const sg_comm *t, sg_row_range *range, sg_dataset **d)
{
    sg_source all = *d ? whole(*d) : (sg_source){0};
    sg_table *mine = NULL;
    sg_status st = sg_shard_scatter(t, *d ? &all : NULL, *a->room, range, &mine);
    return sg_comm_agree_status(t, mine ? sg_dataset_from_table(mine, d) : st);
}

/* Everyone opened them. */
static sg_status check_shards(const sg_comm *t, bool local, const sg_dataset *d, sg_row_range *range)
{
    sg_source mine = whole(d);
    sg_source *files = sg_calloc(d->parts, sizeof *files);
    for (size_t i = 0; files && i < d->parts; i++) files[i] = d->part[i].source;
    sg_status st = sg_comm_agree_status(t, files ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu files", d->parts));
    if (st == SG_OK && !local) st = sg_shard_check_rows(t, files, d->parts);
    if (st == SG_OK) st = sg_shard_check_columns(t, &mine, !local);
    if (st == SG_OK && !local) st = sg_shard_check_values(t, files, d->parts);
    if (st == SG_OK && local) st = sg_row_range_from_local(t, mine.rows, range);
    else if (st == SG_OK) *range = sg_row_range_split(t, mine.rows);
    free(files);
    return st;
}

/* The rows of a share lie where they lie in the files that all see, or all that is here are its rows. */
static sg_status make_shard(const sg_row_range *s, char weighted, sg_dataset *d)
{
    sg_source rows = whole(d);
    rows.weight_column = weighted ? rows.names[0] : NULL;
    return sg_shard_new(s, &rows, rows.rows == s->total ? s->first_row : 0, &d->shard);
}

/* Members that read files of their own have codes of their own. */
static sg_status merge_levels(const sg_comm *t, sg_dataset *d)
{
    sg_source mine = whole(d);
    sg_level_union common;
    sg_status st = sg_shard_level_union(t, &mine, &common);
    if (st == SG_OK) sg_shard_set_levels(d->shard, &common);
    sg_level_union_release(&common);
    return st;
}

/* Where each reads CSV files of its own, their columns are judged as if all were one. */
static sg_status share_type_inference(const sg_comm *t, open_args *a)
{
    const format *csv = &formats[CSV];
    char mine = detect_format(*a->paths) == csv && count_part_files(a, csv) == a->paths_count;
    char *all = sg_calloc(t->ranks, 1);
    sg_status st = sg_comm_agree_status(t, all ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu ranks", t->ranks));
    if (st == SG_OK) st = sg_comm_allgather(t, &mine, 1, all);
    if (st == SG_OK && !memchr(all, 0, t->ranks))
        a->options.comm = t; /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    free(all);
    return st;
}

static sg_status open_sharded(open_args *a, const sg_comm *t, bool local, sg_dataset **out)
{
    sg_dataset *d = NULL;
    sg_row_range range;
    char each = local || all_in_place(a); /* opens the files; that of member 0 counts ... */
    char weighted = 0;                    /* ... and whether its rows have weights */
    sg_status st = sg_comm_bcast(t, 0, &each, sizeof each);
    if (st == SG_OK && local) st = share_type_inference(t, a);
    if (st != SG_OK) return st;
    if (each || t->rank == 0) st = open_local(a, &d);
    if (d) weighted = whole(d).weight_column != NULL;
    st = each ? sg_comm_agree_status(t, st) : sg_comm_agree_status_verbatim(t, st); /* member 0 reads for all */
    if (st == SG_OK) st = each ? check_shards(t, local, d, &range) : scatter_rows(a, t, &range, &d);
    if (st == SG_OK) st = sg_comm_bcast(t, 0, &weighted, sizeof weighted);
    if (st == SG_OK) st = sg_comm_agree_status(t, make_shard(&range, weighted, d));
    if (st == SG_OK && local) st = merge_levels(t, d);
    if (st == SG_OK) *out = d;
    else sg_dataset_free(d);
    return st;
}

static sg_status open_files(open_args *a, const sg_options *o, sg_dataset **out)
{
    bool local;
    const sg_comm *comm = sg_options_comm(o, &local);
    if (a->paths_count == 0) return sg_fail(SG_EINVAL, "no file to read");
    return comm ? open_sharded(a, comm, local, out) : open_local(a, out);
}

sg_status sg_dataset_open_typed(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                                const bool *words, size_t wanted_count, bool weights, sg_dataset **out)
{
    size_t room = sg_memory_for_rows(o);
    open_args a = {.paths = paths, .paths_count = count, .options = sg_read_options_from(o), .room = &room};
    a.options.wanted = wanted;
    a.options.wanted_categorical = words;
    a.options.wanted_count = wanted_count;
    a.options.read_weights = weights;
    return open_files(&a, o, out);
}

sg_status sg_dataset_open(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                          size_t wanted_count, sg_dataset **out)
{
    return sg_dataset_open_typed(paths, count, o, wanted, NULL, wanted_count, false, out);
}

sg_status sg_dataset_open_valid(const char *const *paths, size_t count, const sg_options *o, const sg_source *others,
                                sg_dataset **out)
{
    size_t room = sg_memory_for_valid(o, others);
    open_args a = {.paths = paths, .paths_count = count, .options = sg_read_options_from(o), .room = &room};
    a.options.wanted = others->names;
    a.options.wanted_count = others->columns;
    return open_files(&a, o, out);
}

const char *sg_dataset_dropped_column(const sg_dataset *d, size_t i)
{
    return d->part->format->dropped_column(d->part->rows, i);
}

void sg_dataset_free(sg_dataset *d)
{
    if (!d) return;
    sg_shard_free(d->shard);
    sg_concat_free(d->concat);
    for (size_t i = 0; i < d->parts; i++) d->part[i].format->free(d->part[i].rows);
    free(d->part);
    free(d);
}

/* --- saving --- */

static sg_status unknown_suffix(const char *path)
{
    sg_text known = {0};
    for (size_t i = 0; i < FORMATS; i++) sg_text_append_format(&known, "%s%s", i ? ", " : "", formats[i].suffix);
    sg_status st = sg_fail(SG_EINVAL, "%s: unknown kind of data file; expected a name that ends in one of %s", path,
                           known.failed ? "those known" : known.bytes);
    sg_text_release(&known);
    return st;
}

static const format *format_by_suffix(const char *path)
{
    if (strcmp(path, "-") == 0) return &formats[CSV];
    for (size_t i = 0; i < FORMATS; i++)
        if (ends_with(path, strlen(path), formats[i].suffix) ||
            (formats[i].other && ends_with(path, strlen(path), formats[i].other)))
            return &formats[i];
    return NULL;
}

sg_status sg_source_can_save(const char *path) { return format_by_suffix(path) ? SG_OK : unknown_suffix(path); }

sg_status sg_source_save(const sg_source *rows, const char *path)
{
    const format *f = format_by_suffix(path);
    return f ? f->save(rows, path) : unknown_suffix(path);
}
