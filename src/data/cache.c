/* cache.c: see cache.h. */
#include "data/cache.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const char last_line[] = "sugeno cache %016zx %08lx\n";
enum { LAST = 13 + 16 + 1 + 8 + 1 };

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for a cache"); }

/* --- the key --- */

/* A line: the text may hold anything. */
static void put_line(sg_text *t, const char *name, const char *text)
{
    sg_text_format(t, "%s ", name);
    for (; text && *text; text++) {
        if (*text == '\n' || *text == '\\') sg_text_add(t, *text == '\n' ? "\\n" : "\\\\");
        else sg_text_bytes(t, text, 1);
    }
    sg_text_add(t, "\n");
}

void sg_cache_notice(sg_text *notices, const char *sentence) { put_line(notices, "notice", sentence); }

/* What put_line made of a text, in place. */
static void restore(char *text)
{
    char *to = text;
    for (; *text; text++) {
        if (*text == '\\' && text[1]) *to++ = *++text == 'n' ? '\n' : *text;
        else *to++ = *text;
    }
    *to = '\0';
}

static sg_status put_file(sg_text *key, const char *path)
{
    struct stat is;
    char *real = NULL;
    if (strcmp(path, "-") == 0 || (stat(path, &is) == 0 && !S_ISREG(is.st_mode)))
        return sg_fail(SG_EINVAL, "--cache: %s can't be looked at again; expected a file", path);
    if (stat(path, &is) != 0 || !(real = realpath(path, NULL)))
        return sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno));
    put_line(key, "file", real);
    sg_text_format(key, "size %lld changed %lld.%09ld\n", (long long)is.st_size, (long long)is.st_mtim.tv_sec,
                   is.st_mtim.tv_nsec);
    free(real);
    return SG_OK;
}

sg_status sg_cache_key(const char *const *paths, size_t count, const sg_csv_how *how, sg_text *key)
{
    sg_status st = SG_OK;
    sg_text_format(key, "version %s\nheader %d delimiter %d\n", SG_VERSION, (int)how->header, how->delimiter);
    put_line(key, "missing", how->missing);
    put_line(key, "ignore", how->ignore);
    put_line(key, "categorical", how->categorical);
    put_line(key, "numeric", how->numeric);
    put_line(key, "group", how->group);
    if (how->weights) sg_text_add(key, "weights\n");
    for (size_t i = 0; how->wanted && i < how->wanted_count; i++)
        put_line(key, !how->words ? "wanted" : how->words[i] ? "words" : "numbers", how->wanted[i]);
    for (size_t i = 0; st == SG_OK && i < count; i++) st = put_file(key, paths[i]);
    return st == SG_OK && key->failed ? no_memory() : st;
}

sg_status sg_cache_key_of_team(const sg_team *t, sg_text *key)
{
    uint32_t mine = (uint32_t)crc32_z(crc32_z(0, NULL, 0), (const unsigned char *)key->bytes, key->length);
    uint32_t *all = sg_alloc(t->ranks, sizeof *all);
    sg_status st = sg_team_agree(t, all ? SG_OK : no_memory());
    if (st == SG_OK) st = sg_team_all(t, &mine, sizeof mine, all);
    sg_text_format(key, "rank %zu of those that read", t->rank);
    for (size_t i = 0; st == SG_OK && i < t->ranks; i++)
        sg_text_format(key, " %08lx", (unsigned long)all[i]); /* NOLINT(clang-analyzer-core.NullDereference) */
    sg_text_add(key, "\n");
    free(all);
    return sg_team_agree(t, st == SG_OK && key->failed ? no_memory() : st);
}

/* --- what stands behind the rows --- */

static sg_status sum_bytes(const sg_bytes *b, size_t from, size_t to, unsigned long *sum)
{
    enum { BLOCK = 1 << 18 };
    unsigned char *block = sg_alloc(BLOCK, 1);
    sg_status st = block ? SG_OK : no_memory();
    *sum = crc32_z(0, NULL, 0);
    for (size_t n; st == SG_OK && from < to; from += n) {
        n = to - from < BLOCK ? to - from : BLOCK;
        st = sg_bytes_read(b, from, block, n);
        if (st == SG_OK) *sum = crc32_z(*sum, block, n);
    }
    free(block);
    return st;
}

/* Names and words have no line ends: readers make blanks of them. */
static void describe(const sg_table *t, const char *key, const char *notices, unsigned long sum, sg_text *out)
{
    sg_source s = sg_table_source(t);
    const char *text;
    sg_text_format(out, "key %zu\n%s", strlen(key), key);
    for (size_t i = 0; (text = sg_table_left_out(t, i)); i++) sg_text_format(out, "left %s\n", text);
    for (size_t k = 0; s.level && k < s.columns; k++)
        for (size_t i = 0; (text = s.level(s.self, k, i)); i++) sg_text_format(out, "word %zu %s\n", k, text);
    if (s.weights) sg_text_add(out, "weighted\n");
    sg_text_add(out, notices);
    sg_text_format(out, "rows %08lx\n", sum);
}

