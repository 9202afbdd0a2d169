/* distill.c: see distill.h. */
#include "auto/ensemble/distill.h"

#include "auto/ensemble/ensemble_train.h"
#include "auto/ensemble/synthetic_rows.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- what it learns from --- */

static void label_rows(const sg_search_data *g, size_t real, const double *y, sg_memory_table *d)
{
    double weight = 0;
    for (size_t i = 0; i < g->rows; i++) weight += g->row_weight[i] / (double)g->rows;
    for (size_t i = 0; i < d->rows.rows; i++) {
        double *row = d->values + i * d->rows.columns;
        for (size_t o = 0; o < g->outputs; o++) row[g->roles.target[o]] = y[i * g->outputs + o];
        if (i >= real && g->roles.weight != SG_NO_COLUMN) row[g->roles.weight] = weight;
    }
}

/* Rows of `from`, and others, with the teacher's answers. */
static sg_status make_labelled_rows(sg_search *s, const sg_source *from, const sg_ensemble *teacher, size_t count,
                                    sg_thread_pool *pool, sg_memory_table *out)
{
    const sg_search_data *g = &s->data;
    sg_status st = sg_synthetic_rows(g, from, count, s->seed, pool, out);
    if (st != SG_OK) return st;
    double *y = sg_calloc(out->rows.rows, g->outputs * sizeof *y);
    st = y ? sg_ensemble_predict(teacher, g, &out->rows, y) : sg_fail(SG_ENOMEM, "out of memory for a student");
    if (st == SG_OK) label_rows(g, from->rows, y, out);
    else sg_memory_table_release(out);
    sg_search_progress_add(&s->progress,
                           sg_ensemble_predict_cost(teacher, count) + sg_synthetic_cost(from->rows, g->inputs, count));
    free(y);
    return st;
}

/* Many rules, and long: what a teacher says has no noise. */
static sg_status make_student_options(const sg_search *s, sg_options **out)
{
    static const char *const option[][2] = {
        {"centres", "kmeans-y"}, {"width", "1"},   {"firing", "product"}, {"l2", "0.00001"},
        {"noise", "0"},          {"drop", "none"}, {"batch", "256"},
    };
    char rules[32];
    sg_hyperparams usual = sg_hyperparams_default(&s->space);
    sg_status st = sg_hyperparams_to_options(&s->space, &usual, out);
    for (size_t i = 0; st == SG_OK && i < sizeof option / sizeof *option; i++)
        if (!sg_options_is_set(s->user, option[i][0])) st = sg_options_set(*out, option[i][0], option[i][1]);
    if (st == SG_OK && s->space.level_count[1] > 1) st = sg_options_set(*out, "scale", "quantile");
    if (st == SG_OK && s->space.is_large && sg_search_space_allows_low_rank(&s->space))
        st = sg_options_set(*out, "low-rank", "3");
    snprintf(rules, sizeof rules, "%zu", sg_search_distill_rules(s));
    return st == SG_OK ? sg_options_set(*out, "rules", rules) : st;
}

/* --- on parts --- */

typedef struct distill_data {
    sg_search *search;
    sg_memory_table *table; /* (parts) */
} distill_data;

static sg_status get_fold_rows(void *arg, size_t part, const sg_source **train)
{
    *train = &((distill_data *)arg)->table[part].rows;
    return SG_OK;
}

/* Its members have not seen the part. */
static sg_status make_fold_rows(void *arg, size_t part, size_t worker)
{
    distill_data *data = arg;
    sg_search *s = data->search;
    sg_ensemble teacher = {0};
    sg_status st = SG_OK;
    (void)worker;
    for (size_t i = 0; st == SG_OK && i < s->finalists; i++)
        if (s->ensemble_weight[i] > 0)
            st = sg_candidate_add_fold_member(&s->finalist[i], part, s->ensemble_weight[i], &teacher);
    const sg_source *rows = &s->data.fold[part].train;
    if (st == SG_OK)
        st = make_labelled_rows(s, rows, &teacher, sg_synthetic_count(rows->rows, false), NULL, &data->table[part]);
    sg_ensemble_release(&teacher);
    return st;
}

sg_status sg_distill_try(sg_search *s, sg_candidate *out)
{
    size_t parts = s->plan.screen_folds;
    distill_data data = {s, sg_calloc(parts, sizeof *data.table)};
    *out = (sg_candidate){.error = INFINITY};
    if (!data.table) return sg_fail(SG_ENOMEM, "out of memory for a student");
    sg_status st = make_student_options(s, &out->options);
    if (st == SG_OK) st = sg_thread_pool_run_long(s->pool, parts, make_fold_rows, &data);
    sg_trial_batch r = {.data = &s->data,
                        .candidate = out,
                        .count = 1,
                        .folds = parts,
                        .max_steps = s->plan.distill_steps,
                        .eval_points = s->plan.eval_points,
                        .fold_rows = get_fold_rows,
                        .arg = &data,
                        .progress = &s->progress};
    if (st == SG_OK) st = sg_trial_batch_run(&r, s->pool);
    for (size_t i = 0; i < parts; i++) sg_memory_table_release(&data.table[i]);
    free(data.table);
    return st;
}

/* --- on all rows --- */

sg_status sg_distill_train(sg_search *s, const sg_candidate *student, sg_model **out)
{
    sg_ensemble teacher = {0};
    sg_memory_table desk = {0};
    const sg_source *all = &s->data.table.rows;
    sg_status st = sg_ensemble_train(s, all, s->plan.teacher_seeds, &teacher);
    if (st == SG_OK) st = make_labelled_rows(s, all, &teacher, sg_synthetic_count(all->rows, true), s->pool, &desk);
    sg_ensemble_release(&teacher);
    if (st == SG_OK) st = sg_candidate_refit(student, &s->data, &desk.rows, 0, &s->progress, out);
    sg_memory_table_release(&desk);
    return st;
}
