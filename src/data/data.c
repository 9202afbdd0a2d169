/* data.c: data by its path, whatever the format: a row of the table each. */
#include "data/data.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "data/arff.h"
#include "data/csv.h"
#include "data/csv_layout.h"
#include "data/csv_write.h"
#include "data/joined.h"
#include "data/libsvm.h"
#include "data/npy.h"
#include "data/npy_header.h"

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

struct sg_data {
    part *part;
    size_t parts;
    sg_joined *joined; /* NULL: there is one part */
};

typedef struct asked {
    const char *const *paths;
    size_t paths_count;
    sg_csv_how how;
} asked;

/* --- the formats --- */

typedef struct format {
    const char *suffix, *other; /* ends of names; other may be NULL */
    bool (*is)(const struct format *f, const char *path);
    bool several; /* it reads files that continue each other as one */
    sg_status (*open)(const asked *a, part *d);
    const char *(*left_out)(const void *rows, size_t i);
    void (*free)(void *rows);
    sg_status (*save)(const sg_source *rows, const char *path);
} format;

static sg_status open_npy(const asked *a, part *d)
{
    sg_npy *npy;
    sg_status st = sg_npy_open(a->paths[0], &a->how, &npy);
    if (st != SG_OK) return st;
    d->rows = npy;
    d->source = sg_npy_source(npy);
    return SG_OK;
}

static const char *npy_left_out(const void *rows, size_t i) { return sg_npy_left_out(rows, i); }
static void free_npy(void *rows) { sg_npy_free(rows); }

static void hold_table(part *d, sg_table *table)
{
    d->rows = table;
    d->source = sg_table_source(table);
}

static sg_status open_csv(const asked *a, part *d)
{
    sg_table *table;
    sg_status st = sg_csv_paths(a->paths, a->paths_count, &a->how, &table);
    if (st == SG_OK) hold_table(d, table);
    return st;
}

static sg_status open_arff(const asked *a, part *d)
{
    sg_table *table;
    sg_status st = sg_arff_path(a->paths[0], &a->how, &table);
    if (st == SG_OK) hold_table(d, table);
    return st;
}

static sg_status open_libsvm(const asked *a, part *d)
{
    sg_table *table;
    sg_status st = sg_libsvm_paths(a->paths, a->paths_count, &a->how, &table);
    if (st == SG_OK) hold_table(d, table);
    return st;
}

static const char *table_left_out(const void *rows, size_t i) { return sg_table_left_out(rows, i); }
static void free_table(void *rows) { sg_table_free(rows); }

/* --- which it is --- */

static bool ends_with(const char *path, size_t n, const char *suffix)
{
    size_t m = strlen(suffix);
    return n > m && strncasecmp(path + n - m, suffix, m) == 0;
}

/* Its name, or its name before .gz. */
static bool is_called(const format *f, const char *path)
{
    size_t n = strlen(path);
    if (ends_with(path, n, ".gz")) n -= 3;
    return ends_with(path, n, f->suffix) || (f->other && ends_with(path, n, f->other));
}

/* Only a plain file can be looked into and read again. */
static bool is_plain(const char *path)
{
    struct stat is;
    return strcmp(path, "-") != 0 && stat(path, &is) == 0 && S_ISREG(is.st_mode);
}

