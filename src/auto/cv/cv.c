/* cv.c: see cv.h. k-fold cross-validation. Folds run side by side; each is trained by one thread, so that
 * nothing depends on how many there are. */
#include "auto/cv/cv.h"

#include "auto/search/prepare_rows.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/thread/thread_pool.h"
#include "train/eval/out_of_fold.h"
#include "train/fit/preprocess.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cv {
    const sg_cv_options *how;
    const sg_source *valid; /* or NULL */
    sg_residuals *errors;   /* (k), or NULL: nobody asks */
    sg_options *options;    /* without a listener: notices would come k times, from k threads */
    sg_source rows;         /* those that lack nothing ... */
    sg_subset *usable;      /* ... of all, or NULL: all are so */
    sg_column_roles roles;
    sg_folds *folds;
    sg_metrics *metrics;
    unsigned char *done; /* (k)                                     */
    sg_model **model;    /* (k): kept where predictions are wanted  */
    atomic_size_t work;
    atomic_int stopped;
} cv;

/* --- a fold --- */

/* What a fold's training says of itself, added to what the others say. */
typedef struct fold_progress {
    cv *cv;
    size_t done;
} fold_progress;

static int report_fold_progress(void *arg, size_t done, size_t planned)
{
    fold_progress *e = arg;
    cv *c = e->cv;
    size_t all = atomic_fetch_add(&c->work, done - e->done) + (done - e->done);
    e->done = done;
    if (c->how->stop && c->how->stop(c->how->arg, all, planned * c->how->folds)) atomic_store(&c->stopped, 1);
    return atomic_load(&c->stopped);
}

static sg_status train_fold(cv *c, const sg_source *rows, sg_model **out)
{
    fold_progress e = {c, 0};
    sg_status st = sg_train_uncalibrated(c->options, rows, c->valid, report_fold_progress, &e, out);
    if (st == SG_EDIVERGED &&
        !sg_options_is_search(c->options)) /* a search counts work, and has a sentence of its own */
        return sg_fail(st, "training diverged in iteration %zu of a fold; try a smaller --rate", e.done + 1);
    return st;
}

static sg_status run_fold(void *arg, size_t i, size_t worker)
{
    cv *c = arg;
    sg_subset *in = NULL, *out = NULL;
    sg_model *m = NULL;
    (void)worker;
    if (atomic_load(&c->stopped)) return SG_OK;
    sg_status st = sg_folds_rows(c->folds, i, false, &in);
    if (st == SG_OK) st = sg_folds_rows(c->folds, i, true, &out);
    if (st == SG_OK) {
        sg_source train = sg_subset_source(in);
        st = train_fold(c, &train, &m);
    }
    if (st == SG_OK && !atomic_load(&c->stopped)) {
        sg_source test = sg_subset_source(out);
        st = sg_model_evaluate(m, &test, sg_options_text(c->options, "weights"), 1, c->metrics + i * c->roles.targets);
        if (st == SG_OK && c->errors)
            st = sg_residuals_compute(m, &test, sg_options_text(c->options, "weights"),
                                      SG_MAX_RESIDUALS / c->how->folds, &c->errors[i]);
        c->done[i] = st == SG_OK;
    }
    if (c->how->on_out_of_fold && c->done[i]) c->model[i] = m;
    else sg_model_free(m);
    sg_subset_free(in);
    sg_subset_free(out);
    return st;
}

/* A team trains them one after the other, each together. */
static sg_status run_folds(cv *c, sg_thread_pool *pool)
{
    return sg_thread_pool_run_long(c->rows.comm ? NULL : pool, c->how->folds, run_fold, c);
}

/* --- before the first --- */

static sg_status check_cv_options(const sg_options *o, const sg_source *rows, const sg_cv_options *how)
{
    size_t k = how->folds, parts = how->ordered ? k + 1 : k;
    if (how->ordered && *sg_options_text(o, "group"))
        return sg_fail(SG_EINVAL,
                       "--group and --ordered can't go together: groups may have rows before and after any other");
    if (k >= 2 && rows->rows / 2 >= parts) return SG_OK;
    return sg_fail(SG_EDATA, "%s: %zu folds need at least %zu rows, there are %zu", sg_source_name(rows), k,
                   2 * (k < 2 ? 2 : parts), rows->rows);
}