sg_status sg_cache_keep(sg_table *t, const char *path, const char *key, const char *notices)
{
    sg_text tail = {0};
    unsigned long sum;
    sg_bytes *bytes = sg_npy_bytes(sg_table_file(t));
    sg_status st = sum_bytes(bytes, 0, sg_bytes_size(bytes), &sum);
    if (st == SG_OK) describe(t, key, notices, sum, &tail);
    size_t length = tail.length;
    sum = tail.failed ? 0 : crc32_z(crc32_z(0, NULL, 0), (const unsigned char *)tail.bytes, length);
    sg_text_format(&tail, last_line, length, sum);
    if (st == SG_OK && tail.failed) st = no_memory();
    if (st == SG_OK) st = sg_bytes_keep(bytes, path, tail.bytes, tail.length);
    sg_text_release(&tail);
    return st;
}

/* --- reading it --- */

typedef struct cached {
    const char *path, *origin;
    const sg_csv_how *how;
    sg_npy *npy;
    char *tail; /* behind the rows, without the last line */
    size_t begin, length;
    char *body; /* of the tail, behind the key */
    size_t left_out;
    bool weighted;
    const char **names;
    sg_levels *levels;
} cached;

static void tell(const cached *c, const char *why)
{
    sg_notice(c->how->notify, "%s is %s; it is made anew", c->path, why);
}

static sg_status not_ours(const char *path)
{
    return sg_fail(SG_EDATA, "--cache %s: the file is there, but is no cache of sugeno; remove it, or name another",
                   path);
}

/* The last line says where the tail begins, and its checksum whether it is whole. */
static sg_status read_tail(cached *c, const sg_bytes *b, bool *whole)
{
    char last[LAST + 1] = "", again[LAST + 1];
    unsigned long sum;
    size_t size = sg_bytes_size(b);
    *whole = false;
    if (size < LAST) return not_ours(c->path);
    sg_status st = sg_bytes_read(b, size - LAST, last, LAST);
    if (st != SG_OK) return st;
    if (sscanf(last, "sugeno cache %16zx %8lx", &c->length, &sum) != 2)
        return not_ours(c->path); /* NOLINT(cert-err34-c) */
    snprintf(again, sizeof again, last_line, c->length, sum & 0xffffffff);
    if (strcmp(last, again) != 0) return not_ours(c->path);
    if (c->length > size - LAST) return SG_OK;
    if (!(c->tail = sg_alloc(c->length + 1, 1))) return no_memory();
    c->begin = size - LAST - c->length;
    st = sg_bytes_read(b, c->begin, c->tail, c->length);
    *whole = st == SG_OK && crc32_z(crc32_z(0, NULL, 0), (unsigned char *)c->tail, c->length) == sum;
    return st;
}

static bool has_key(cached *c, const char *key)
{
    size_t length, n = strlen(key);
    int at = 0;
    if (sscanf(c->tail, "key %zu%n", &length, &at) != 1 || c->tail[at] != '\n') return false; /* NOLINT(cert-err34-c) */
    c->body = c->tail + at + 1 + n;
    return length == n && strncmp(c->tail + at + 1, key, n) == 0;
}

/* The next line, or NULL; its end becomes a NUL. */
static char *next_line(char **at)
{
    char *line = *at, *end = line ? strchr(line, '\n') : NULL;
    *at = end ? end + 1 : NULL;
    if (!end) return NULL;
    *end = '\0';
    return line;
}

/* What is not as it was written: no sentence, since it is made anew. */
static const sg_status DAMAGED = SG_EDATA;

static sg_status take_word(cached *c, const char *text)
{
    size_t column, columns = sg_npy_source(c->npy).columns;
    int at = 0;
    uint32_t code;
    if (sscanf(text, "%zu%n", &column, &at) != 1 || text[at] != ' ' || column >= columns)
        return DAMAGED; /* NOLINT(cert-err34-c) */
    if (!c->levels && !(c->levels = sg_alloc(columns, sizeof *c->levels))) return no_memory();
    sg_leveled got = sg_levels_add(&c->levels[column], text + at + 1, strlen(text + at + 1), &code);
    return got == SG_LEVEL_NEW ? SG_OK : got == SG_LEVEL_NO_MEMORY ? no_memory() : DAMAGED;
}

static sg_status take_left(cached *c, const char *name)
{
    size_t n = sg_npy_source(c->npy).columns + c->left_out;
    const char **more = realloc(c->names, (n + 1) * sizeof *more);
    if (!more) return no_memory();
    c->names = more;
    more[n] = name;
    c->left_out++;
    return SG_OK;
}

