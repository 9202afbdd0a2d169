/* additive_train.c: trains an additive model: the structure is chosen on a sample of the rows if there are many, and
 * fitted to all of them in one more pass. */
#include "train/additive/additive_train.h"

#include "base/memory.h"
#include "data/source/memory_table.h"
#include "train/additive/additive_intervals.h"
#include "train/additive/additive_options.h"
#include "train/additive/additive_to_model.h"
#include "train/fit/even_sample.h"
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The structure is chosen on at most this many rows. */
enum { STRUCTURE_ROWS = 65536, STRUCTURE_CELLS = 1 << 23 };
/* The number of knots of the curves that are fitted first. It is reduced, to LEAST_KNOTS at the least, so that there
 * are at most MAX_FINE_COLUMNS consequents. */
enum { FINE_KNOTS = 33, LEAST_KNOTS = 3, MAX_FINE_COLUMNS = 1200 };

typedef struct additive_job {
    sg_train_config config;
    sg_training_set set;
    sg_preprocessed prepared;
    sg_source features; /* all training rows                                     */
    sg_thread_pool *pool;
    sg_memory_table sample; /* rows for choosing the structure, if not all rows  */
    sg_source structure_rows;
    sg_additive_layout fine;
    int *monotone; /* (curves of fine)                                           */
    sg_additive_grouping grouping;
    sg_additive_progress progress;
} additive_job;

static void release_job(additive_job *j)
{
    free(j->monotone);
    sg_additive_layout_release(&j->fine);
    sg_additive_grouping_release(&j->grouping);
    sg_memory_table_release(&j->sample);
    sg_thread_pool_free(j->pool);
    sg_preprocessed_release(&j->prepared);
    sg_training_set_release(&j->set);
}

static sg_status check_options(const sg_train_config *c)
{
    const char *what = NULL;
    if (c->huber > 0) what = "--huber";
    else if (c->preprocess.pca > 0) what = "--pca";
    else if (*c->preprocess.effects) what = "--effects";
    else if (c->refit_l2 > 0) what = "--refit";
    if (what) return sg_fail(SG_EINVAL, "%s can't be used with curves (presets additive and additive-pairs)", what);
    return SG_OK;
}

static sg_status read_row(void *source, size_t row, double *x) { return sg_source_gather(source, &row, 1, x); }

/* Uses all rows if they are few, or else an evenly spaced sample. Rows of other ranks are gathered. */
static sg_status load_structure_rows(additive_job *j)
{
    const sg_source *s = &j->features;
    size_t most = STRUCTURE_CELLS / s->columns, n = most < STRUCTURE_ROWS ? most : STRUCTURE_ROWS;
    if (n < 1024) n = 1024;
    if (n > s->rows) n = s->rows;
    j->structure_rows = *s;
    if (n == s->rows && !s->comm) return SG_OK;
    sg_status st = sg_comm_agree_status(s->comm, sg_memory_table_init(&j->sample, s, n));
    if (st == SG_OK) st = sg_even_sample_gather(s, n, read_row, (void *)s, s->columns, j->sample.values);
    j->structure_rows = j->sample.rows;
    return st;
}

/* Sets *knots to the initial number of knots of each curve, or to the number of terms that the user wants. */
static sg_status choose_knots(const additive_job *j, size_t *knots)
{
    const sg_additive_config *c = &j->config.additive;
    size_t inputs = j->prepared.model->features;
    *knots = MAX_FINE_COLUMNS / inputs < FINE_KNOTS ? MAX_FINE_COLUMNS / inputs : FINE_KNOTS;
    if (*knots < LEAST_KNOTS) *knots = LEAST_KNOTS;
    if (!c->mfs) return SG_OK;
    char *end;
    unsigned long n = strtoul(c->mfs, &end, 10);
    if (*end || n < 2 || n > 100)
        return sg_fail(SG_EINVAL, "--mfs: expected one number from 2 to 100 (terms per curve), got \"%s\"", c->mfs);
    *knots = n;
    return SG_OK;
}

/* Rows of a group are in the same fold. The groups are those of --group or, without it, of rows with equal inputs. */
static sg_status find_groups(additive_job *j)
{
    const sg_column_roles *c = &j->prepared.columns;
    bool given = j->set.group != SG_NO_COLUMN;
    return sg_additive_grouping_init(&j->grouping, j->config.seed, given ? &j->set.group : c->input,
                                     given ? 1 : c->inputs, &j->structure_rows);
}

/* Choosing the structure takes about three passes over its rows. Distributed training cannot be cancelled. */
static void plan_progress(additive_job *j, sg_cancel_fn *stop, void *arg)
{
    j->progress = (sg_additive_progress){.stop = j->features.comm ? NULL : stop, .arg = arg};
    j->progress.planned = 3 * j->structure_rows.rows + j->features.rows;
}

