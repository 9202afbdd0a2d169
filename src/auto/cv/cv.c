/* cv.c: runs k-fold cross-validation, and fits prediction intervals to its residuals. Folds run in parallel with one
 * thread each, so that results do not depend on the number of threads. */
#include "auto/search/search.h"
#include "auto/search/search_options.h"
#include "base/memory.h"
#include "train/eval/intervals_and_support.h"
#include "train/eval/out_of_fold.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct cv {
    const sg_cv_options *how;
    const sg_source *valid;  /* validation rows of every training, or NULL          */
    sg_residuals *residuals; /* (folds), or NULL                                    */
    sg_options *options;     /* options of each training, without a notice callback */
    sg_search_config config;
    sg_source rows;    /* all complete rows                                   */
    sg_subset *usable; /* the complete rows, or NULL if all rows are complete */
    sg_column_roles roles;
    sg_folds *folds;
    sg_metrics *metrics; /* (folds, targets)                          */
    unsigned char *done; /* (folds)                                   */
    sg_model **model;    /* (folds): kept for out-of-fold predictions */
    atomic_size_t work;
    atomic_int stopped;
} cv;

/* --- a fold --- */

typedef struct fold_progress {
    cv *cv;
    size_t done;
} fold_progress;

/* An sg_cancel_fn that adds the progress of one fold to that of the others. */
static int report_fold_progress(void *arg, size_t done, size_t planned)
{
    fold_progress *p = arg;
    cv *c = p->cv;
    size_t all = atomic_fetch_add(&c->work, done - p->done) + (done - p->done);
    p->done = done;
    if (c->how->stop && c->how->stop(c->how->arg, all, planned * c->how->folds)) atomic_store(&c->stopped, 1);
    return atomic_load(&c->stopped);
}

static sg_status train_fold(cv *c, const sg_source *rows, sg_model **out)
{
    fold_progress p = {c, 0};
    sg_status st = sg_train_uncalibrated(c->options, rows, c->valid, report_fold_progress, &p, out);
    if (st == SG_EDIVERGED && !sg_options_is_search(c->options)) /* a search does not count iterations */
        return sg_fail(st, "training diverged in iteration %zu of a fold; try a smaller --rate", p.done + 1);
    return st;
}

static sg_status evaluate_fold(cv *c, size_t i, const sg_model *m, const sg_subset *held_out)
{
    sg_source test = sg_subset_source(held_out);
    sg_status st = sg_model_evaluate(m, &test, c->config.weights, 1, c->metrics + i * c->roles.targets);
    if (st == SG_OK && c->residuals)
        st = sg_residuals_compute(m, &test, c->config.weights, SG_MAX_RESIDUALS / c->how->folds, &c->residuals[i]);
    return st;
}

static sg_status run_fold(void *arg, size_t i, size_t worker)
{
    cv *c = arg;
    sg_subset *in = NULL, *held_out = NULL;
    sg_model *m = NULL;
    (void)worker;
    if (atomic_load(&c->stopped)) return SG_OK;
    sg_status st = sg_folds_rows(c->folds, i, false, &in);
    if (st == SG_OK) st = sg_folds_rows(c->folds, i, true, &held_out);
    if (st == SG_OK) {
        sg_source train = sg_subset_source(in);
        st = train_fold(c, &train, &m);
    }
    if (st == SG_OK && !atomic_load(&c->stopped)) {
        st = evaluate_fold(c, i, m, held_out);
        c->done[i] = st == SG_OK;
    }
    if (c->how->on_out_of_fold && c->done[i]) c->model[i] = m;
    else sg_model_free(m);
    sg_subset_free(in);
    sg_subset_free(held_out);
    return st;
}

/* --- preparation --- */

static sg_status check_cv_options(const cv *c)
{
    size_t k = c->how->folds, parts = c->how->ordered ? k + 1 : k;
    if (c->how->ordered && *c->config.group)
        return sg_fail(SG_EINVAL, "--group cannot be combined with --ordered, because a group may have rows both "
                                  "before and after those of another group");
    if (k >= 2 && c->rows.rows / 2 >= parts) return SG_OK;
    return sg_fail(SG_EDATA, "%s: %zu folds need at least %zu rows, but there are %zu", sg_source_name(&c->rows), k,
                   2 * (k < 2 ? 2 : parts), c->rows.rows);
}

static sg_status make_group_folds(cv *c, const sg_options *o, size_t column)
{
    sg_status st = sg_folds_grouped(&c->rows, &column, 1, c->how->folds, c->config.seed, &c->folds);
    if (st != SG_OK) return st;
    size_t blank = sg_folds_rows_without_group(c->folds);
    if (blank)
        sg_notice(o, "%zu row%s without a value in column \"%s\" form%s one group", blank, blank == 1 ? "" : "s",
                  c->rows.names[column], blank == 1 ? "s" : "");
    return SG_OK;
}

static sg_status make_folds(cv *c, const sg_options *o)
{
    size_t column;
    sg_status st = sg_group_column(o, &c->rows, &column);
    if (st != SG_OK) return st;
    if (column != SG_NO_COLUMN) return make_group_folds(c, o, column);
    if (c->how->ordered) return sg_folds_ordered(&c->rows, c->how->folds, &c->folds);
    return sg_folds_random(&c->rows, c->how->folds, c->config.seed, &c->folds);
}

