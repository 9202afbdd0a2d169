/* dataset_open.c: opens data files of any format as one dataset. */
#include "data/dataset_open.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/format/arff/arff.h"
#include "data/format/csv/csv.h"
#include "data/format/csv/csv_sniff.h"
#include "data/format/libsvm/libsvm_read.h"
#include "data/format/npy/npy_header.h"
#include "data/memory_shares.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- formats --- */

typedef struct format {
    const char *suffix, *other_suffix; /* other_suffix may be NULL */
    bool (*detect)(const struct format *f, const char *path);
    bool multi_file; /* consecutive files are read as one table */
    /* Reads the files into a table. NULL for .npy files, which are read in place. */
    sg_status (*read)(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out);
} format;

static bool ends_with(const char *path, size_t n, const char *suffix)
{
    size_t m = strlen(suffix);
    return n > m && strncasecmp(path + n - m, suffix, m) == 0;
}

/* Returns whether the path has a suffix of the format, which may be followed by .gz. */
static bool has_suffix(const format *f, const char *path)
{
    size_t n = strlen(path);
    if (ends_with(path, n, ".gz")) n -= 3;
    return ends_with(path, n, f->suffix) || (f->other_suffix && ends_with(path, n, f->other_suffix));
}

/* Returns whether the path is a regular file: only regular files can be examined and then read again from the start. */
static bool is_regular_file(const char *path)
{
    struct stat is;
    return strcmp(path, "-") != 0 && stat(path, &is) == 0 && S_ISREG(is.st_mode);
}