static sg_status make_group_folds(cv *c, const sg_options *o, size_t column, uint64_t seed)
{
    sg_status st = sg_folds_grouped(&c->rows, &column, 1, c->how->folds, seed, &c->folds);
    if (st != SG_OK) return st;
    size_t blank = sg_folds_rows_without_group(c->folds);
    if (blank)
        sg_notice(o, "%zu row%s without a value in column \"%s\" %s one group", blank, blank == 1 ? "" : "s",
                  c->rows.names[column], blank == 1 ? "is" : "are");
    return SG_OK;
}

static sg_status make_folds(cv *c, const sg_options *o)
{
    size_t column;
    uint64_t seed = (uint64_t)sg_options_real(o, "seed");
    sg_status st = sg_group_column(o, &c->rows, &column);
    if (st != SG_OK) return st;
    if (column != SG_NO_COLUMN) return make_group_folds(c, o, column, seed);
    if (c->how->ordered) return sg_folds_ordered(&c->rows, c->how->folds, &c->folds);
    return sg_folds_random(&c->rows, c->how->folds, seed, &c->folds);
}

/* Each of the folds that are trained at the same time has one thread, and its share of the memory. */
static sg_status split_resources(sg_options *o, size_t threads, size_t k)
{
    char size[32];
    size_t least = 1 << 20, share = sg_options_bytes(o, "memory") / (threads < k ? threads : k);
    snprintf(size, sizeof size, "%zu", share < least ? least : share);
    sg_status st = sg_options_set(o, "memory", size);
    return st == SG_OK ? sg_options_set(o, "threads", "1") : st;
}

static sg_status alloc_folds(cv *c)
{
    size_t k = c->how->folds;
    c->done = sg_calloc(k, 1);
    c->model = sg_calloc(k, sizeof *c->model);
    return c->done && c->model ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu folds", k);
}

static sg_status prepare_cv(cv *c, const sg_options *o, sg_thread_pool *pool)
{
    sg_preprocessed all;
    sg_status st = sg_prepare_usable_rows(o, true, pool, &c->rows, &c->roles, &c->usable, &all);
    sg_preprocessed_release(&all);
    if (st == SG_OK) st = check_cv_options(o, &c->rows, c->how);
    if (st == SG_OK) st = make_folds(c, o);
    if (st == SG_OK) st = sg_options_clone(o, &c->options);
    if (st == SG_OK && !c->rows.comm) st = split_resources(c->options, sg_thread_pool_threads(pool), c->how->folds);
    return st == SG_OK ? alloc_folds(c) : st;
}

/* --- the whole --- */

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

sg_status sg_cross_validate_with_valid(const sg_options *o, const sg_source *rows, const sg_source *valid,
                                       const sg_cv_options *how, sg_residuals *errors, sg_metrics *metrics,
                                       size_t *finished)
{
    cv c = {.how = how, .rows = *rows, .valid = valid, .errors = errors, .metrics = metrics};
    sg_thread_pool *pool = NULL;
    *finished = 0;
    sg_status st = check_cv_options(o, rows, how);
    if (st == SG_OK) st = sg_thread_pool_new(sg_options_integer(o, "threads"), &pool);
    if (st == SG_OK) st = prepare_cv(&c, o, pool);
    if (st == SG_OK) st = run_folds(&c, pool);
    while (c.done && *finished < how->folds && c.done[*finished]) ++*finished;
    if (st == SG_OK) st = emit_out_of_fold(&c, *finished, pool);
    sg_thread_pool_free(pool);
    release_cv(&c);
    return st;
}

sg_status sg_cross_validate(const sg_options *o, const sg_source *rows, const sg_cv_options *how, sg_metrics *metrics,
                            size_t *finished)
{
    return sg_cross_validate_with_valid(o, rows, NULL, how, NULL, metrics, finished);
}
