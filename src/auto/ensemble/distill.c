/* distill.c: labels real and synthetic rows with a teacher's predictions, and trains students on them. */
#include "auto/search/search.h"
#include "base/memory.h"
#include "train/additive/additive_train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The kinds of students, in groups with the same base, which is trained before the group. */
static const struct student_kind {
    enum { ALONE, ON_CURVES, ON_PAIRS } base;
    size_t rules; /* 0: no rules; otherwise limited to the largest number of rules allowed */
} student_kind[] = {
    {ON_CURVES, 0}, {ON_PAIRS, 0}, {ON_CURVES, 8}, {ON_CURVES, 16},   {ON_PAIRS, 8},
    {ON_PAIRS, 16}, {ALONE, 16},   {ALONE, 32},    {ALONE, SIZE_MAX},
};
enum { KINDS = sizeof student_kind / sizeof *student_kind };

typedef struct distill_data {
    sg_search *search;
    sg_memory_table *table; /* (folds): labelled rows */
    const sg_candidate *base;
    double sign; /* sign with which the base's predictions are added to the labels: 1 or -1 */
} distill_data;

/* Adds to an ensemble the model or the trees that a candidate trained without the fold. */
static sg_status add_fold_member(const sg_candidate *c, size_t fold, double weight, sg_ensemble *to)
{
    sg_ensemble_member m = {.weight = weight, .trees = sg_candidate_best_steps(c)};
    sg_status st = c->kind == SG_CANDIDATE_TREES ? sg_tree_ensemble_ref(c->fold_trees[fold], &m.tree_ensemble)
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

/* Adds the predictions of a model, multiplied by `sign`, to the labels. */
static sg_status shift_labels(const sg_search_data *data, const sg_model *m, double sign, sg_memory_table *t)
{
    double *y = sg_calloc(t->rows.rows, data->outputs * sizeof *y);
    sg_status st = y ? sg_apply_model(m, &t->rows, y) : sg_fail_out_of_memory("a student");
    for (size_t i = 0; st == SG_OK && i < t->rows.rows; i++)
        for (size_t o = 0; o < data->outputs; o++)
            t->values[i * t->rows.columns + data->roles.target[o]] += sign * y[i * data->outputs + o];
    free(y);
    return st;
}

static sg_status shift_fold_labels(void *arg, size_t fold, size_t worker)
{
    const distill_data *data = arg;
    const sg_model *m = data->base->fold_model[fold];
    (void)worker;
    return m ? shift_labels(&data->search->data, m, data->sign, &data->table[fold]) : SG_OK;
}

static sg_status shift_all_labels(distill_data *data, const sg_candidate *base, double sign)
{
    data->base = base;
    data->sign = sign;
    return base ? sg_thread_pool_run_long(data->search->pool, data->search->plan.folds, shift_fold_labels, data)
                : SG_OK;
}

/* Returns the finalist whose structure an additive student takes over, or NULL if it is unusable. */
static const sg_candidate *find_structure(const sg_search *s, size_t base)
{
    size_t i = base == ON_CURVES ? s->curves : s->pairs;
    return i != SIZE_MAX && isfinite(s->finalist[i].error) ? &s->finalist[i] : NULL;
}

/* Returns the student that is the base of others, or NULL. */
static const sg_candidate *find_base(const sg_search *s, size_t base)
{
    for (size_t i = 0; i < s->students; i++)
        if (s->student[i].structure && s->student[i].structure == find_structure(s, base)) return &s->student[i];
    return NULL;
}

/* Appends a student if the options and the data allow it. */
static sg_status add_student(sg_search *s, const struct student_kind *kind)
{
    sg_candidate *c = &s->student[s->students];
    bool is_additive = kind->rules == 0;
    size_t most = sg_student_rules(&s->space), rules = kind->rules < most ? kind->rules : most;
    const sg_candidate *base = kind->base == ALONE || is_additive ? NULL : find_base(s, kind->base);
    if (kind->base != ALONE && !find_structure(s, kind->base)) return SG_OK;
    if (!is_additive && kind->rules != SIZE_MAX && kind->rules >= most) return SG_OK;
    if (s->space.config.aim == SG_AIM_READABLE && !is_additive) return SG_OK;
    s->students++;
    *c = (sg_candidate){.kind = is_additive ? SG_CANDIDATE_ADDITIVE : SG_CANDIDATE_RULES,
                        .structure = is_additive ? find_structure(s, kind->base) : NULL,
                        .base = base,
                        .error = INFINITY};
    return is_additive ? sg_curve_options(&s->space, kind->base == ON_PAIRS, true, &c->options)
                       : sg_student_options(&s->space, rules, base != NULL, &c->options);
}

/* Cross-validates the students from `first` on, which have the same base. */
static sg_status run_students(distill_data *data, size_t first)
{
    sg_search *s = data->search;
    sg_candidate *c = &s->student[first];
    bool is_additive = c->kind == SG_CANDIDATE_ADDITIVE;
    sg_trial_batch batch = {.data = &s->data,
                            .candidate = c,
                            .count = s->students - first,
                            .folds = s->plan.folds,
                            .max_steps = is_additive ? 0 : s->plan.distill_steps,
                            .eval_points = is_additive ? 0 : SG_STUDENT_EVAL_POINTS,
                            .fold_rows = data->table,
                            .progress = &s->progress};
    sg_status st = shift_all_labels(data, c->base, -1);
    if (st == SG_OK) st = sg_trial_batch_run(&batch, s->pool);
    return st == SG_OK ? shift_all_labels(data, c->base, 1) : st;
}

static bool is_same_group(const struct student_kind *a, const struct student_kind *b)
{
    return a->rules && b->rules && a->base == b->base;
}

static sg_status try_students(distill_data *data)
{
    sg_search *s = data->search;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < KINDS && !sg_search_progress_stopped(&s->progress);) {
        size_t first = s->students, group = i;
        for (; st == SG_OK && i < KINDS && (i == group || is_same_group(&student_kind[group], &student_kind[i])); i++)
            st = add_student(s, &student_kind[i]);
        if (st == SG_OK && s->students > first) st = run_students(data, first);
    }
    return st;
}

