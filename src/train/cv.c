/* cv.c: k-fold cross-validation. Folds run side by side; each is trained by one thread, so that
 * nothing depends on how many there are. */
#include "base/memory.h"
#include "base/options.h"
#include "base/pool.h"
#include "train/prepare.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct folds {
    sg_options *options; /* without a listener: notices would come k times, from k threads */
    const sg_source *rows;
    size_t k, outputs, planned;
    uint64_t seed;
    sg_stop_fn *stop;
    void *arg;
    sg_metrics *metrics;
    unsigned char *done; /* (k) */
    atomic_size_t iterations;
    atomic_int stopped;
} folds;

/* [first, last) of the shuffled rows is left out in fold i. */
static size_t boundary(const folds *f, size_t i)
{
    return f->rows->rows / f->k * i + f->rows->rows % f->k * i / f->k;
}

static sg_status train_on(folds *f, const sg_source *rows, sg_model **out)
{
    sg_trainer *t;
    sg_progress p = {.more = 1};
    sg_status st = sg_trainer_new(f->options, rows, NULL, &t);
    if (st != SG_OK) return st;
    while (st == SG_OK && p.more && !atomic_load(&f->stopped)) {
        st = sg_trainer_step(t, &p);
        size_t done = atomic_fetch_add(&f->iterations, 1) + 1;
        if (st == SG_OK && f->stop && f->stop(f->arg, done, f->planned)) atomic_store(&f->stopped, 1);
    }
    if (st == SG_OK) st = sg_trainer_model(t, out);
    sg_trainer_free(t);
    if (st == SG_EDIVERGED)
        return sg_fail(st, "training diverged in iteration %zu of a fold; try a smaller --rate", p.iteration);
    return st;
}

static sg_status one_fold(void *arg, size_t i, size_t worker)
{
    folds *f = arg;
    sg_subset *in = NULL, *out = NULL;
    sg_model *m = NULL;
    size_t first = boundary(f, i), last = boundary(f, i + 1);
    (void)worker;
    if (atomic_load(&f->stopped)) return SG_OK;
    sg_status st = sg_subset_split(f->rows, f->seed, first, last, 0, &in);
    if (st == SG_OK) st = sg_subset_split(f->rows, f->seed, first, last, 1, &out);
    if (st == SG_OK) {
        sg_source train = sg_subset_source(in);
        st = train_on(f, &train, &m);
    }
    if (st == SG_OK && !atomic_load(&f->stopped)) {
        sg_source test = sg_subset_source(out);
        st = sg_model_evaluate(m, &test, sg_options_text(f->options, "weights"), 1,
                               f->metrics + i * f->outputs);
        f->done[i] = st == SG_OK;
    }
    sg_model_free(m);
    sg_subset_free(in);
    sg_subset_free(out);
    return st;
}

/* A team trains them one after the other, each together. */
static sg_status run_folds(folds *f, sg_pool *pool)
{
    return sg_pool_run_long(f->rows->team ? NULL : pool, f->k, one_fold, f);
}

/* Mistakes and notices are about all rows, once, and not about a fold's. Rows that lack a target are in none:
 * *rows becomes the others, in *usable. */
static sg_status check_all(const sg_options *o, sg_source *rows, sg_pool *pool, size_t *outputs, sg_subset **usable)
{
    sg_roles roles;
    sg_prepared all;
    sg_survey survey = {0};
    sg_status st = sg_roles_choose(o, rows, &roles);
    if (st != SG_OK) return st;
    *outputs = roles.targets;
    st = sg_survey_rows(rows, &roles, pool, &survey);
    if (st == SG_OK) sg_tell_lacking(o, &roles, survey.lacking, "");
    if (st == SG_OK && survey.lacking) st = sg_usable_rows(rows, &roles, true, usable);
    if (*usable) *rows = sg_subset_source(*usable);
    sg_survey_release(&survey);
    sg_roles_release(&roles);
    if (st == SG_OK) st = sg_prepare_raw(o, rows, pool, &all);
    if (st == SG_OK) sg_prepared_release(&all);
    return st;
}

static sg_status check_folds(const sg_source *rows, size_t k)
{
    if (k >= 2 && rows->rows >= 2 * k) return SG_OK;
    return sg_fail(SG_EDATA, "%s: %zu folds need at least %zu rows, there are %zu", sg_source_name(rows), k,
                   2 * (k < 2 ? 2 : k), rows->rows);
}

/* Each of the folds that are trained at the same time has one thread, and its share of the memory. */
static sg_status share_out(sg_options *o, size_t threads, size_t k)
{
    char size[32];
    size_t least = 1 << 20, share = sg_options_bytes(o, "memory") / (threads < k ? threads : k);
    snprintf(size, sizeof size, "%zu", share < least ? least : share);
    sg_status st = sg_options_set(o, "memory", size);
    return st == SG_OK ? sg_options_set(o, "threads", "1") : st;
}

sg_status sg_cross_validate(const sg_options *o, const sg_source *rows, size_t k, sg_stop_fn *stop,
                            void *arg, sg_metrics *out, size_t *finished)
{
    sg_source used = *rows;
    sg_subset *usable = NULL;
    folds f = {.rows = &used, .k = k, .stop = stop, .arg = arg, .metrics = out,
               .seed = (uint64_t)sg_options_number(o, "seed"),
               .planned = k * sg_options_size(o, "iters")};
    sg_pool *pool = NULL;
    sg_status st = check_folds(rows, k);
    if (st == SG_OK) st = sg_pool_new(sg_options_size(o, "threads"), &pool);
    if (st == SG_OK) st = check_all(o, &used, pool, &f.outputs, &usable);
    if (st == SG_OK) st = check_folds(&used, k);
    if (st == SG_OK) st = sg_options_clone(o, &f.options);
    if (st == SG_OK && !used.team) st = share_out(f.options, sg_pool_threads(pool), k);
    f.done = sg_alloc(k, 1);
    if (st == SG_OK && !f.done) st = sg_fail(SG_ENOMEM, "out of memory for %zu folds", k);
    if (st == SG_OK) st = run_folds(&f, pool);
    for (*finished = 0; f.done && *finished < k && f.done[*finished];) ++*finished;
    free(f.done);
    sg_pool_free(pool);
    sg_options_free(f.options);
    sg_subset_free(usable);
    return st;
}
