/* checkpoint.c: saves the state of a training run to a checkpoint file and resumes from it.
 *
 * A header of text lines identifies the run: the format, the kind of machine, all entries of the training record, which
 * determine the results, and the shape of the model. The state of the trainer, as it is in memory, and a checksum
 * follow. A checkpoint can be read only by the same version on the same kind of machine. */
#include "base/text.h"
#include "comm/collectives.h"
#include "train/trainer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { MAX_LINE = 512, MAX_PARTS = 16 }; /* maximum bytes of a header line; maximum number of parts of the state */

static const char magic[] = "sugeno checkpoint ", format[] = "2"; /* the format changes whenever the state does */
static const char hint[] = "remove it or use another file to start over";

/* One part of the state. */
typedef struct state_part {
    void *bytes;
    size_t size;
} state_part;

/* --- the state --- */

/* Lists the state that the next step depends on, besides the data and the options. Returns the number of parts. */
static size_t list_state(sg_trainer *t, state_part part[MAX_PARTS])
{
    sg_optimiser *s = &t->optimiser;
    sg_validation *v = &t->validation;
    size_t n = 0, theta = t->model->parameters * sizeof(double), moments = s->n * sizeof(double);
    part[n++] = (state_part){&t->k, sizeof t->k};
    part[n++] = (state_part){&t->curve.points, sizeof t->curve.points};
    part[n++] = (state_part){t->curve.point, sizeof t->curve.point};
    part[n++] = (state_part){t->model->theta, theta};
    part[n++] = (state_part){&s->k, sizeof s->k};
    part[n++] = (state_part){&s->rate, sizeof s->rate};
    part[n++] = (state_part){s->loss, sizeof s->loss};
    part[n++] = (state_part){&s->raised, sizeof s->raised};
    part[n++] = (state_part){&s->lowered, sizeof s->lowered};
    if (s->m) part[n++] = (state_part){s->m, moments};
    if (s->v) part[n++] = (state_part){s->v, moments};
    if (t->average.theta) part[n++] = (state_part){t->average.theta, theta};
    if (!v->active) return n;
    part[n++] = (state_part){&v->last_iteration, sizeof v->last_iteration};
    part[n++] = (state_part){&v->best_iteration, sizeof v->best_iteration};
    part[n++] = (state_part){&v->best_rmse, sizeof v->best_rmse};
    part[n++] = (state_part){v->theta, theta};
    return n;
}

/* The checksum detects damage, not forgery: a forged state may give a bad model, but not one that cannot be read. */
static bool is_valid_state(const sg_trainer *t)
{
    const sg_validation *v = &t->validation;
    if (t->k > t->iterations || v->last_iteration > t->k || v->best_iteration > v->last_iteration ||
        t->curve.points > SG_LEARNING_CURVE_POINTS)
        return false;
    for (size_t i = 0; i < t->curve.points; i++)
        if (t->curve.point[i].iteration > t->k) return false;
    if (t->average.theta && !sg_trainer_theta_is_valid(t, t->average.theta)) return false;
    return sg_trainer_theta_is_valid(t, t->model->theta) &&
           (!v->best_iteration || sg_trainer_theta_is_valid(t, v->theta));
}

/* --- the header --- */

static sg_status make_header(const sg_model *m, sg_text *out)
{
    bool little = *(const char *)&(const int){1};
    char shown[MAX_LINE / 2]; /* column names may be long and contain anything */
    sg_text_append_format(out, "%s%s\nmachine %s-endian %zu\n", magic, format, little ? "little" : "big",
                          8 * sizeof(size_t));
    for (size_t i = 0; i < m->record.entries; i++) {
        const char *value = m->record.entry[i].value;
        sg_text_append_format(out, "%s %s\n", m->record.entry[i].name,
                              sg_quote_excerpt(value, strlen(value), shown, sizeof shown));
    }
    sg_text_append_format(out, "inputs %zu\ntargets %zu\n\n", m->features, m->outputs);
    return out->failed ? sg_fail_out_of_memory("a checkpoint") : SG_OK;
}

static bool has_key(const char *line, const char *name)
{
    size_t n = strlen(name);
    return strncmp(line, name, n) == 0 && line[n] == ' ';
}

/* Explains the first lines that differ. Only lines about validation may be missing from one of the headers. */
static sg_status fail_mismatch(const char *path, const char *theirs, const char *ours)
{
    static const char *const data[] = {"rows", "data", "target_deviation", "inputs", "targets", ""};
    const char *why = NULL;
    size_t name = strcspn(ours, " ");
    if (has_key(ours, "sugeno")) why = "by another version of sugeno";
    if (has_key(ours, "machine")) why = "on another kind of machine";
    for (size_t i = 0; *data[i]; i++)
        if (has_key(ours, data[i])) why = "with different data or columns";
    if (has_key(ours, "valid_rows") || has_key(ours, "valid_data") || has_key(theirs, "valid_rows"))
        why = "with different validation rows";
    if (why) return sg_fail(SG_EDATA, "%s was made %s; %s", path, why, hint);
    if (strncmp(theirs, ours, name + 1) != 0) return sg_fail(SG_EDATA, "%s is damaged; %s", path, hint);
    const char *was = theirs + name + 1, *is = ours + name + 1;
    return sg_fail(SG_EDATA, "%s was made %s%.*s %s, not %s; %s", path, has_key(ours, "version") ? "by " : "with --",
                   (int)name, ours, *was ? was : "none", *is ? is : "none", hint);
}

