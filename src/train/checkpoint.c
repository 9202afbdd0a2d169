/* checkpoint.c: see checkpoint.h. */
#include "train/checkpoint.h"

#include "base/text.h"
#include "comm/comm.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { MAX_LINE = 512 }; /* line of the head */

static const char kind[] = "sugeno checkpoint ", format[] = "2"; /* another with every change of the state */
static const char hint[] = "remove it, or name another, to begin anew";

/* --- the head --- */

static void add_line(sg_text *t, const char *name, const char *value)
{
    char shown[MAX_LINE / 2]; /* a column's name may be long, or hold anything */
    sg_text_append_format(t, "%s %s\n", name, sg_quote_excerpt(value, strlen(value), shown, sizeof shown));
}

static sg_status make_header(const sg_model *m, sg_text *out)
{
    bool little = *(const char *)&(const int){1};
    sg_text_append_format(out, "%s%s\nmachine %s-endian %zu\n", kind, format, little ? "little" : "big",
                          8 * sizeof(size_t));
    for (size_t i = 0; i < m->record.entries; i++) add_line(out, m->record.entry[i].name, m->record.entry[i].value);
    sg_text_append_format(out, "inputs %zu\ntargets %zu\n\n", m->features, m->outputs);
    return out->failed ? sg_fail(SG_ENOMEM, "out of memory for a checkpoint") : SG_OK;
}

static bool has_key(const char *line, const char *name)
{
    size_t n = strlen(name);
    return strncmp(line, name, n) == 0 && line[n] == ' ';
}

/* Of the first lines that differ. Only those about validation may be in one head and not in the other. */
static sg_status refuse_mismatch(const char *path, const char *theirs, const char *ours)
{
    static const char *const data[] = {"rows", "data", "target_deviation", "inputs", "targets", ""};
    const char *why = NULL;
    size_t name = strcspn(ours, " ");
    if (has_key(ours, "sugeno")) why = "another version of sugeno";
    if (has_key(ours, "machine")) why = "another kind of machine";
    for (size_t i = 0; *data[i]; i++)
        if (has_key(ours, data[i])) why = "other data, or of other columns of it";
    if (has_key(ours, "valid_rows") || has_key(ours, "valid_data") || has_key(theirs, "valid_rows"))
        why = "other validation rows";
    if (why) return sg_fail(SG_EDATA, "%s is a checkpoint of %s; %s", path, why, hint);
    if (strncmp(theirs, ours, name + 1) != 0) return sg_fail(SG_EDATA, "%s is damaged; %s", path, hint);
    const char *was = theirs + name + 1, *is = ours + name + 1;
    return sg_fail(SG_EDATA, "%s was made %s%.*s %s, not %s; %s", path, has_key(ours, "version") ? "by " : "with --",
                   (int)name, ours, *was ? was : "none", *is ? is : "none", hint);
}

/* --- writing --- */

static sg_status write_parts(sg_atomic_file *o, const sg_checkpoint_part *part, size_t parts)
{
    uint32_t sum = 0;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < parts; i++) {
        sum = (uint32_t)crc32_z(sum, part[i].bytes, part[i].size);
        st = sg_atomic_file_write(o, part[i].bytes, part[i].size);
    }
    return st == SG_OK ? sg_atomic_file_write(o, (const char *)&sum, sizeof sum) : st;
}

sg_status sg_checkpoint_write(const char *path, const sg_model *m, const sg_checkpoint_part *part, size_t parts)
{
    sg_atomic_file *o = NULL;
    sg_text head = {0};
    sg_status st = make_header(m, &head);
    if (st == SG_OK) st = sg_atomic_file_open(path, &o);
    if (st == SG_OK) st = sg_atomic_file_write(o, head.bytes, head.length);
    if (st == SG_OK) st = write_parts(o, part, parts);
    if (st == SG_OK) st = sg_atomic_file_commit(o);
    else sg_atomic_file_free(o);
    sg_text_release(&head);
    return st;
}

/* --- reading --- */

static sg_status fail_truncated(const char *path, FILE *f)
{
    if (ferror(f)) return sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno));
    return sg_fail(SG_EDATA, "%s is damaged: it ends too early; %s", path, hint);
}

/* Whatever is not ours is refused before a byte of it is believed. */
static sg_status check_magic(const char *path, FILE *f)
{
    char start[sizeof kind] = "";
    size_t n = fread(start, 1, strlen(kind), f);
    if (ferror(f)) return fail_truncated(path, f);
    rewind(f);
    if (n == strlen(kind) && strcmp(start, kind) == 0) return SG_OK;
    return sg_fail(SG_EDATA, "%s is no checkpoint of sugeno; name another file", path);
}

/* Without its newline. One that is too long comes in parts, and is none of ours. */
static bool next_line(FILE *f, char line[MAX_LINE])
{
    if (!fgets(line, MAX_LINE, f)) return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static sg_status compare_headers(const char *path, FILE *f, const char *head)
{
    char ours[MAX_LINE], theirs[MAX_LINE], shown[MAX_LINE];
    for (; *head; head++) {
        size_t n = strcspn(head, "\n");
        snprintf(ours, sizeof ours, "%.*s", (int)n, head);
        head += n;
        if (!next_line(f, theirs)) return fail_truncated(path, f);
        if (strcmp(theirs, ours) != 0)
            return refuse_mismatch(path, sg_quote_excerpt(theirs, strlen(theirs), shown, sizeof shown), ours);
    }
    return SG_OK;
}

static sg_status read_parts(const char *path, FILE *f, const sg_checkpoint_part *part, size_t parts)
{
    uint32_t sum = 0, stored;
    for (size_t i = 0; i < parts; i++) {
        if (fread(part[i].bytes, 1, part[i].size, f) != part[i].size) return fail_truncated(path, f);
        sum = (uint32_t)crc32_z(sum, part[i].bytes, part[i].size);
    }
    if (fread(&stored, sizeof stored, 1, f) != 1) return fail_truncated(path, f);
    if (stored == sum && getc(f) == EOF) return SG_OK;
    return sg_fail(SG_EDATA, "%s is damaged; %s", path, hint);
}

sg_status sg_checkpoint_read(const char *path, const sg_model *m, const sg_checkpoint_part *part, size_t parts,
                             bool *found)
{
    FILE *f = fopen(path, "rbe");
    *found = f || errno != ENOENT;
    if (!f) return *found ? sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno)) : SG_OK;
    sg_text head = {0};
    sg_status st = make_header(m, &head);
    if (st == SG_OK) st = check_magic(path, f);
    if (st == SG_OK) st = compare_headers(path, f, head.bytes);
    if (st == SG_OK) st = read_parts(path, f, part, parts);
    sg_text_release(&head);
    fclose(f);
    return st;
}

sg_status sg_checkpoint_read_bcast(const sg_comm *team, const char *path, const sg_model *m,
                                   const sg_checkpoint_part *part, size_t parts, bool *found)
{
    sg_status st = sg_comm_rank(team) == 0 ? sg_checkpoint_read(path, m, part, parts, found) : SG_OK;
    st = sg_comm_agree_status_verbatim(team, st);
    if (st == SG_OK) st = sg_comm_bcast(team, 0, found, sizeof *found);
    for (size_t i = 0; st == SG_OK && *found && i < parts; i++)
        st = sg_comm_bcast(team, 0, part[i].bytes, part[i].size);
    return st;
}
