/* trial.c: see trial.h. */
#include "trial.h"

#include "summary.h"
#include "svr.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- options --- */

/* The value of "name=value" among the settings, copied into buf; NULL where there is none. */
static const char *setting(const char *settings, const char *name, char buf[64])
{
    const char *word;
    size_t length, n = strlen(name);
    while ((word = next_word(&settings, &length)))
        if (length > n && word[n] == '=' && strncmp(word, name, n) == 0) {
            snprintf(buf, 64, "%.*s", (int)(length - n - 1), word + n + 1);
            return buf;
        }
    return NULL;
}

const char *trial_svr(const algorithm *a)
{
    const char *found = strstr(a->settings, "svr=");
    return found ? found + strlen("svr=") : NULL;
}

static sg_status set_all(sg_options *o, const char *settings)
{
    const char *word;
    size_t length;
    sg_status st = SG_OK;
    while (st == SG_OK && (word = next_word(&settings, &length))) {
        char name[64], value[64];
        const char *equals = memchr(word, '=', length);
        if (!equals) return fail(SG_EDATA, "algorithms.csv: \"%.*s\" has no =", (int)length, word);
        snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
        if (strcmp(name, "svr") != 0) st = sg_options_set(o, name, setting(word, name, value));
    }
    return st;
}

static sg_status set_count(sg_options *o, const char *name, size_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", value);
    return sg_options_set(o, name, digits);
}

/* An algorithm of one step (ridge regression) stays one. */
sg_status trial_options(const cell *c, sg_options **out)
{
    sg_options *o = NULL;
    sg_status st = sg_options_new(&o);
    if (st == SG_OK) st = set_all(o, c->algorithm->settings);
    if (st == SG_OK && strcmp(sg_options_get(o, "iters"), "1") != 0)
        st = set_count(o, "iters", c->experiment->iterations);
    if (st == SG_OK) st = sg_options_set(o, "threads", "1");
    if (st == SG_OK) *out = o;
    else sg_options_free(o);
    return st;
}

sg_status trial_size(const cell *c, size_t *parameters, size_t *inputs)
{
    sg_source rows = sg_table_source(cell_table(c));
    sg_options *o = NULL;
    sg_trainer *t = NULL;
    sg_status st = trial_options(c, &o);
    if (st == SG_OK) st = sg_trainer_new(o, &rows, NULL, &t);
    if (st == SG_OK) {
        *parameters = sg_model_parameters(sg_trainer_current(t));
        *inputs = sg_model_transform_width(sg_trainer_current(t));
    }
    sg_trainer_free(t);
    sg_options_free(o);
    return st;
}

static size_t held_out(size_t rows) { return (size_t)(0.3 * (double)rows + 0.5); }

/* Rules of a grid of two membership functions an input, in units of the paper's 32. */
static double grid_size(const cell *c)
{
    const char *list = c->data->features;
    size_t inputs = 0, length;
    char buf[64];
    while (next_word(&list, &length)) inputs++;
    if (!setting(c->algorithm->settings, "pca", buf) || strcmp(buf, "0") != 0 ||
        setting(c->algorithm->settings, "structure", buf) || strstr(c->algorithm->settings, "=rr"))
        return 1;
    return inputs > 5 ? (double)((size_t)1 << (inputs - 5)) : 1;
}

/* Rough, as the bar needs it: a step costs about three times a prediction, least squares five times
 * that, a fit of support vectors goes with the square of the rows. */
size_t trial_cost(const cell *c)
{
    size_t rows = c->data->rows, test = held_out(rows), batch = 64;
    const char *settings = c->algorithm->settings, *svr = trial_svr(c->algorithm);
    char buf[64];
    if (svr) return rows * rows / (strncmp(svr, "search", 6) == 0 ? 1 : 30);
    if (setting(settings, "batch", buf)) batch = strtoul(buf, NULL, 10);
    if (strstr(settings, "anfis")) batch = 0;
    if (batch == 0 || batch > rows - test) batch = rows - test;
    double step = 3 * (double)batch * (strstr(settings, "-lse") ? 5 : 1);
    return (size_t)(grid_size(c) * ((double)c->iterations * step + (double)c->points * (double)test));
}

/* --- rows as the rules see them --- */

/* The rows of a source after the model's transforms, and their target; both to be freed, also on
 * failure. */
