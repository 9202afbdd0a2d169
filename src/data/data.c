/* data.c: data by its path, whatever the format: a row of the table each. */
#include "data/data.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/status.h"
#include "base/team.h"
#include "base/text.h"
#include "data/arff.h"
#include "data/cache.h"
#include "data/csv.h"
#include "data/csv_layout.h"
#include "data/csv_write.h"
#include "data/dealt.h"
#include "data/joined.h"
#include "data/libsvm.h"
#include "data/memory_share.h"
#include "data/npy.h"
#include "data/npy_header.h"
#include "data/table.h"
#include "data/team_levels.h"
#include "data/team_view.h"

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
    sg_member *member; /* NULL: all rows are here */
};

typedef struct asked {
    const char *const *paths;
    size_t paths_count;
    size_t *room;      /* bytes of memory that are left for rows */
    const char *cache; /* a path; NULL or "": none */
    sg_csv_how how;
} asked;

/* --- the formats --- */

typedef struct format {
    const char *suffix, *other; /* ends of names; other may be NULL */
    bool (*is)(const struct format *f, const char *path);
    bool several;  /* it reads files that continue each other as one */
    bool in_place; /* rows are read when they are asked for */
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
    *a->room -= sg_npy_keep(npy, *a->room);
    d->rows = npy;
    d->source = sg_npy_source(npy);
    return SG_OK;
}

static const char *npy_left_out(const void *rows, size_t i) { return sg_npy_left_out(rows, i); }
static void free_npy(void *rows) { sg_npy_free(rows); }

static void hold_table(const asked *a, part *d, sg_table *table)
{
    size_t bytes = sg_table_bytes(table);
    *a->room = bytes < *a->room ? *a->room - bytes : 0;
    d->rows = table;
    d->source = sg_table_source(table);
}

static sg_status open_csv(const asked *a, part *d)
{
    sg_table *table;
    sg_status st = sg_csv_paths(a->paths, a->paths_count, &a->how, &table);
    if (st == SG_OK) hold_table(a, d, table);
    return st;
}

static sg_status open_arff(const asked *a, part *d)
{
    sg_table *table;
    sg_status st = sg_arff_path(a->paths[0], &a->how, &table);
    if (st == SG_OK) hold_table(a, d, table);
    return st;
}