/* Prepares the rows and their groups. */
static sg_status open_rows(additive_job *j, const sg_options *o, const sg_source *rows, bool has_valid)
{
    j->config = sg_train_config_parse(o);
    sg_status st = check_options(&j->config);
    if (st != SG_OK) return st;
    bool holdout = j->config.valid_fraction > 0 && !has_valid;
    st = sg_training_set_init(&j->set, &j->config, rows, holdout, &j->features, &j->prepared);
    if (st == SG_OK) st = sg_thread_pool_new(j->config.threads, &j->pool);
    if (st == SG_OK) st = load_structure_rows(j);
    return st == SG_OK ? sg_comm_agree_status(j->features.comm, find_groups(j)) : st;
}

static sg_status open_job(additive_job *j, const sg_options *o, const sg_source *rows, bool has_valid)
{
    size_t knots;
    sg_status st = open_rows(j, o, rows, has_valid);
    if (st == SG_OK) st = choose_knots(j, &knots);
    if (st == SG_OK)
        st = sg_additive_layout_fine(&j->structure_rows, &j->features, &j->prepared, o, knots, j->pool, &j->fine);
    if (st != SG_OK) return st;
    j->monotone = sg_calloc(j->fine.part->curves, sizeof *j->monotone);
    return j->monotone ? SG_OK : sg_fail_out_of_memory("curves");
}

static sg_status choose_structure(additive_job *j, const sg_source *rows, sg_additive_plan *plan)
{
    const sg_additive_config *c = &j->config.additive;
    const sg_model *m = j->prepared.model;
    sg_structure_search s = {.rows = &j->structure_rows,
                             .prepared = &j->prepared,
                             .fine = j->fine.part,
                             .grouping = &j->grouping,
                             .pool = j->pool,
                             .progress = &j->progress,
                             .monotone = j->monotone,
                             .keeps_knots = c->mfs != NULL,
                             .smoothing = c->smoothing};
    sg_status st = sg_additive_parse_monotone(c, rows, m, j->fine.part, j->monotone);
    if (st == SG_OK) st = sg_additive_parse_pairs(c, rows, m, &s);
    if (st == SG_OK) st = sg_additive_structure_choose(&s, plan);
    free(s.forced);
    return st;
}

/* Sums all rows or, if the training is cancelled, only the rows on which the structure was chosen. */
static sg_status sum_rows(additive_job *j, const sg_additive *layout, sg_additive_sums *sums)
{
    sg_additive_progress *p = &j->progress;
    size_t planned = p->planned - j->features.rows; /* some of the work planned so far may have been skipped */
    if (atomic_load(&p->done) < planned) atomic_store(&p->done, planned);
    sg_status st = SG_OK;
    if (!sg_additive_stopped(p))
        st = sg_additive_sums_compute(&j->features, &j->prepared, layout, &j->grouping, p, j->pool, sums);
    if (st != SG_OK || !sg_additive_stopped(p)) return st;
    sg_additive_sums_release(sums);
    return sg_additive_sums_compute(&j->structure_rows, &j->prepared, layout, &j->grouping, NULL, j->pool, sums);
}

/* Returns the cross-validated RMSE, pooled over the targets, or NaN if there was only one group of rows. */
static double cross_validated_rmse(const additive_job *j, const sg_additive_fit *f)
{
    const sg_model *m = j->prepared.model;
    double sum = 0;
    bool known = false;
    for (size_t k = 0; k < SG_ADDITIVE_FOLDS; k++) known |= f->fold_weight[k] > 0;
    for (size_t o = 0; o < m->outputs; o++) sum += m->scale[o] * m->scale[o] * f->variance[o] * f->output_error[o];
    return known ? sqrt(sum / (double)m->outputs) : (double)NAN;
}

/* Fits the structure to all rows. */
static sg_status fit_model(additive_job *j, const sg_additive_plan *plan, double *valid_rmse)
{
    sg_additive_layout layout = {0};
    sg_additive_sums sums = {0};
    sg_additive_fit fit = {0};
    size_t knots = j->config.additive.mfs ? 0 : sg_additive_plan_chosen_knots(plan);
    double optimism = sg_additive_optimism(knots, (double)j->structure_rows.rows);
    sg_status st = sg_additive_plan_layout(plan, &layout);
    if (st == SG_OK) st = sum_rows(j, layout.part, &sums);
    if (st == SG_OK) st = sg_additive_plan_fit(plan, layout.part, &sums, &fit);
    if (st == SG_OK)
        st = sg_additive_calibrate(&fit, &j->structure_rows, &j->prepared, &j->grouping, optimism, j->prepared.model);
    if (st == SG_OK) st = sg_additive_fit_finish(&fit);
    if (st == SG_OK) st = sg_additive_to_model(&fit, j->prepared.model);
    if (st == SG_OK) *valid_rmse = optimism * cross_validated_rmse(j, &fit);
    sg_additive_fit_release(&fit);
    sg_additive_sums_release(&sums);
    sg_additive_layout_release(&layout);
    return st;
}

