/* checkpoint.c: see checkpoint.h. */
#include "train/checkpoint.h"

#include "base/team.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { LONGEST = 512 }; /* line of the head */

static const char kind[] = "sugeno checkpoint ", format[] = "2"; /* another with every change of the state */
static const char remedy[] = "remove it, or name another, to begin anew";

/* --- the head --- */

static void add_line(sg_text *t, const char *name, const char *value)
{
    char shown[LONGEST / 2]; /* a column's name may be long, or hold anything */
    sg_text_format(t, "%s %s\n", name, sg_quotable(value, strlen(value), shown, sizeof shown));
}

static sg_status make_head(const sg_model *m, sg_text *out)
{
    bool little = *(const char *)&(const int){1};
    sg_text_format(out, "%s%s\nmachine %s-endian %zu\n", kind, format, little ? "little" : "big", 8 * sizeof(size_t));
    for (size_t i = 0; i < m->record.facts; i++) add_line(out, m->record.fact[i].name, m->record.fact[i].value);
    sg_text_format(out, "inputs %zu\ntargets %zu\n\n", m->inputs, m->outputs);
    return out->failed ? sg_fail(SG_ENOMEM, "out of memory for a checkpoint") : SG_OK;
}

static bool is_about(const char *line, const char *name)
{
    size_t n = strlen(name);
    return strncmp(line, name, n) == 0 && line[n] == ' ';
}

/* Of the first lines that differ. Only those about validation may be in one head and not in the other. */
static sg_status refuse(const char *path, const char *theirs, const char *ours)
{
    static const char *const data[] = {"rows", "data", "target_deviation", "inputs", "targets", ""};
    const char *why = NULL;
    size_t name = strcspn(ours, " ");
    if (is_about(ours, "sugeno")) why = "another version of sugeno";
    if (is_about(ours, "machine")) why = "another kind of machine";
    for (size_t i = 0; *data[i]; i++)
        if (is_about(ours, data[i])) why = "other data, or of other columns of it";
    if (is_about(ours, "valid_rows") || is_about(ours, "valid_data") || is_about(theirs, "valid_rows"))
        why = "other validation rows";
    if (why) return sg_fail(SG_EDATA, "%s is a checkpoint of %s; %s", path, why, remedy);
    if (strncmp(theirs, ours, name + 1) != 0) return sg_fail(SG_EDATA, "%s is damaged; %s", path, remedy);
    const char *was = theirs + name + 1, *is = ours + name + 1;
    return sg_fail(SG_EDATA, "%s was made %s%.*s %s, not %s; %s", path, is_about(ours, "version") ? "by " : "with --",
                   (int)name, ours, *was ? was : "none", *is ? is : "none", remedy);
}

/* --- writing --- */

static sg_status put_pieces(sg_output *o, const sg_piece *piece, size_t pieces)
{
    uint32_t sum = 0;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < pieces; i++) {
        sum = (uint32_t)crc32_z(sum, piece[i].bytes, piece[i].size);
        st = sg_output_write(o, piece[i].bytes, piece[i].size);
    }
    return st == SG_OK ? sg_output_write(o, (const char *)&sum, sizeof sum) : st;
}

sg_status sg_checkpoint_write(const char *path, const sg_model *m, const sg_piece *piece, size_t pieces)
{
    sg_output *o = NULL;
    sg_text head = {0};
    sg_status st = make_head(m, &head);
    if (st == SG_OK) st = sg_output_open(path, &o);
    if (st == SG_OK) st = sg_output_write(o, head.bytes, head.length);
    if (st == SG_OK) st = put_pieces(o, piece, pieces);
    if (st == SG_OK) st = sg_output_commit(o);
    else sg_output_free(o);
    sg_text_release(&head);
    return st;
}

/* --- reading --- */

static sg_status cut_short(const char *path, FILE *f)
{
    if (ferror(f)) return sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno));
    return sg_fail(SG_EDATA, "%s is damaged: it ends too early; %s", path, remedy);
}

/* Whatever is not ours is refused before a byte of it is believed. */
static sg_status check_kind(const char *path, FILE *f)
{
    char start[sizeof kind] = "";
    size_t n = fread(start, 1, strlen(kind), f);
    if (ferror(f)) return cut_short(path, f);
    rewind(f);
    if (n == strlen(kind) && strcmp(start, kind) == 0) return SG_OK;
    return sg_fail(SG_EDATA, "%s is no checkpoint of sugeno; name another file", path);
}

/* Without its newline. One that is too long comes in parts, and is none of ours. */
static bool next_line(FILE *f, char line[LONGEST])
{
    if (!fgets(line, LONGEST, f)) return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static sg_status compare_heads(const char *path, FILE *f, const char *head)
{
    char ours[LONGEST], theirs[LONGEST], shown[LONGEST];
    for (; *head; head++) {
        size_t n = strcspn(head, "\n");
        snprintf(ours, sizeof ours, "%.*s", (int)n, head);
        head += n;
        if (!next_line(f, theirs)) return cut_short(path, f);
        if (strcmp(theirs, ours) != 0)
            return refuse(path, sg_quotable(theirs, strlen(theirs), shown, sizeof shown), ours);
    }
    return SG_OK;
}

static sg_status get_pieces(const char *path, FILE *f, const sg_piece *piece, size_t pieces)
{
    uint32_t sum = 0, stored;
    for (size_t i = 0; i < pieces; i++) {
        if (fread(piece[i].bytes, 1, piece[i].size, f) != piece[i].size) return cut_short(path, f);
        sum = (uint32_t)crc32_z(sum, piece[i].bytes, piece[i].size);
    }
    if (fread(&stored, sizeof stored, 1, f) != 1) return cut_short(path, f);
    if (stored == sum && getc(f) == EOF) return SG_OK;
    return sg_fail(SG_EDATA, "%s is damaged; %s", path, remedy);
}

sg_status sg_checkpoint_read(const char *path, const sg_model *m, const sg_piece *piece, size_t pieces, bool *found)
{
    FILE *f = fopen(path, "rbe");
    *found = f || errno != ENOENT;
    if (!f) return *found ? sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno)) : SG_OK;
    sg_text head = {0};
    sg_status st = make_head(m, &head);
    if (st == SG_OK) st = check_kind(path, f);
    if (st == SG_OK) st = compare_heads(path, f, head.bytes);
    if (st == SG_OK) st = get_pieces(path, f, piece, pieces);
    sg_text_release(&head);
    fclose(f);
    return st;
}

sg_status sg_checkpoint_read_all(const sg_team *team, const char *path, const sg_model *m, const sg_piece *piece,
                                 size_t pieces, bool *found)
{
    sg_status st = sg_team_rank(team) == 0 ? sg_checkpoint_read(path, m, piece, pieces, found) : SG_OK;
    st = sg_team_agree_said(team, st);
    if (st == SG_OK) st = sg_team_share(team, 0, found, sizeof *found);
    for (size_t i = 0; st == SG_OK && *found && i < pieces; i++)
        st = sg_team_share(team, 0, piece[i].bytes, piece[i].size);
    return st;
}
