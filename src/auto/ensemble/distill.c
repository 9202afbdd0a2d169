/* distill.c: labels real and synthetic rows with a teacher's predictions, and trains students on them. */
#include "auto/search/search.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* --- labelled rows --- */

/* Labels rows with the predictions y. The rows from `real` on are
 * synthetic; their weight is the mean weight of the real rows. */
static void label_rows(const sg_search_data *data, size_t real, const double *y, sg_memory_table *t)
{
    double weight = 0;
    for (size_t i = 0; i < data->rows; i++) weight += data->row_weight[i] / (double)data->rows;
    for (size_t i = 0; i < t->rows.rows; i++) {
        double *row = t->values + i * t->rows.columns;
        for (size_t o = 0; o < data->outputs; o++) row[data->roles.target[o]] = y[i * data->outputs + o];
        if (i >= real && data->roles.weight != SG_NO_COLUMN) row[data->roles.weight] = weight;
    }
}

/* Estimates the cost of predicting `rows` rows with an ensemble, in nominal nanoseconds (search_progress.h). Counts
 * only the trees. */
static size_t predict_cost(const sg_ensemble *e, size_t rows)
{
    size_t trees = 0;
    for (size_t i = 0; i < e->members; i++) trees += e->member[i].trees * (e->member[i].tree_ensemble != NULL);
    return rows * trees * 100;
}

/* Makes a table of the real rows and `count` synthetic ones. The targets of both are the teacher's predictions. */
static sg_status make_labelled_rows(sg_search *s, const sg_source *real, const sg_ensemble *teacher, size_t count,
                                    sg_thread_pool *pool, sg_memory_table *out)
{
    const sg_search_data *data = &s->data;
    sg_status st = sg_synthetic_rows(data, real, count, s->space.config.seed, pool, out);
    if (st != SG_OK) return st;
    double *y = sg_calloc(out->rows.rows, data->outputs * sizeof *y);
    st = y ? sg_ensemble_predict(teacher, data, &out->rows, y) : sg_fail_out_of_memory("a student");
    if (st == SG_OK) label_rows(data, real->rows, y, out);
    else sg_memory_table_release(out);
    sg_search_progress_add(&s->progress,
                           predict_cost(teacher, count) + sg_synthetic_cost(real->rows, data->inputs, count));
    free(y);
    return st;
}

/* --- cross-validation --- */

typedef struct distill_data {
    sg_search *search;
    sg_memory_table *table; /* (folds) */
} distill_data;

/* Adds the model or the trees that a candidate trained without the fold to an ensemble. */
static sg_status add_fold_member(const sg_candidate *c, size_t fold, double weight, sg_ensemble *to)
{
    sg_ensemble_member m = {.weight = weight, .trees = sg_candidate_best_steps(c)};
    sg_status st = c->tree_config ? sg_tree_ensemble_ref(c->fold_trees[fold], &m.tree_ensemble)
                                  : sg_candidate_fold_model(c, fold, &m.model);
    return st == SG_OK ? sg_ensemble_add(to, &m) : st;
}

/* Makes the labelled rows of a fold. The teacher consists of models that were trained without the fold. */
static sg_status make_fold_rows(void *arg, size_t fold, size_t worker)
{
    distill_data *data = arg;
    sg_search *s = data->search;
    sg_ensemble teacher = {0};
    sg_status st = SG_OK;
    (void)worker;
    for (size_t i = 0; st == SG_OK && i < s->finalists; i++)
        if (s->ensemble_weight[i] > 0) st = add_fold_member(&s->finalist[i], fold, s->ensemble_weight[i], &teacher);
    const sg_source *rows = &s->data.fold[fold].train;
    if (st == SG_OK)
        st = make_labelled_rows(s, rows, &teacher, sg_synthetic_count(rows->rows, false), NULL, &data->table[fold]);
    sg_ensemble_release(&teacher);
    return st;
}

sg_status sg_distill_try(sg_search *s, sg_candidate *out)
{
    size_t folds = s->plan.screen_folds;
    distill_data data = {s, sg_calloc(folds, sizeof *data.table)};
    *out = (sg_candidate){.error = INFINITY};
    if (!data.table) return sg_fail_out_of_memory("a student");
    sg_status st = sg_student_options(&s->space, &out->options);
    if (st == SG_OK) st = sg_thread_pool_run_long(s->pool, folds, make_fold_rows, &data);
    sg_trial_batch batch = {.data = &s->data,
                            .candidate = out,
                            .count = 1,
                            .folds = folds,
                            .max_steps = s->plan.distill_steps,
                            .eval_points = s->plan.eval_points,
                            .fold_rows = data.table,
                            .progress = &s->progress};
    if (st == SG_OK) st = sg_trial_batch_run(&batch, s->pool);
    for (size_t i = 0; i < folds; i++) sg_memory_table_release(&data.table[i]);
    free(data.table);
    return st;
}

/* --- the final student --- */

sg_status sg_distill_train(sg_search *s, const sg_candidate *student, sg_model **out)
{
    sg_ensemble teacher = {0};
    sg_memory_table labelled = {0};
    const sg_source *all = &s->data.table.rows;
    sg_status st = sg_ensemble_train(s, all, s->plan.teacher_seeds, &teacher);
    if (st == SG_OK) st = make_labelled_rows(s, all, &teacher, sg_synthetic_count(all->rows, true), s->pool, &labelled);
    sg_ensemble_release(&teacher);
    if (st == SG_OK) st = sg_candidate_refit(student, &s->data, &labelled.rows, 0, &s->progress, out);
    sg_memory_table_release(&labelled);
    return st;
}
