/* cell.c: see cell.h. */
#include "cell.h"

#include "sha256.h"
#include "summary.h"
#include "trial.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBE_ROWS = 200, PROBE_STEPS = 3, FIXED_COLUMNS = 6 };

const char *const preprocessing_names[PREPROCESSINGS] = {"ours", "authors"};

/* --- the plan --- */

static int allowed(const char *list, const char *name) { return !list || has_word(list, name); }

static sg_status name_cell(cell *c)
{
    text t = {0};
    const char *changed = variant_names[c->experiment->variant];
    text_add(&t, "%s/%s%s%s/%s", preprocessing_names[c->preprocessing], c->data->name,
             *changed ? "." : "", changed, c->algorithm->name);
    if (t.failed) return fail(SG_ENOMEM, "out of memory");
    c->name = t.bytes;
    return SG_OK;
}

static sg_status size_cell(cell *c, const limits *l)
{
    sg_options *o = NULL;
    sg_status st = trial_options(c, &o);
    if (st != SG_OK) return st;
    c->repeats = c->experiment->repeats;
    c->iterations = strtoul(sg_options_get(o, "iters"), NULL, 10);
    if (l->repeats && l->repeats < c->repeats) c->repeats = l->repeats;
    if (trial_svr(c->algorithm)) c->iterations = 1;
    c->every = c->iterations == 1 ? 1 : c->experiment->every;
    c->points = (c->iterations + c->every - 1) / c->every;
    sg_options_free(o);
    size_t n = c->points * c->repeats;
    c->test = calloc(3 * n, sizeof *c->test);
    c->seconds = calloc(2 * c->repeats, sizeof *c->seconds);
    if (!c->test || !c->seconds) return fail(SG_ENOMEM, "out of memory");
    c->train = c->test + n;
    c->rate = c->train + n;
    c->score = c->seconds + c->repeats;
    return SG_OK;
}

static sg_status add_cell(plan *p, const cell *like, const limits *l)
{
    cell c = *like;
    sg_status st = name_cell(&c);
    for (size_t i = 0; st == SG_OK && i < p->cells; i++)
        if (strcmp(p->cell[i].name, c.name) == 0) {
            free(c.name);
            return SG_OK;
        }
    if (st == SG_OK) st = size_cell(&c, l);
    cell *more = st == SG_OK ? realloc(p->cell, (p->cells + 1) * sizeof *more) : NULL;
    if (st == SG_OK && !more) st = fail(SG_ENOMEM, "out of memory");
    if (st != SG_OK) {
        free(c.name);
        free(c.test);
        free(c.seconds);
        return st;
    }
    p->cell = more;
    p->cell[p->cells++] = c;
    return SG_OK;
}

static sg_status plan_experiment(const catalogue *c, const experiment *e, const limits *l, plan *p,
                                 int (*wanted)[VARIANTS])
{
    sg_status st = SG_OK;
    for (size_t d = 0; d < c->datasets; d++) {
        const char *name = c->dataset[d].name;
        if (strcmp(e->datasets, "*") != 0 && !has_word(e->datasets, name)) continue;
        if (!allowed(l->datasets, name)) continue;
        wanted[d][AS_IT_IS] = wanted[d][e->variant] = 1;
        for (size_t pre = 0; pre < PREPROCESSINGS; pre++)
            for (size_t a = 0; st == SG_OK && a < c->algorithms; a++) {
                const char *by = c->algorithm[a].name;
                cell like = {.data = &c->dataset[d],
                             .algorithm = &c->algorithm[a],
                             .experiment = e,
                             .preprocessing = (preprocessing)pre};
                if (has_word(e->preprocessing, preprocessing_names[pre]) &&
                    allowed(l->preprocessing, preprocessing_names[pre]) &&
                    has_word(e->algorithms, by) && allowed(l->algorithms, by))
                    st = add_cell(p, &like, l);
            }
    }
    return st;
}

sg_status plan_make(const catalogue *c, const limits *l, plan *out, int (*wanted)[VARIANTS])
{
    sg_status st = SG_OK;
    *out = (plan){0};
    for (size_t i = 0; st == SG_OK && i < c->experiments; i++)
        if (allowed(l->experiments, c->experiment[i].name))
            st = plan_experiment(c, &c->experiment[i], l, out, wanted);
    return st;
}

static void release(cell *c)
{
    free(c->name);
    free(c->test);
    free(c->seconds);
}