static sg_status open_libsvm(const asked *a, part *d)
{
    sg_table *table;
    sg_status st = sg_libsvm_paths(a->paths, a->paths_count, &a->how, &table);
    if (st == SG_OK) hold_table(a, d, table);
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
    {".npy", NULL, is_npy, false, true, open_npy, npy_left_out, free_npy, sg_npy_save},
    {".arff", NULL, is_called, false, false, open_arff, table_left_out, free_table, sg_arff_save},
    {".dat", NULL, is_keel, false, false, open_arff, table_left_out, free_table, sg_keel_save},
    {".svm", ".libsvm", is_called, true, false, open_libsvm, table_left_out, free_table, sg_libsvm_save},
    {".csv", NULL, is_left, true, false, open_csv, table_left_out, free_table, sg_csv_save},
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

/* --- a cache --- */

typedef struct recorder {
    const sg_options *listener;
    sg_text lines; /* as the cache has them */
} recorder;

static void record(void *arg, const char *sentence)
{
    recorder *r = arg;
    sg_cache_notice(&r->lines, sentence);
    sg_notice(r->listener, "%s", sentence);
}

/* Reads the files, and keeps the rows; what was said meanwhile is said again when they are found there. */
static sg_status fill_cache(const asked *a, const char *key, part *p)
{
    recorder heard = {.listener = a->how.notify};
    asked now = *a;
    sg_options *o;
    sg_status st = sg_team_agree(a->how.team, sg_options_clone(a->how.notify, &o));
    if (st != SG_OK) return st;
    sg_options_on_notice(o, record, &heard);
    now.how.notify = o;
    now.how.beside = a->cache;
    sg_text_add(&heard.lines, "");
    st = p->format->open(&now, p);
    if (st == SG_OK) {
        st = heard.lines.failed ? sg_fail(SG_ENOMEM, "out of memory for a cache")
                                : sg_cache_keep(p->rows, a->cache, key, heard.lines.bytes);
        if (st != SG_OK) p->format->free(p->rows);
    }
    sg_text_release(&heard.lines);
    sg_options_free(o);
    return st;
}

static sg_status open_cached(const asked *a, part *p)
{
    sg_text key = {0};
    sg_table *found = NULL;
    sg_status st = sg_team_agree(a->how.team, sg_cache_key(a->paths, a->paths_count, &a->how, &key));
    if (st == SG_OK && a->how.team) st = sg_cache_key_of_team(a->how.team, &key);
    if (st == SG_OK) st = sg_cache_load(a->cache, key.bytes, *a->paths, &a->how, &found);
    if (st == SG_OK && found) hold_table(a, p, found);
    else if (st == SG_OK) st = fill_cache(a, key.bytes, p);
    sg_text_release(&key);
    return st;
}

/* What is read in place needs none; what is several parts has no one file to be kept in. */
static sg_status open_part(const asked *a, bool only, part *p)
{
    if (!a->cache || !*a->cache) return p->format->open(a, p);
    if (!only)
        return sg_fail(SG_EINVAL, "--cache: expected one file, or several CSV files: convert them to .npy first");
    if (p->format->open != open_npy) return open_cached(a, p);
    sg_notice(a->how.notify, "--cache does nothing for %s, which is read in place", *a->paths);
    return p->format->open(a, p);
}

static sg_status open_parts(asked a, sg_data *d)
{
    enum { LEAST = 1 << 16 }; /* bytes of rows before a file is worth it */
    sg_status st = SG_OK;
    while (st == SG_OK && a.paths_count) {
        part *p = &d->part[d->parts];
        asked now = a;
        p->format = format_of(*a.paths);
        now.paths_count = files_of_part(&a, p->format);
        now.how.memory = *a.room > LEAST ? *a.room : LEAST;
        st = open_part(&now, now.paths_count == a.paths_count && d->parts == 0, p);
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
    sg_status st =
        all ? sg_joined_new(all, d->parts, &d->joined) : sg_fail(SG_ENOMEM, "out of memory for %zu files", d->parts);
    free(all);
    return st;
}

static sg_status open_here(const asked *a, sg_data **out)
{
    sg_data *d = sg_alloc(1, sizeof *d);
    if (!d || !(d->part = sg_alloc(a->paths_count, sizeof *d->part))) {
        free(d);
        return sg_team_agree(a->how.team, sg_fail(SG_ENOMEM, "can't read %s: out of memory", *a->paths));
    }
    sg_status st = open_parts(*a, d);
    if (st == SG_OK) st = join(d);
    if (st != SG_OK) {
        sg_data_free(d);
        return st;
    }
    *out = d;
    return SG_OK;
}

static sg_source whole(const sg_data *d)
{
    return d->joined ? sg_joined_source(d->joined) : d->part->source;
} /* NOLINT(clang-analyzer-core.NullDereference) */

sg_source sg_data_source(const sg_data *d) { return d->member ? sg_member_source(d->member) : whole(d); }

/* --- opening by a team --- */

static bool all_in_place(const asked *a)
{
    for (size_t i = 0; i < a->paths_count; i++)
        if (!format_of(a->paths[i])->in_place) return false;
    return true;
}

sg_status sg_data_of_table(sg_table *table, sg_data **out)
{
    sg_data *d = sg_alloc(1, sizeof *d);
    if (!d || !(d->part = sg_alloc(1, sizeof *d->part))) {
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
static sg_status deal(const asked *a, const sg_team *t, sg_share *share, sg_data **d)
{
    sg_source all = *d ? whole(*d) : (sg_source){0};
    sg_table *mine = NULL;
    sg_status st = sg_dealt(t, *d ? &all : NULL, *a->room, share, &mine);
    return sg_team_agree(t, mine ? sg_data_of_table(mine, d) : st);
}

/* Everyone opened them. */
static sg_status compare(const sg_team *t, bool local, const sg_data *d, sg_share *share)
{
    sg_source mine = whole(d);
    sg_source *files = sg_alloc(d->parts, sizeof *files);
    for (size_t i = 0; files && i < d->parts; i++) files[i] = d->part[i].source;
    sg_status st = sg_team_agree(t, files ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu files", d->parts));
    if (st == SG_OK && !local) st = sg_team_same_rows(t, files, d->parts);
    if (st == SG_OK) st = sg_team_same_columns(t, &mine, !local);
    if (st == SG_OK && !local) st = sg_team_same_values(t, files, d->parts);
    if (st == SG_OK && local) st = sg_share_own(t, mine.rows, share);
    else if (st == SG_OK) *share = sg_share_out(t, mine.rows);
    free(files);
    return st;
}

/* The rows of a share lie where they lie in the files that all see, or all that is here are its rows. */
static sg_status become_member(const sg_share *s, char weighted, sg_data *d)
{
    sg_source rows = whole(d);
    rows.weights = weighted ? rows.names[0] : NULL;
    return sg_member_new(s, &rows, rows.rows == s->rows ? s->first : 0, &d->member);
}

/* Members that read files of their own have codes of their own. */
static sg_status unite_levels(const sg_team *t, sg_data *d)
{
    sg_source mine = whole(d);
    sg_common_levels common;
    sg_status st = sg_team_levels_find(t, &mine, &common);
    if (st == SG_OK) sg_member_code(d->member, &common);
    sg_common_levels_release(&common);
    return st;
}

/* Where each reads CSV files of its own, their columns are judged as if all were one. */
static sg_status judge_together(const sg_team *t, asked *a)
{
    const format *csv = &formats[CSV];
    char mine = format_of(*a->paths) == csv && files_of_part(a, csv) == a->paths_count;
    char *all = sg_alloc(t->ranks, 1);
    sg_status st = sg_team_agree(t, all ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu ranks", t->ranks));
    if (st == SG_OK) st = sg_team_all(t, &mine, 1, all);
    if (st == SG_OK && !memchr(all, 0, t->ranks)) a->how.team = t; /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    free(all);
    return st;
}

static sg_status open_together(asked *a, const sg_team *t, bool local, sg_data **out)
{
    sg_data *d = NULL;
    sg_share share;
    char each = local || all_in_place(a); /* opens the files; that of member 0 counts ... */
    char weighted = 0;                    /* ... and whether its rows have weights */
    sg_status st = sg_team_share(t, 0, &each, sizeof each);
    if (st == SG_OK && local) st = judge_together(t, a);
    if (st != SG_OK) return st;
    if (each || t->rank == 0) st = open_here(a, &d);
    if (d) weighted = whole(d).weights != NULL;
    st = each ? sg_team_agree(t, st) : sg_team_agree_said(t, st); /* member 0 reads for all */
    if (st == SG_OK) st = each ? compare(t, local, d, &share) : deal(a, t, &share, &d);
    if (st == SG_OK) st = sg_team_share(t, 0, &weighted, sizeof weighted);
    if (st == SG_OK) st = sg_team_agree(t, become_member(&share, weighted, d));
    if (st == SG_OK && local) st = unite_levels(t, d);
    if (st == SG_OK) *out = d;
    else sg_data_free(d);
    return st;
}

static sg_status open_asked(asked *a, const sg_options *o, sg_data **out)
{
    bool local;
    const sg_team *team = sg_options_readers(o, &local);
    if (a->paths_count == 0) return sg_fail(SG_EINVAL, "no file to read");
    return team ? open_together(a, team, local, out) : open_here(a, out);
}

sg_status sg_data_open_kinds(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                             const bool *words, size_t wanted_count, bool weights, sg_data **out)
{
    size_t room = sg_memory_for_rows(o);
    asked a = {.paths = paths,
               .paths_count = count,
               .how = sg_csv_how_by(o),
               .cache = o ? sg_options_get(o, "cache") : NULL,
               .room = &room};
    a.how.wanted = wanted;
    a.how.words = words;
    a.how.wanted_count = wanted_count;
    a.how.weights = weights;
    return open_asked(&a, o, out);
}

sg_status sg_data_open(const char *const *paths, size_t count, const sg_options *o, const char *const *wanted,
                       size_t wanted_count, sg_data **out)
{
    return sg_data_open_kinds(paths, count, o, wanted, NULL, wanted_count, false, out);
}

sg_status sg_data_open_beside(const char *const *paths, size_t count, const sg_options *o, const sg_source *others,
                              sg_data **out)
{
    size_t room = sg_memory_beside(o, others);
    asked a = {.paths = paths, .paths_count = count, .how = sg_csv_how_by(o), .room = &room};
    a.how.wanted = others->names;
    a.how.wanted_count = others->columns;
    return open_asked(&a, o, out);
}

const char *sg_data_left_out(const sg_data *d, size_t i) { return d->part->format->left_out(d->part->rows, i); }

void sg_data_free(sg_data *d)
{
    if (!d) return;
    sg_member_free(d->member);
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
    sg_status st = sg_fail(SG_EINVAL, "%s: unknown kind of data file; expected a name that ends in one of %s", path,
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

sg_status sg_data_can_save(const char *path) { return format_for(path) ? SG_OK : unknown_suffix(path); }

sg_status sg_data_save(const sg_source *rows, const char *path)
{
    const format *f = format_for(path);
    return f ? f->save(rows, path) : unknown_suffix(path);
}