/* What can't be opened is left to whoever reads it. */
static bool is_npy(const format *f, const char *path)
{
    (void)f;
    char head[SG_NPY_MAGIC_SIZE];
    int fd = is_plain(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd < 0 ? 0 : pread(fd, head, sizeof head, 0);
    if (fd >= 0) close(fd);
    return n == sizeof head && memcmp(head, SG_NPY_MAGIC, sizeof head) == 0;
}

/* Many files are called .dat: one for KEEL begins with @relation, or a comment. */
static bool is_keel(const format *f, const char *path)
{
    sg_input *in;
    const char *head = "";
    size_t n = 0;
    bool whole;
    if (!is_called(f, path) || !is_plain(path) || sg_input_open(path, &in) != SG_OK) return false;
    bool is = sg_csv_encoding(in) == SG_OK && sg_input_head(in, &head, &n, &whole) == SG_OK;
    while (is && n && strchr(" \t\r\n", *head)) head++, n--;
    is = is && n && (*head == '@' || *head == '%');
    sg_input_close(in);
    return is;
}

static bool is_left(const format *f, const char *path)
{
    (void)f, (void)path;
    return true;
}

/* The last one takes every file that is left. */
static const format formats[] = {
    {".npy",  NULL,      is_npy,    false, open_npy,    npy_left_out,   free_npy,   sg_npy_save},
    {".arff", NULL,      is_called, false, open_arff,   table_left_out, free_table, sg_arff_save},
    {".dat",  NULL,      is_keel,   false, open_arff,   table_left_out, free_table, sg_keel_save},
    {".svm",  ".libsvm", is_called, true,  open_libsvm, table_left_out, free_table, sg_libsvm_save},
    {".csv",  NULL,      is_left,   true,  open_csv,    table_left_out, free_table, sg_csv_save},
};

enum { FORMATS = sizeof formats / sizeof *formats, CSV = FORMATS - 1 };

/* --- opening --- */

static const format *format_of(const char *path)
{
    const format *f = formats;
    while (!f->is(f, path)) f++;
    return f;
}

/* How many of the paths the next part takes. */
static size_t files_of_part(const asked *a, const format *f)
{
    size_t n = 1;
    while (f->several && n < a->paths_count && format_of(a->paths[n]) == f) n++;
    return n;
}

static sg_status open_parts(asked a, sg_data *d)
{
    sg_status st = SG_OK;
    while (st == SG_OK && a.paths_count) {
        part *p = &d->part[d->parts];
        asked now = a;
        p->format = format_of(*a.paths);
        now.paths_count = files_of_part(&a, p->format);
        st = p->format->open(&now, p);
        if (st == SG_OK) d->parts++;
        a.paths += now.paths_count;
        a.paths_count -= now.paths_count;
    }
    return st;
}

static sg_status join(sg_data *d)
{
    if (d->parts == 1) return SG_OK;
    sg_source *all = sg_alloc(d->parts, sizeof *all);
    for (size_t i = 0; all && i < d->parts; i++) all[i] = d->part[i].source;
    sg_status st = all ? sg_joined_new(all, d->parts, &d->joined) : sg_fail(SG_ENOMEM, "out of memory for %zu files", d->parts);
    free(all);
    return st;
}

sg_status sg_data_open_kinds(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                             const bool *words, size_t wanted_count, sg_data **out)
{
    asked a = {.paths = paths, .paths_count = count, .how = sg_csv_how_by(o)};
    a.how.wanted = wanted;
    a.how.words = words;
    a.how.wanted_count = wanted_count;
    if (count == 0) return sg_fail(SG_EINVAL, "no file to read");
    sg_data *d = sg_alloc(1, sizeof *d);
    if (!d || !(d->part = sg_alloc(count, sizeof *d->part))) {
        free(d);
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory", *paths);
    }
    sg_status st = open_parts(a, d);
    if (st == SG_OK) st = join(d);
    if (st != SG_OK) {
        sg_data_free(d);
        return st;
    }
    *out = d;
    return SG_OK;
}

sg_status sg_data_open(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                       size_t wanted_count, sg_data **out)
{
    return sg_data_open_kinds(paths, count, o, wanted, NULL, wanted_count, out);
}

sg_source sg_data_source(const sg_data *d) { return d->joined ? sg_joined_source(d->joined) : d->part->source; }

const char *sg_data_left_out(const sg_data *d, size_t i) { return d->part->format->left_out(d->part->rows, i); }

void sg_data_free(sg_data *d)
{
    if (!d) return;
    sg_joined_free(d->joined);
    for (size_t i = 0; i < d->parts; i++) d->part[i].format->free(d->part[i].rows);
    free(d->part);
    free(d);
}

/* --- saving --- */

static sg_status unknown_suffix(const char *path)
{
    sg_text known = {0};
    for (size_t i = 0; i < FORMATS; i++) sg_text_format(&known, "%s%s", i ? ", " : "", formats[i].suffix);
    sg_status st = sg_fail(SG_EINVAL,
                           "%s: unknown kind of data file; expected a name that ends in one of %s", path,
                           known.failed ? "those known" : known.bytes);
    sg_text_release(&known);
    return st;
}

static const format *format_for(const char *path)
{
    if (strcmp(path, "-") == 0) return &formats[CSV];
    for (size_t i = 0; i < FORMATS; i++)
        if (ends_with(path, strlen(path), formats[i].suffix) ||
            (formats[i].other && ends_with(path, strlen(path), formats[i].other)))
            return &formats[i];
    return NULL;
}

sg_status sg_data_can_save(const char *path)
{
    return format_for(path) ? SG_OK : unknown_suffix(path);
}

sg_status sg_data_save(const sg_source *rows, const char *path)
{
    const format *f = format_for(path);
    return f ? f->save(rows, path) : unknown_suffix(path);
}