static sg_status see(const sg_model *m, const sg_source *s, double **x, double **y)
{
    size_t inputs = s->columns - 1, width = sg_model_transform_width(m);
    double *rows = calloc(s->rows, s->columns * sizeof *rows);
    *x = calloc(s->rows, width * sizeof **x);
    *y = calloc(s->rows, sizeof **y);
    sg_status st = rows && *x && *y ? s->read(s->self, 0, s->rows, rows) : fail(SG_ENOMEM, "out of memory");
    for (size_t i = 0; st == SG_OK && i < s->rows; i++) {
        (*y)[i] = rows[i * s->columns + inputs];
        st = sg_model_transform(m, rows + i * s->columns, 1, *x + i * width);
    }
    free(rows);
    return st;
}

/* A table of the inputs x1, x2, ... and the target less its mean. */
static sg_status centred(const double *x, const double *y, size_t rows, size_t width, sg_table **out)
{
    const char **names = calloc(width + 1, sizeof *names);
    char(*made)[24] = calloc(width, sizeof *made);
    double *values = calloc(rows, (width + 1) * sizeof *values), middle = mean(y, rows);
    sg_status st = names && made && values ? SG_OK : fail(SG_ENOMEM, "out of memory");
    for (size_t i = 0; st == SG_OK && i < width; i++) {
        snprintf(made[i], sizeof *made, "x%zu", i + 1);
        names[i] = made[i];
    }
    for (size_t i = 0; st == SG_OK && i < rows; i++) {
        memcpy(values + i * (width + 1), x + i * width, width * sizeof *x);
        values[i * (width + 1) + width] = y[i] - middle;
    }
    if (st == SG_OK) {
        names[width] = "y";
        st = sg_table_new(names, width + 1, values, rows, out);
    }
    free(names);
    free(made);
    free(values);
    return st;
}

/* The authors' preprocessing: all rows as the rules of a system see them whose transforms were
 * fitted on all rows. */
static sg_status transformed(const sg_options *o, const sg_table *t, sg_table **out)
{
    sg_source all = sg_table_source(t);
    sg_trainer *fitted = NULL;
    double *x = NULL, *y = NULL;
    sg_status st = sg_trainer_new(o, &all, NULL, &fitted);
    if (st != SG_OK) return st;
    const sg_model *m = sg_trainer_current(fitted);
    st = see(m, &all, &x, &y);
    if (st == SG_OK) st = centred(x, y, all.rows, sg_model_transform_width(m), out);
    free(x);
    free(y);
    sg_trainer_free(fitted);
    return st;
}

/* --- one run --- */

typedef struct run {
    cell *c;
    size_t repeat;
    sg_options *options;
    sg_table *own; /* the authors' rows, NULL for ours */
    sg_subset *train, *test;
    trial_tell *tell;
    void *arg;
    int stopped;
} run;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double *at(const run *r, double *array, size_t point) { return array + point * r->c->repeats + r->repeat; }

/* Splits and batches depend on the repeat alone: they are the same for every algorithm. */
static sg_status prepare(run *r)
{
    sg_source rows;
    sg_status st = trial_options(r->c, &r->options);
    if (st == SG_OK && r->c->preprocessing == AUTHORS) st = transformed(r->options, cell_table(r->c), &r->own);
    if (st == SG_OK && r->own) st = set_all(r->options, "scale=none target=none pca=0");
    if (st == SG_OK) st = set_count(r->options, "seed", r->repeat);
    if (st != SG_OK) return st;
    rows = sg_table_source(r->own ? r->own : cell_table(r->c));
    st = sg_subset_split(&rows, r->repeat, 0, held_out(rows.rows), 0, &r->train);
    if (st == SG_OK) st = sg_subset_split(&rows, r->repeat, 0, held_out(rows.rows), 1, &r->test);
    return st;
}

static sg_status score(run *r, sg_scorer *scorer, double *rmse)
{
    sg_metrics metrics;
    double start = cpu_seconds();
    sg_status st = sg_scorer_run(scorer, &metrics);
    if (st == SG_OK) *rmse = metrics.rmse;
    r->c->score[r->repeat] += cpu_seconds() - start;
    return st;
}