/* Returns false for files that cannot be opened; the reader will report the error. */
static bool is_npy(const format *f, const char *path)
{
    (void)f;
    char head[SG_NPY_MAGIC_SIZE];
    int fd = is_regular_file(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd < 0 ? 0 : pread(fd, head, sizeof head, 0);
    if (fd >= 0) close(fd);
    return n == sizeof head && memcmp(head, SG_NPY_MAGIC, sizeof head) == 0;
}

/* Many kinds of files have the suffix .dat. KEEL files start with @relation or a comment. */
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

/* The format of a file is the first in this table whose detect function accepts it. */
static const format formats[] = {
    {".npy", NULL, is_npy, false, NULL},
    {".arff", NULL, has_suffix, false, sg_arff_read_files},
    {".dat", NULL, is_keel, false, sg_arff_read_files},
    {".svm", ".libsvm", has_suffix, true, sg_libsvm_read_files},
    {".csv", NULL, is_any_file, true, sg_csv_read_files},
};

static const format *detect_format(const char *path)
{
    const format *f = formats;
    while (!f->detect(f, path)) f++;
    return f;
}

/* Returns how many files at the start of the list are read together as one part. */
static size_t count_part_files(const sg_dataset_files *files, const format *f)
{
    size_t n = 1;
    while (f->multi_file && n < files->count && detect_format(files->paths[n]) == f) n++;
    return n;
}

bool sg_dataset_files_are_csv(const sg_dataset_files *files)
{
    const format *f = detect_format(*files->paths);
    return f->read == sg_csv_read_files && count_part_files(files, f) == files->count;
}

bool sg_dataset_files_are_in_place(const sg_dataset_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (detect_format(files->paths[i])->read) return false;
    return true;
}

/* --- opening --- */

/* Opens the files of one part and subtracts their resident bytes from *memory. */
static sg_status open_part(const sg_dataset_files *files, const format *f, size_t *memory, sg_dataset_part *p)
{
    enum { MIN_MEMORY = 1 << 16 }; /* a smaller limit is not worth a temporary file */
    sg_read_options options = files->options;
    options.memory_limit = *memory > MIN_MEMORY ? *memory : MIN_MEMORY;
    sg_status st = f->read ? f->read(files->paths, files->count, &options, &p->table)
                           : sg_npy_open(*files->paths, &options, &p->npy);
    if (st != SG_OK) return st;
    if (p->npy) sg_npy_allow_load(p->npy, *memory);
    p->source = p->npy ? sg_npy_source(p->npy) : sg_table_source(p->table);
    *memory = sg_memory_remaining(*memory, p->source.resident_bytes);
    return SG_OK;
}

static sg_status open_parts(sg_dataset_files files, sg_dataset *d)
{
    sg_status st = SG_OK;
    size_t memory = files.memory;
    while (st == SG_OK && files.count) {
        const format *f = detect_format(*files.paths);
        sg_dataset_files part = files;
        part.count = count_part_files(&files, f);
        st = open_part(&part, f, &memory, &d->part[d->parts]);
        if (st == SG_OK) d->parts++;
        files.paths += part.count;
        files.count -= part.count;
    }
    return st;
}

static sg_status concat_parts(sg_dataset *d)
{
    if (d->parts == 1) return SG_OK;
    sg_source *all = sg_calloc(d->parts, sizeof *all);
    for (size_t i = 0; all && i < d->parts; i++) all[i] = d->part[i].source;
    sg_status st = all ? sg_concat_new(all, d->parts, &d->concat)
                       : sg_fail(SG_ENOMEM, "out of memory while opening %zu files", d->parts);
    free(all);
    return st;
}

static sg_dataset *new_dataset(size_t max_parts)
{
    sg_dataset *d = sg_calloc(1, sizeof *d);
    if (d && (d->part = sg_calloc(max_parts, sizeof *d->part))) return d;
    free(d);
    return NULL;
}

sg_status sg_dataset_open_local(const sg_dataset_files *files, sg_dataset **out)
{
    sg_dataset *d = new_dataset(files->count);
    if (!d) return sg_comm_agree_status(files->options.comm, sg_fail_read_memory(*files->paths));
    sg_status st = open_parts(*files, d);
    if (st == SG_OK) st = concat_parts(d);
    if (st == SG_OK) *out = d;
    else sg_dataset_free(d);
    return st;
}

sg_status sg_dataset_from_table(sg_table *table, sg_dataset **out)
{
    sg_dataset *d = new_dataset(1);
    if (!d) {
        sg_table_free(table);
        return sg_fail_out_of_memory("a table");
    }
    *d->part = (sg_dataset_part){.table = table, .source = sg_table_source(table)};
    d->parts = 1;
    *out = d;
    return SG_OK;
}

static sg_status open_files(const sg_dataset_files *files, const sg_options *o, sg_dataset **out)
{
    bool local;
    const sg_comm *comm = sg_options_comm(o, &local);
    if (files->count == 0) return sg_fail(SG_EINVAL, "no data file was given; expected at least one");
    return comm ? sg_shard_open_dataset(comm, local, files, out) : sg_dataset_open_local(files, out);
}

sg_status sg_dataset_open_typed(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                                const bool *categorical, size_t wanted_count, bool weights, sg_dataset **out)
{
    sg_dataset_files files = {
        .paths = paths, .count = count, .options = sg_read_options_from(o), .memory = sg_memory_for_rows(o)};
    files.options.wanted = wanted;
    files.options.wanted_categorical = categorical;
    files.options.wanted_count = wanted_count;
    files.options.read_weights = weights;
    return open_files(&files, o, out);
}

sg_status sg_dataset_open(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                          size_t wanted_count, sg_dataset **out)
{
    return sg_dataset_open_typed(paths, count, o, wanted, NULL, wanted_count, false, out);
}

sg_status sg_dataset_open_valid(const char *const *paths, size_t count, const sg_options *o, const sg_source *others,
                                sg_dataset **out)
{
    sg_dataset_files files = {
        .paths = paths, .count = count, .options = sg_read_options_from(o), .memory = sg_memory_for_valid(o, others)};
    files.options.wanted = others->names;
    files.options.wanted_count = others->columns;
    return open_files(&files, o, out);
}

/* --- use --- */

sg_source sg_dataset_local_source(const sg_dataset *d)
{
    return d->concat ? sg_concat_source(d->concat) : d->part->source;
} /* NOLINT(clang-analyzer-core.NullDereference) */

sg_source sg_dataset_source(const sg_dataset *d)
{
    return d->shard ? sg_shard_source(d->shard) : sg_dataset_local_source(d);
}

const char *sg_dataset_dropped_column(const sg_dataset *d, size_t i)
{
    return d->part->npy ? sg_npy_dropped_column(d->part->npy, i) : sg_table_dropped_column(d->part->table, i);
}

void sg_dataset_free(sg_dataset *d)
{
    if (!d) return;
    sg_shard_free(d->shard);
    sg_concat_free(d->concat);
    for (size_t i = 0; i < d->parts; i++) {
        sg_table_free(d->part[i].table);
        sg_npy_free(d->part[i].npy);
    }
    free(d->part);
    free(d);
}