/* --- writing --- */

static sg_status write_parts(sg_atomic_file *f, const state_part *part, size_t parts)
{
    uint32_t sum = 0;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < parts; i++) {
        sum = (uint32_t)crc32_z(sum, part[i].bytes, part[i].size);
        st = sg_atomic_file_write(f, part[i].bytes, part[i].size);
    }
    return st == SG_OK ? sg_atomic_file_write(f, (const char *)&sum, sizeof sum) : st;
}

/* Allocates almost nothing, because training may use all memory. */
sg_status sg_trainer_save(sg_trainer *t, const char *path)
{
    state_part part[MAX_PARTS];
    sg_atomic_file *f = NULL;
    sg_text header = {0};
    if (t->is_continued)
        return sg_fail(
            SG_EINVAL,
            "can't write %s: checkpoints are not available when a model is trained further; save the model instead",
            path);
    if (!t->step_complete) return sg_fail(SG_EINVAL, "can't write %s: training has failed", path);
    sg_status st = make_header(t->model, &header);
    if (st == SG_OK) st = sg_atomic_file_open(path, &f);
    if (st == SG_OK) st = sg_atomic_file_write(f, header.bytes, header.length);
    if (st == SG_OK) st = write_parts(f, part, list_state(t, part));
    if (st == SG_OK) st = sg_atomic_file_commit(f);
    else sg_atomic_file_free(f);
    sg_text_release(&header);
    return st;
}

/* --- reading --- */

static sg_status fail_truncated(const char *path, FILE *f)
{
    if (ferror(f)) return sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno));
    return sg_fail(SG_EDATA, "%s is truncated; %s", path, hint);
}

static sg_status check_magic(const char *path, FILE *f)
{
    char start[sizeof magic] = "";
    size_t n = fread(start, 1, strlen(magic), f);
    if (ferror(f)) return fail_truncated(path, f);
    rewind(f);
    if (n == strlen(magic) && strcmp(start, magic) == 0) return SG_OK;
    return sg_fail(SG_EDATA, "%s is not a sugeno checkpoint; use another file", path);
}

static sg_status compare_headers(const char *path, FILE *f, const char *header)
{
    char ours[MAX_LINE], theirs[MAX_LINE], shown[MAX_LINE];
    for (; *header; header++) {
        size_t n = strcspn(header, "\n");
        snprintf(ours, sizeof ours, "%.*s", (int)n, header);
        header += n;
        if (!fgets(theirs, MAX_LINE, f)) return fail_truncated(path, f);
        theirs[strcspn(theirs, "\n")] = '\0'; /* a longer line is cut, so it differs */
        if (strcmp(theirs, ours) != 0)
            return fail_mismatch(path, sg_quote_excerpt(theirs, strlen(theirs), shown, sizeof shown), ours);
    }
    return SG_OK;
}

static sg_status read_parts(const char *path, FILE *f, const state_part *part, size_t parts)
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

/* Reads the state in place. Sets *found to false if there is no such file, which is not an error. */
static sg_status read_checkpoint(const char *path, const sg_model *m, const state_part *part, size_t parts, bool *found)
{
    FILE *f = fopen(path, "rbe");
    *found = f || errno != ENOENT;
    if (!f) return *found ? sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno)) : SG_OK;
    sg_text header = {0};
    sg_status st = make_header(m, &header);
    if (st == SG_OK) st = check_magic(path, f);
    if (st == SG_OK) st = compare_headers(path, f, header.bytes);
    if (st == SG_OK) st = read_parts(path, f, part, parts);
    sg_text_release(&header);
    fclose(f);
    return st;
}

/* Rank 0 reads the file and broadcasts the state. */
static sg_status read_on_all_ranks(const sg_comm *comm, const char *path, sg_trainer *t, bool *found)
{
    state_part part[MAX_PARTS];
    size_t parts = list_state(t, part);
    sg_status st = sg_comm_rank(comm) == 0 ? read_checkpoint(path, t->model, part, parts, found) : SG_OK;
    st = sg_comm_agree_status_verbatim(comm, st);
    if (st == SG_OK) st = sg_comm_bcast(comm, 0, found, sizeof *found);
    for (size_t i = 0; st == SG_OK && *found && i < parts; i++)
        st = sg_comm_bcast(comm, 0, part[i].bytes, part[i].size);
    return st;
}

sg_status sg_trainer_resume(const char *path, const sg_options *o, const sg_source *train, const sg_source *valid,
                            sg_trainer **out)
{
    sg_trainer *t;
    bool found;
    sg_status st = sg_trainer_new(o, train, valid, &t);
    if (st != SG_OK) return st;
    st = read_on_all_ranks(train->comm, path, t, &found);
    if (st == SG_OK && found && !is_valid_state(t))
        st = sg_fail(SG_EDATA, "%s is damaged: it contains values that training does not produce", path);
    if (st == SG_OK && found) st = sg_refit_run(t);
    if (st == SG_OK) *out = t;
    else sg_trainer_free(t);
    return st;
}
