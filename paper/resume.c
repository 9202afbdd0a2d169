/* resume.c: see resume.h. */
#include "resume.h"

#include "sha256.h"
#include "svr.h"
#include "trial.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

enum { PROBE_ROWS = 200, PROBE_TEST = 60, PROBE_STEPS = 12 };

/* --- keys --- */

/* What a few steps of the algorithm give on generated rows, in bits. */
static sg_status probe(const sg_options *o, const sg_source *train, const sg_source *test, text *out)
{
    sg_trainer *t = NULL;
    sg_progress p = {.more = 1};
    sg_metrics m;
    sg_status st = sg_trainer_new(o, train, NULL, &t);
    for (int i = 0; st == SG_OK && i < PROBE_STEPS && p.more; i++) st = sg_trainer_step(t, &p);
    if (st == SG_OK) st = sg_model_evaluate(sg_trainer_current(t), test, NULL, 1, &m);
    if (st == SG_OK) {
        const sg_model *model = sg_trainer_current(t);
        text_add(out, "%a ", m.rmse);
        for (size_t i = 0; i < sg_model_parameters(model); i++) text_add(out, "%a ", sg_model_theta(model)[i]);
    }
    sg_trainer_free(t);
    return st;
}

/* If the library's arithmetic changes, this does, and nothing that was computed before counts. */
static sg_status fingerprint(const cell *c, char hex[65])
{
    sg_table *rows = NULL;
    sg_subset *train = NULL, *test = NULL;
    sg_options *o = NULL;
    text t = {0};
    sg_status st = trial_options(c, &o);
    if (st == SG_OK) st = sg_table_generate("friedman", PROBE_ROWS, 1, &rows);
    if (st == SG_OK) {
        sg_source all = sg_table_source(rows);
        st = sg_subset_split(&all, 1, 0, PROBE_TEST, 0, &train);
        if (st == SG_OK) st = sg_subset_split(&all, 1, 0, PROBE_TEST, 1, &test);
    }
    if (st == SG_OK) {
        sg_source a = sg_subset_source(train), b = sg_subset_source(test);
        st = probe(o, &a, &b, &t);
    }
    if (st == SG_OK && t.failed) st = fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK) sha256_text(t.bytes, t.length, hex);
    text_free(&t);
    sg_options_free(o);
    sg_subset_free(train);
    sg_subset_free(test);
    sg_table_free(rows);
    return st;
}

/* The data file, what of it is used, every option that can change a number, the fingerprint. */
static sg_status make_key(cell *c, const char *print)
{
    text t = {0};
    sg_options *o = NULL;
    size_t count;
    const sg_option *table = sg_option_table(&count);
    const dataset *d = c->data;
    const char *svr = trial_svr(c->algorithm);
    sg_status st = trial_options(c, &o);
    text_add(&t, "%s %s %s %s %s %zu %zu %s %s ", c->name, d->found, d->features, d->target, d->words, c->repeats,
             c->every, svr ? svr : "", print);
    for (size_t i = 0; st == SG_OK && i < count; i++)
        if (table[i].group != SG_OPTION_GROUP_RUN)
            text_add(&t, "%s=%s ", table[i].name, sg_options_get(o, table[i].name));
    if (st == SG_OK && t.failed) st = fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK) sha256_text(t.bytes, t.length, c->key);
    text_free(&t);
    sg_options_free(o);
    return st;
}

/* --- the list --- */

static void add_times(text *t, const double *seconds, size_t n)
{
    char number[32];
    for (size_t i = 0; i < n; i++) text_add(t, "%s%s", i ? " " : ",", sg_number_format(seconds[i], number));
}

sg_status resume_note(const plan *p, const char *folder)
{
    static const char *const columns[] = {"cell", "key", "seconds", "score_seconds", "diverged"};
    text t = {0};
    for (size_t i = 0; i < 5; i++) text_add(&t, "%s%s", i ? "," : "", columns[i]);
    text_add(&t, "\n");
    for (size_t i = 0; i < p->cells; i++) {
        const cell *c = &p->cell[i];
        if (!c->finished) continue;
        text_add(&t, "%s,%s", c->name, c->key);
        add_times(&t, c->seconds, c->repeats);
        add_times(&t, c->score, c->repeats);
        text_add(&t, ",%zu\n", c->diverged);
    }
    for (size_t row = 0; row < p->before.rows; row++) {
        if (plan_has(p, sheet_get(&p->before, row, "cell"))) continue;
        for (size_t i = 0; i < 5; i++) text_add(&t, "%s%s", i ? "," : "", sheet_get(&p->before, row, columns[i]));
        text_add(&t, "\n");
    }
    sg_status st = text_save(&t, folder, "finished.csv");
    text_free(&t);
    return st;
}

static void read_times(const char *list, double *seconds, size_t n)
{
    for (size_t i = 0; i < n; i++) seconds[i] = strtod(list, (char **)&list);
}

static void take(cell *c, const sheet *s, const char *folder)
{
    for (size_t i = 0; i < s->rows; i++) {
        if (strcmp(sheet_get(s, i, "cell"), c->name) != 0) continue;
        if (strcmp(sheet_get(s, i, "key"), c->key) != 0 || !cell_load(c, folder)) return;
        read_times(sheet_get(s, i, "seconds"), c->seconds, c->repeats);
        read_times(sheet_get(s, i, "score_seconds"), c->score, c->repeats);
        c->diverged = strtoul(sheet_get(s, i, "diverged"), NULL, 10);
        c->finished = 1;
        return;
    }
}

/* Cells are in the order of experiments and datasets: an algorithm comes back for each dataset. */
static sg_status print_of(const plan *p, const cell *c, char (*prints)[65], char hex[65])
{
    for (const cell *before = p->cell; before < c; before++)
        if (before->algorithm == c->algorithm && before->experiment == c->experiment) {
            memcpy(hex, prints[before - p->cell], 65);
            return SG_OK;
        }
    return fingerprint(c, hex);
}

static void drop_what_cannot_run(plan *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->cells; i++) {
        cell *c = &p->cell[i];
        if (cell_table(c) && (svr_library() || !trial_svr(c->algorithm))) p->cell[kept++] = *c;
        else cell_release(c), p->left_out++;
    }
    p->cells = kept;
}

sg_status resume_plan(plan *p, const char *folder)
{
    text path = {0};
    drop_what_cannot_run(p);
    char(*prints)[65] = calloc(p->cells + 1, sizeof *prints);
    text_add(&path, "%s/finished.csv", folder);
    sg_status st = prints && !path.failed ? SG_OK : fail(SG_ENOMEM, "out of memory");
    /* A list that is not there, or is rubbish, is a first run. */
    if (st == SG_OK && sheet_read(path.bytes, &p->before) == SG_OK &&
        sheet_expect(&p->before, "cell key seconds score_seconds diverged") != SG_OK)
        sheet_free(&p->before);
    for (size_t i = 0; st == SG_OK && i < p->cells; i++) {
        cell *c = &p->cell[i];
        st = print_of(p, c, prints, prints[i]);
        if (st == SG_OK) st = make_key(c, prints[i]);
        if (st == SG_OK) take(c, &p->before, folder);
    }
    free(prints);
    text_free(&path);
    return st;
}