sg_status sg_distill_try(sg_search *s)
{
    size_t folds = s->plan.folds;
    if (s->plan.distill_steps == 0 || !isfinite(s->ensemble_error) || sg_search_progress_stopped(&s->progress))
        return SG_OK;
    distill_data data = {.search = s, .table = sg_calloc(folds, sizeof *data.table)};
    if (!data.table) return sg_fail_out_of_memory("a student");
    sg_status st = sg_thread_pool_run_long(s->pool, folds, make_fold_rows, &data);
    if (st == SG_OK) st = try_students(&data);
    for (size_t i = 0; i < folds; i++) sg_memory_table_release(&data.table[i]);
    free(data.table);
    return st;
}

/* --- the final student --- */

/* Labels of synthetic rows say nothing about the uncertainty of curves, so the standard errors are those of the fit to
 * the data. The curves of both models have the same cells. */
static void copy_bands(const sg_additive *from, sg_additive *to)
{
    for (size_t i = 0; i < from->curves; i++) {
        const sg_curve *c = &from->curve[i];
        size_t values = (c->cells + 1) * from->outputs;
        if (!c->band || !to->curve[i].band || to->curve[i].cells != c->cells) continue;
        memcpy(to->curve[i].band, c->band, values * sizeof *c->band);
        memcpy(to->curve[i].share, c->share, (c->cells + 1) * sizeof *c->share);
    }
}

/* Trains an additive student. Its structure is chosen on all real rows with their targets, not on the labels. */
static sg_status train_curves(const sg_candidate *c, const sg_source *labelled, sg_model **out)
{
    const sg_model *structure = c->structure->all_rows_model;
    sg_status st = sg_additive_refit(c->options, structure, labelled, out);
    if (st == SG_OK) copy_bands(structure->additive, (*out)->additive);
    return st;
}

/* Moves the mean of the targets into y0, so that the predictions of other models can be added. */
static void clear_mean(sg_model *m)
{
    for (size_t o = 0; o < m->outputs; o++) {
        m->y0[o] += m->mean[o] / m->scale[o];
        m->mean[o] = 0;
    }
}

/* Trains rules on the residuals of the base, and combines both into one model. */
static sg_status train_rules_on_base(sg_search *s, const sg_candidate *c, sg_memory_table *labelled, sg_model **out)
{
    sg_ensemble_member base = {.weight = 1}, rules = {.weight = 1};
    sg_ensemble sum = {0};
    sg_status st = train_curves(c->base, &labelled->rows, &base.model);
    if (st == SG_OK) st = shift_labels(&s->data, base.model, -1, labelled);
    if (st == SG_OK) st = sg_candidate_refit(c, &s->data, &labelled->rows, 0, &s->progress, &rules.model);
    if (st == SG_OK) {
        clear_mean(rules.model);
        st = sg_ensemble_add(&sum, &rules);
    } else sg_model_free(rules.model);
    sg_status added = sg_ensemble_add(&sum, &base);
    if (st == SG_OK) st = added;
    if (st == SG_OK) st = sg_ensemble_to_model(&sum, out);
    sg_ensemble_release(&sum);
    return st;
}

sg_status sg_distill_train(sg_search *s, const sg_candidate *student, sg_model **out)
{
    sg_ensemble teacher = {0};
    sg_memory_table labelled = {0};
    const sg_source *all = &s->data.table.rows;
    sg_status st = sg_ensemble_train(s, all, s->plan.teacher_seeds, &teacher);
    if (st == SG_OK) st = make_labelled_rows(s, all, &teacher, sg_synthetic_count(all->rows, true), s->pool, &labelled);
    sg_ensemble_release(&teacher);
    if (st == SG_OK && student->kind == SG_CANDIDATE_ADDITIVE) st = train_curves(student, &labelled.rows, out);
    else if (st == SG_OK && student->base) st = train_rules_on_base(s, student, &labelled, out);
    else if (st == SG_OK) st = sg_candidate_refit(student, &s->data, &labelled.rows, 0, &s->progress, out);
    sg_memory_table_release(&labelled);
    return st;
}