static bool begins(const char **line, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*line, word, n) != 0) return false;
    *line += n;
    return true;
}

/* *sum is the rows' checksum. */
static sg_status take_line(cached *c, const char *line, unsigned long *sum, bool *summed)
{
    if (begins(&line, "left ")) return take_left(c, line);
    if (begins(&line, "word ")) return take_word(c, line);
    if (begins(&line, "rows ")) *summed = sscanf(line, "%8lx", sum) == 1; /* NOLINT(cert-err34-c) */
    else if (strcmp(line, "weighted") == 0) c->weighted = true;
    else if (!begins(&line, "notice ")) return DAMAGED;
    return SG_OK;
}

static sg_status take_lines(cached *c, unsigned long *sum)
{
    sg_source s = sg_npy_source(c->npy);
    bool summed = false;
    sg_status st = SG_OK;
    c->names = malloc((s.columns + 1) * sizeof *c->names);
    for (size_t i = 0; c->names && i < s.columns; i++) c->names[i] = s.names[i];
    if (!c->names) return no_memory();
    char *at = c->body;
    for (const char *line; st == SG_OK && (line = next_line(&at));) st = take_line(c, line, sum, &summed);
    return st == SG_OK && !summed ? DAMAGED : st;
}

static void repeat_notices(const cached *c)
{
    for (char *line = c->body, *next; line < c->tail + c->length; line = next) {
        const char *sentence = line;
        next = line + strlen(line) + 1;
        if (!begins(&sentence, "notice ")) continue;
        restore(line);
        sg_notice(c->how->notify, "%s", sentence);
    }
}

/* *good: the rows, and what belongs to them, are in c. */
static sg_status open_rows(cached *c, sg_bytes *bytes, const char *key, bool *good)
{
    unsigned long there, expected = 0;
    sg_status st = read_tail(c, bytes, good);
    if (st != SG_OK || !*good) {
        sg_bytes_close(bytes);
        if (st == SG_OK) tell(c, "damaged");
        return st;
    }
    *good = has_key(c, key);
    if (!*good) {
        sg_bytes_close(bytes);
        tell(c, "of other files, or of other options");
        return SG_OK;
    }
    st = sg_npy_adopt(bytes, &(sg_csv_how){0}, &c->npy);
    if (st == SG_OK) st = take_lines(c, &expected);
    if (st == SG_OK) st = sum_bytes(bytes, 0, c->begin, &there);
    if (st == SG_OK && there != expected) st = DAMAGED;
    *good = st == SG_OK;
    if (st != DAMAGED) return st;
    tell(c, "damaged");
    return SG_OK;
}

static void release(cached *c)
{
    for (size_t i = 0; c->levels && i < sg_npy_source(c->npy).columns; i++) sg_levels_release(&c->levels[i]);
    free(c->levels);
    free(c->names);
    free(c->tail);
    sg_npy_free(c->npy);
}

/* Only where every member of a team has its rows they are used: else columns would be judged by some of the files. */
static sg_status ask_team(const cached *c, bool *good)
{
    const sg_team *t = c->how->team;
    char mine = *good, *all = sg_alloc(sg_team_ranks(t), 1);
    sg_status st = sg_team_agree(t, all ? SG_OK : no_memory());
    if (st == SG_OK) st = sg_team_all(t, &mine, 1, all);
    if (st == SG_OK) *good = !memchr(all, 0, sg_team_ranks(t)); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK && mine && !*good) tell(c, "good, but that of another rank is not");
    free(all);
    return st;
}

static sg_status hand_out(cached *c, sg_table **out)
{
    sg_npy *npy = c->npy;
    sg_levels *levels = c->levels;
    size_t columns = sg_npy_source(npy).columns;
    repeat_notices(c);
    sg_npy_keep(npy, c->how->memory);
    c->npy = NULL;
    c->levels = NULL;
    sg_status st = sg_table_adopt_file(c->origin, c->names, columns, c->left_out, npy, levels, out);
    if (st == SG_OK && c->weighted) sg_table_weigh(*out, 0);
    return st;
}

sg_status sg_cache_load(const char *path, const char *key, const char *origin, const sg_csv_how *how, sg_table **out)
{
    cached c = {.path = path, .origin = origin, .how = how};
    struct stat is;
    sg_bytes *bytes;
    bool good = false, there = stat(path, &is) == 0 || errno != ENOENT;
    *out = NULL;
    sg_status st = there ? sg_bytes_open(path, &bytes) : SG_OK;
    if (st == SG_OK && there) st = open_rows(&c, bytes, key, &good);
    st = sg_team_agree(how->team, st);
    if (st == SG_OK) st = ask_team(&c, &good);
    if (st == SG_OK && good) st = hand_out(&c, out);
    release(&c);
    return st;
}