static sg_status prepare_cv(cv *c, const sg_options *o, sg_thread_pool *pool)
{
    sg_preprocessed all;
    size_t k = c->how->folds;
    sg_status st = sg_prepare_usable_rows(o, true, pool, &c->rows, &c->roles, &c->usable, &all);
    sg_preprocessed_release(&all);
    if (st == SG_OK) st = check_cv_options(c);
    if (st == SG_OK) st = make_folds(c, o);
    if (st == SG_OK)
        st = c->rows.comm ? sg_options_clone(o, &c->options)
                          : sg_fold_options(o, k, sg_thread_pool_threads(pool), &c->options);
    if (st != SG_OK) return st;
    c->done = sg_calloc(k, 1);
    c->model = sg_calloc(k, sizeof *c->model);
    return c->done && c->model ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while preparing %zu folds", k);
}

/* --- cross-validation --- */

static sg_status emit_out_of_fold(const cv *c, size_t finished, sg_thread_pool *pool)
{
    sg_out_of_fold o = {.rows = &c->rows,
                        .target = c->roles.target,
                        .subset = c->usable,
                        .folds = c->folds,
                        .model = c->model,
                        .models = finished,
                        .outputs = c->roles.targets,
                        .emit = c->how->on_out_of_fold,
                        .arg = c->how->arg};
    return c->how->on_out_of_fold && finished ? sg_out_of_fold_predict(&o, pool) : SG_OK;
}

static void release_cv(cv *c)
{
    for (size_t i = 0; c->model && i < c->how->folds; i++) sg_model_free(c->model[i]);
    free(c->model);
    free(c->done);
    sg_options_free(c->options);
    sg_folds_free(c->folds);
    sg_column_roles_release(&c->roles);
    sg_subset_free(c->usable);
}

/* Runs all folds. If the rows are distributed, all ranks train one fold at a time together. */
static sg_status run_cv(cv *c, const sg_options *o, size_t *finished)
{
    sg_thread_pool *pool = NULL;
    *finished = 0;
    c->config = sg_search_config_parse(o);
    sg_status st = check_cv_options(c);
    if (st == SG_OK) st = sg_thread_pool_new(c->config.threads, &pool);
    if (st == SG_OK) st = prepare_cv(c, o, pool);
    if (st == SG_OK) st = sg_thread_pool_run_long(c->rows.comm ? NULL : pool, c->how->folds, run_fold, c);
    while (c->done && *finished < c->how->folds && c->done[*finished]) ++*finished;
    if (st == SG_OK) st = emit_out_of_fold(c, *finished, pool);
    sg_thread_pool_free(pool);
    release_cv(c);
    return st;
}

sg_status sg_cross_validate(const sg_options *o, const sg_source *rows, const sg_cv_options *how, sg_metrics *metrics,
                            size_t *finished)
{
    cv c = {.how = how, .rows = *rows, .metrics = metrics};
    return run_cv(&c, o, finished);
}

/* --- intervals --- */

/* Fits prediction intervals to the pooled residuals of all folds. */
static sg_status fit_calibration(sg_model *m, const sg_residuals *fold, size_t folds)
{
    size_t width = m->outputs + 1, rows = 0;
    for (size_t i = 0; i < folds; i++) rows += fold[i].rows;
    double *all = sg_calloc(rows, width * sizeof *all), *to = all;
    if (!all) return sg_fail_out_of_memory("residuals");
    for (size_t i = 0; i < folds; i++) {
        memcpy(to, fold[i].row, fold[i].rows * width * sizeof *to);
        to += fold[i].rows * width;
    }
    sg_status st = sg_calibration_fit(&m->calibration, all, rows, m->outputs);
    free(all);
    return st;
}

sg_status sg_model_calibrate_folds(sg_model *m, const sg_options *o, const sg_source *rows, const sg_source *valid,
                                   sg_cancel_fn *stop, void *arg)
{
    size_t folds = sg_search_config_parse(o).intervals, finished = 0;
    sg_cv_options how = {.folds = folds, .stop = stop, .arg = arg};
    if (folds == 0) return SG_OK;
    if (folds == 1) return sg_fail(SG_EINVAL, "--intervals 1: expected 0 or at least 2 folds");
    sg_options *silent = NULL; /* the training itself has already sent all notices */
    sg_residuals *fold = sg_calloc(folds, sizeof *fold);
    sg_metrics *metrics = sg_calloc(folds, m->outputs * sizeof *metrics);
    cv c = {.how = &how, .rows = *rows, .valid = valid, .residuals = fold, .metrics = metrics};
    sg_status st = fold && metrics ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while preparing %zu folds", folds);
    if (st == SG_OK) st = sg_options_clone(o, &silent);
    if (st == SG_OK) st = run_cv(&c, silent, &finished);
    if (st == SG_OK && finished == folds) st = fit_calibration(m, fold, folds);
    for (size_t i = 0; fold && i < folds; i++) free(fold[i].row);
    sg_options_free(silent);
    free(fold);
    free(metrics);
    return st;
}