/* A diverged run stands on the last finite parameters from there on. */
static sg_status carry_on(run *r, sg_scorer *scorer, size_t point)
{
    double rmse = 0;
    sg_status st = score(r, scorer, &rmse);
    for (size_t p = point; p < r->c->points; p++) {
        *at(r, r->c->test, p) = rmse;
        *at(r, r->c->train, p) = p ? *at(r, r->c->train, p - 1) : rmse;
        *at(r, r->c->rate, p) = 0;
    }
    __atomic_fetch_add(&r->c->diverged, 1, __ATOMIC_RELAXED);
    return st;
}

static sg_status train(run *r, sg_trainer *t, sg_scorer *scorer)
{
    cell *c = r->c;
    size_t point = 0, step_cost = trial_cost(c) / c->iterations;
    sg_progress p = {.more = 1};
    while (p.more) {
        double start = cpu_seconds();
        sg_status st = sg_trainer_step(t, &p);
        c->seconds[r->repeat] += cpu_seconds() - start;
        if (st == SG_EDIVERGED) return carry_on(r, scorer, point);
        if (st == SG_OK && p.iteration == cell_iteration(c, point)) {
            *at(r, c->train, point) = p.batch_rmse;
            *at(r, c->rate, point) = p.mean_rate;
            st = score(r, scorer, at(r, c->test, point++));
        }
        if (st != SG_OK) return st;
        if (r->tell(r->arg, step_cost)) {
            r->stopped = 1;
            return SG_OK;
        }
    }
    return SG_OK;
}

/* What was learned in one step is scored on the training rows, too: there was no batch before. */
static sg_status train_rmse(run *r, sg_trainer *t)
{
    sg_source rows = sg_subset_source(r->train);
    sg_metrics m;
    sg_status st = sg_model_evaluate(sg_trainer_current(t), &rows, NULL, 1, &m);
    if (st == SG_OK) *at(r, r->c->train, 0) = m.rmse;
    return st;
}

static sg_status run_trainer(run *r)
{
    sg_source rows = sg_subset_source(r->train), test = sg_subset_source(r->test);
    sg_trainer *t = NULL;
    sg_scorer *scorer = NULL;
    double start = cpu_seconds();
    sg_status st = sg_trainer_new(r->options, &rows, NULL, &t);
    r->c->seconds[r->repeat] = cpu_seconds() - start;
    if (st == SG_OK) st = sg_scorer_new(sg_trainer_current(t), &test, NULL, 1, &scorer);
    if (st == SG_OK) st = train(r, t, scorer);
    if (st == SG_OK && r->c->iterations == 1) st = train_rmse(r, t);
    sg_scorer_free(scorer);
    sg_trainer_free(t);
    return st;
}

/* --- support vectors --- */

static sg_status run_svr(run *r)
{
    sg_source rows = sg_subset_source(r->train), test = sg_subset_source(r->test);
    double *x = NULL, *y = NULL, *tx = NULL, *ty = NULL;
    sg_trainer *t = NULL;
    svr_fit fit;
    sg_status st = sg_trainer_new(r->options, &rows, NULL, &t);
    const sg_model *m = st == SG_OK ? sg_trainer_current(t) : NULL;
    if (st == SG_OK) st = see(m, &rows, &x, &y);
    if (st == SG_OK) st = see(m, &test, &tx, &ty);
    if (st == SG_OK)
        st = svr_run(x, y, rows.rows, sg_model_transform_width(m), tx, ty, test.rows,
                     strncmp(trial_svr(r->c->algorithm), "search", 6) == 0, (unsigned)r->repeat, &fit);
    if (st == SG_OK) {
        *at(r, r->c->test, 0) = fit.test_rmse;
        *at(r, r->c->train, 0) = fit.train_rmse;
        r->c->seconds[r->repeat] = fit.search_seconds + fit.fit_seconds;
        r->c->score[r->repeat] = fit.predict_seconds;
        r->stopped = r->tell(r->arg, trial_cost(r->c));
    }
    free(x);
    free(y);
    free(tx);
    free(ty);
    sg_trainer_free(t);
    return st;
}

sg_status trial_run(cell *c, size_t repeat, trial_tell *tell, void *arg, int *stopped)
{
    run r = {.c = c, .repeat = repeat, .tell = tell, .arg = arg};
    sg_status st = prepare(&r);
    if (st == SG_OK) st = trial_svr(c->algorithm) ? run_svr(&r) : run_trainer(&r);
    sg_subset_free(r.train);
    sg_subset_free(r.test);
    sg_table_free(r.own);
    sg_options_free(r.options);
    *stopped = r.stopped;
    return st;
}