/* Fits the layout of another model to all rows. */
static sg_status refit_model(additive_job *j, const sg_additive *like, double *valid_rmse)
{
    sg_additive_layout layout = {0};
    sg_additive_sums sums = {0};
    sg_additive_fit fit = {0};
    sg_status st = sg_additive_layout_copy(like, j->prepared.model, &layout);
    st = sg_comm_agree_status(j->features.comm, st);
    if (st == SG_OK)
        st = sg_additive_sums_compute(&j->features, &j->prepared, layout.part, &j->grouping, NULL, j->pool, &sums);
    if (st == SG_OK) st = sg_additive_layout_fit(layout.part, &sums, j->config.additive.smoothing, &fit);
    if (st == SG_OK) st = sg_additive_fit_finish(&fit);
    if (st == SG_OK) st = sg_additive_to_model(&fit, j->prepared.model);
    if (st == SG_OK) *valid_rmse = cross_validated_rmse(j, &fit);
    sg_additive_fit_release(&fit);
    sg_additive_sums_release(&sums);
    sg_additive_layout_release(&layout);
    return st;
}

static sg_status check_finite(const sg_model *m)
{
    for (size_t i = 0; i < m->parameters; i++)
        if (!(fabs(m->theta[i]) <= SG_MODEL_MAX_ABS))
            return sg_fail(SG_EDIVERGED, "the curves have values that are not finite");
    return SG_OK;
}

/* Computes the RMSE on the validation rows or on the holdout, if there are any. */
static sg_status validate_model(const additive_job *j, const sg_source *valid, double *rmse)
{
    sg_source holdout;
    sg_metrics *metrics = sg_calloc(j->prepared.model->outputs, sizeof *metrics);
    double sum = 0;
    if (!metrics) return sg_fail_out_of_memory("the validation");
    if (!valid && j->set.holdout) {
        holdout = sg_subset_source(j->set.holdout);
        valid = &holdout;
    }
    sg_status st =
        valid ? sg_model_evaluate(j->prepared.model, valid, j->config.weights, j->config.threads, metrics) : SG_OK;
    for (size_t o = 0; o < j->prepared.model->outputs; o++) sum += metrics[o].rmse * metrics[o].rmse;
    if (st == SG_OK && valid) *rmse = sqrt(sum / (double)j->prepared.model->outputs);
    free(metrics);
    return st;
}

/* Writes the training record, and moves the model to *out. */
static sg_status finish_model(additive_job *j, double valid_rmse, sg_model **out)
{
    sg_learning_curve curve = {0};
    sg_record *r = &j->prepared.model->record;
    sg_status st = sg_record_start(r, &j->config, &j->prepared);
    if (st == SG_OK) st = sg_record_finish(r, 0, 0, valid_rmse, &curve);
    if (st != SG_OK) return st;
    *out = j->prepared.model;
    j->prepared.model = NULL;
    return SG_OK;
}

sg_status sg_additive_refit(const sg_options *o, const sg_model *like, const sg_source *rows, sg_model **out)
{
    additive_job j = {0};
    double rmse = NAN;
    sg_status st = open_rows(&j, o, rows, false);
    if (st == SG_OK) st = refit_model(&j, like->additive, &rmse);
    if (st == SG_OK) st = check_finite(j.prepared.model);
    if (st == SG_OK) st = finish_model(&j, rmse, out);
    release_job(&j);
    return st;
}

sg_status sg_additive_train(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop,
                            void *arg, sg_model **out)
{
    additive_job j = {0};
    sg_additive_plan plan = {0};
    double rmse = NAN;
    sg_status st = open_job(&j, o, rows, valid);
    if (st == SG_OK) plan_progress(&j, stop, arg);
    if (st == SG_OK) st = choose_structure(&j, rows, &plan);
    if (st == SG_OK) st = fit_model(&j, &plan, &rmse);
    if (st == SG_OK) st = check_finite(j.prepared.model);
    if (st == SG_OK) st = validate_model(&j, valid, &rmse);
    if (st == SG_OK) st = finish_model(&j, rmse, out);
    if (plan.curve) sg_additive_plan_release(&plan);
    release_job(&j);
    return st;
}

/* Selecting pairs takes about the same time for any number of rows. In addition, three passes over the rows are
 * needed. */
size_t sg_additive_train_cost(size_t rows, size_t inputs)
{
    double selection = inputs > 1 ? 300e6 : 10e6, per_row = 3 * (16 * (double)inputs * (double)inputs + 2000);
    return (size_t)(selection + per_row * (double)rows);
}