void plan_free(plan *p)
{
    for (size_t i = 0; i < p->cells; i++) release(&p->cell[i]);
    free(p->cell);
    *p = (plan){0};
}

const cell *plan_find(const plan *p, preprocessing pre, const char *data, variant v, const char *by)
{
    for (size_t i = 0; i < p->cells; i++) {
        const cell *c = &p->cell[i];
        if (c->preprocessing == pre && c->experiment->variant == v && c->finished &&
            strcmp(c->data->name, data) == 0 && strcmp(c->algorithm->name, by) == 0)
            return c;
    }
    return NULL;
}

size_t cell_iteration(const cell *c, size_t point)
{
    size_t k = (point + 1) * c->every;
    return k < c->iterations ? k : c->iterations;
}

const sg_table *cell_table(const cell *c) { return c->data->table[c->experiment->variant]; }

/* --- keys --- */

/* What three steps of the algorithm give on generated rows: if the library's arithmetic changes,
 * this does, and nothing that was computed before counts. */
static sg_status probe(const cell *c, sg_options *o, const sg_table *rows, text *out)
{
    sg_source s = sg_table_source(rows);
    sg_trainer *t = NULL;
    sg_progress p = {.more = 1};
    sg_status st = trial_svr(c->algorithm) ? SG_OK : sg_trainer_new(o, &s, NULL, &t);
    for (int i = 0; t && st == SG_OK && i < PROBE_STEPS && p.more; i++) st = sg_trainer_step(t, &p);
    const double *theta = t ? sg_model_theta(sg_trainer_current(t)) : NULL;
    for (size_t i = 0; theta && i < sg_model_parameters(sg_trainer_current(t)); i++)
        text_add(out, "%a ", theta[i]);
    sg_trainer_free(t);
    return st;
}

static sg_status make_key(cell *c, const sg_table *rows)
{
    text t = {0};
    sg_options *o = NULL;
    size_t count;
    const sg_option *table = sg_option_table(&count);
    sg_status st = trial_options(c, &o);
    text_add(&t, "%s %s %zu %zu ", c->name, c->data->found, c->repeats, c->every);
    if (trial_svr(c->algorithm)) text_add(&t, "%s ", trial_svr(c->algorithm));
    for (size_t i = 0; st == SG_OK && i < count; i++)
        if (table[i].group != SG_GROUP_RUN)
            text_add(&t, "%s=%s ", table[i].name, sg_options_get(o, table[i].name));
    if (st == SG_OK) st = probe(c, o, rows, &t);
    if (st == SG_OK && t.failed) st = fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK) sha256_text(t.bytes, t.length, c->key);
    text_free(&t);
    sg_options_free(o);
    return st;
}

/* --- saved and found again --- */

static void curve_path(const cell *c, const char *folder, text *out)
{
    text_add(out, "%s/curves/%s.csv", folder, c->name);
}

/* One row: iteration, means and spreads for who draws them, then every run. */
static void fill_row(const cell *c, size_t point, double *row)
{
    const double *test = c->test + point * c->repeats, *train = c->train + point * c->repeats;
    stat on_test = cell_test(c, point), on_train = cell_train(c, point);
    row[0] = (double)cell_iteration(c, point);
    row[1] = on_test.mean;
    row[2] = on_test.sd;
    row[3] = on_train.mean;
    row[4] = on_train.sd;
    row[5] = cell_rate(c, point);
    memcpy(row + FIXED_COLUMNS, test, c->repeats * sizeof *row);
    memcpy(row + FIXED_COLUMNS + c->repeats, train, c->repeats * sizeof *row);
}

static sg_status save_table(const cell *c, const char *path)
{
    static const char *const fixed[FIXED_COLUMNS] = {"iteration", "test",     "test_sd",
                                                     "train",     "train_sd", "rate"};
    size_t columns = FIXED_COLUMNS + 2 * c->repeats;
    const char **names = calloc(columns, sizeof *names);
    char(*made)[32] = calloc(columns, sizeof *made);
    double *values = calloc(c->points, columns * sizeof *values);
    sg_table *t = NULL;
    sg_status st = names && made && values ? SG_OK : fail(SG_ENOMEM, "out of memory");
    for (size_t i = 0; st == SG_OK && i < columns; i++) {
        size_t r = (i - FIXED_COLUMNS) % c->repeats;
        int test = i < FIXED_COLUMNS + c->repeats;
        if (i >= FIXED_COLUMNS)
            snprintf(made[i], sizeof *made, "%s_%zu", test ? "test" : "train", r);
        names[i] = i < FIXED_COLUMNS ? fixed[i] : made[i];
    }
    for (size_t p = 0; st == SG_OK && p < c->points; p++) fill_row(c, p, values + p * columns);
    if (st == SG_OK) st = sg_table_new(names, columns, values, c->points, &t);
    if (st == SG_OK) st = sg_table_save(t, path);
    sg_table_free(t);
    free(names);
    free(made);
    free(values);
    return st;
}

sg_status cell_save(const cell *c, const char *folder)
{
    text path = {0};
    curve_path(c, folder, &path);
    if (path.failed) return fail(SG_ENOMEM, "out of memory");
    char *slash = strrchr(path.bytes, '/');
    *slash = '\0';
    sg_status st = make_folders(path.bytes);
    *slash = '/';
    if (st == SG_OK) st = save_table(c, path.bytes);
    text_free(&path);
    return st;
}

/* Whether the file holds the cell's numbers; a file that does not is computed again. */
static int load(cell *c, const char *folder)
{
    text path = {0};
    sg_table *t = NULL;
    size_t columns = FIXED_COLUMNS + 2 * c->repeats;
    curve_path(c, folder, &path);
    int good = !path.failed && sg_table_read(path.bytes, NULL, NULL, 0, &t) == SG_OK &&
               sg_table_columns(t) == columns && sg_table_rows(t) == c->points;
    for (size_t p = 0; good && p < c->points; p++) {
        const double *row = sg_table_values(t) + p * columns;
        memcpy(c->test + p * c->repeats, row + FIXED_COLUMNS, c->repeats * sizeof *row);
        memcpy(c->train + p * c->repeats, row + FIXED_COLUMNS + c->repeats,
               c->repeats * sizeof *row);
        for (size_t r = 0; r < c->repeats; r++) c->rate[p * c->repeats + r] = row[5];
    }
    sg_table_free(t);
    text_free(&path);
    return good;
}

sg_status plan_note(const plan *p, const char *folder)
{
    text t = {0};
    char number[2][32];
    text_add(&t, "cell,key,seconds,score_seconds,diverged\n");
    for (size_t i = 0; i < p->cells; i++) {
        const cell *c = &p->cell[i];
        if (!__atomic_load_n(&c->finished, __ATOMIC_ACQUIRE)) continue;
        text_add(&t, "%s,%s,%s,%s,%zu\n", c->name, c->key,
                 sg_format_number(mean(c->seconds, c->repeats), number[0]),
                 sg_format_number(mean(c->score, c->repeats), number[1]), c->diverged);
    }
    sg_status st = text_save(&t, folder, "finished.csv");
    text_free(&t);
    return st;
}

static void take(cell *c, const sheet *s, const char *folder)
{
    for (size_t i = 0; i < s->rows; i++) {
        if (strcmp(sheet_get(s, i, "cell"), c->name) != 0) continue;
        if (strcmp(sheet_get(s, i, "key"), c->key) != 0 || !load(c, folder)) return;
        for (size_t r = 0; r < c->repeats; r++) {
            c->seconds[r] = strtod(sheet_get(s, i, "seconds"), NULL);
            c->score[r] = strtod(sheet_get(s, i, "score_seconds"), NULL);
        }
        c->diverged = strtoul(sheet_get(s, i, "diverged"), NULL, 10);
        c->finished = 1;
    }
}

sg_status plan_resume(plan *p, const char *folder)
{
    sheet s = {0};
    sg_table *rows = NULL;
    text path = {0};
    size_t kept = 0;
    sg_status st = sg_table_generate("friedman", PROBE_ROWS, 1, &rows);
    text_add(&path, "%s/finished.csv", folder);
    if (st == SG_OK && path.failed) st = fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK && sheet_read(path.bytes, &s) != SG_OK) s = (sheet){0}; /* a first run */
    for (size_t i = 0; i < p->cells; i++) {
        cell *c = &p->cell[i];
        if (!cell_table(c)) {
            release(c);
            p->left_out++;
            continue;
        }
        if (st == SG_OK) st = make_key(c, rows);
        if (st == SG_OK) take(c, &s, folder);
        p->cell[kept++] = *c;
    }
    p->cells = kept;
    sg_table_free(rows);
    text_free(&path);
    sheet_free(&s);
    return st;
}
