/* additive_partial_fit.c: updates the consequents of an additive model with more rows. Knots, terms, pairs and levels
 * stay the same.
 *
 * The earlier rows are not available. They are represented by rows that the model predicts up to noise, with the Gram
 * matrix of prior_rows.h. The change of the consequents is penalised in the same way as the consequents are in
 * training, with strengths chosen by restricted maximum likelihood. */
#include "base/memory.h"
#include "train/additive/additive_fit.h"
#include "train/additive/additive_to_model.h"
#include "train/additive/prior_rows.h"
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct update {
    sg_trainer *rows; /* the prepared rows */
    const sg_model *before;
    double earlier;     /* number of earlier rows                                              */
    double *theta;      /* (columns, outputs): consequents before the update, transformed      */
    double *prior;      /* (columns, columns): lower triangle of the Gram matrix of an earlier row */
    double *right_side; /* (columns, outputs) */
    sg_additive_sums sums;
    sg_additive_fit fit;
} update;

static double recorded_number(const sg_model *m, const char *name)
{
    for (size_t i = 0; i < m->record.entries; i++)
        if (strcmp(m->record.entry[i].name, name) == 0) return strtod(m->record.entry[i].value, NULL);
    return NAN;
}

static sg_status check_model(const sg_model *m, const sg_source *rows)
{
    if (!m->additive || m->blocks)
        return sg_fail(SG_EINVAL,
                       "only models that consist of curves and pairs can be updated; see sg_trainer_continue");
    for (size_t i = 0; i < m->additive->curves; i++)
        if (!m->additive->curve[i].share || !(recorded_number(m, "rows") > 0))
            return sg_fail(SG_EINVAL,
                           "the model does not record how many rows it was trained on and how they are distributed");
    return rows->comm ? sg_fail(SG_EINVAL, "a model can't be updated on a distributed source") : SG_OK;
}

/* Copies n values of a part, in transformed units. Returns the end of the copies. */
static double *copy_values(const sg_model *m, const double *value, size_t n, double *to)
{
    for (size_t i = 0; i < n; i++)
        for (size_t o = 0; o < m->outputs; o++) *to++ = value[i * m->outputs + o] / m->scale[o];
    return to;
}

/* The constant stays 0: targets are relative to the mean of the model. */
static void load_theta(const sg_model *m, double *theta)
{
    const sg_additive *s = m->additive;
    double *to = theta + m->outputs;
    for (size_t i = 0; i < s->curves; i++) to = copy_values(m, s->curve[i].value, s->curve[i].cells + 1, to);
    for (size_t i = 0; i < s->pairs; i++) to = copy_values(m, s->pair[i].value, sg_pair_cells(s, &s->pair[i]), to);
}

/* Adds factor * G b to c, and factor * b'(2 c + factor * G b) to squares: the same as increasing the targets by factor
 * * phi'b.
 * */
static void shift_targets(sg_normal_equations e, size_t n, size_t outputs, const double *b, double factor)
{
    for (size_t i = 0; i < n; i++)
        for (size_t o = 0; o < outputs; o++) {
            double row = 0;
            for (size_t j = 0; j < n; j++) row += (j <= i ? e.gram[i * n + j] : e.gram[j * n + i]) * b[j * outputs + o];
            double *c = &e.cross[i * outputs + o];
            e.squares[o] += factor * b[i * outputs + o] * (2 * *c + factor * row);
            *c += factor * row;
        }
}

/* Adds the earlier rows. Their targets are the predictions of the model, with residuals whose root mean square is
 * valid_rmse or, if that is unknown, the same as on the new rows. */
static void add_earlier_rows(const update *u, sg_normal_equations e)
{
    const size_t n = u->sums.columns;
    double rmse = recorded_number(u->before, "valid_rmse"), weight = e.gram[0];
    for (size_t o = 0; o < u->sums.outputs; o++) {
        double scaled = rmse / u->before->scale[o], noise = isnan(rmse) ? e.squares[o] / weight : scaled * scaled;
        e.squares[o] += u->earlier * noise;
    }
    for (size_t i = 0; i < n * n; i++) e.gram[i] += u->earlier * u->prior[i];
}

static sg_status load_rows(update *u, const sg_model *m, const sg_options *o, const sg_source *rows)
{
    u->rows = sg_calloc(1, sizeof *u->rows);
    if (!u->rows) return sg_fail_out_of_memory("rows");
    u->rows->config = sg_train_config_parse(o);
    u->earlier = recorded_number(m, "rows");
    sg_status st = sg_thread_pool_new(u->rows->config.threads, &u->rows->pool);
    return st == SG_OK ? sg_trainer_load_rows(m, rows, u->rows->pool, u->rows) : st;
}

static sg_status sum_rows(update *u)
{
    const sg_preprocessed *p = &u->rows->prepared;
    sg_additive_grouping grouping;
    sg_status st = sg_additive_grouping_init(&grouping, u->rows->config.seed, p->columns.input, p->columns.inputs,
                                             &u->rows->train);
    if (st != SG_OK) return st;
    st = sg_additive_sums_compute(&u->rows->train, p, u->before->additive, &grouping, NULL, u->rows->pool, &u->sums);
    sg_additive_grouping_release(&grouping);
    return st;
}

static sg_status alloc_update(update *u)
{
    const size_t n = u->sums.columns, outputs = u->sums.outputs;
    sg_double_array arrays[] = {{&u->theta, n * outputs}, {&u->right_side, n * outputs}, {&u->prior, n * n}};
    bool ok = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays);
    return ok && sg_prior_rows_gram(u->before->additive, u->prior) ? SG_OK : sg_fail_out_of_memory("curves");
}

/* Chooses the strengths of the penalties of the change. */
static sg_status choose_penalties(update *u)
{
    enum { ROUNDS = 10 };
    sg_normal_equations all = sg_additive_sums_at(&u->sums, SG_ADDITIVE_FOLDS);
    shift_targets(all, u->sums.columns, u->sums.outputs, u->theta, -1);
    add_earlier_rows(u, all);
    sg_status st = sg_additive_fit_init(&u->fit, u->before->additive, &u->sums);
    return st == SG_OK ? sg_additive_fit_estimate_lambda(&u->fit, ROUNDS) : st;
}

/* Adds the penalty matrix times theta to the right-hand side. */
static void add_penalty(const update *u, double *c)
{
    const size_t outputs = u->sums.outputs;
    for (size_t i = 0; i < u->fit.penalties; i++)
        for (size_t k = 0; k < u->fit.penalty[i].elements; k++) {
            sg_penalty_element e = u->fit.penalty[i].element[k];
            double value = u->fit.penalty[i].lambda * e.value;
            for (size_t o = 0; o < outputs; o++) {
                c[e.row * outputs + o] += value * u->theta[e.column * outputs + o];
                if (e.row != e.column) c[e.column * outputs + o] += value * u->theta[e.row * outputs + o];
            }
        }
}

/* Solves for the new consequents, which respect the constraints, rather than for their change. */
static sg_status solve(update *u)
{
    const size_t n = u->sums.columns, outputs = u->sums.outputs;
    sg_normal_equations all = sg_additive_sums_at(&u->sums, SG_ADDITIVE_FOLDS);
    shift_targets(all, n, outputs, u->theta, 1);
    memcpy(u->right_side, all.cross, n * outputs * sizeof *all.cross);
    add_penalty(u, all.cross);
    sg_status st = sg_additive_fit_solve(&u->fit);
    memcpy(all.cross, u->right_side, n * outputs * sizeof *all.cross);
    return st == SG_OK ? sg_additive_fit_finish(&u->fit) : st;
}

/* The number of rows in the record is that of all rows so far. */
static sg_status write_model(update *u, sg_model **out)
{
    sg_preprocessed *p = &u->rows->prepared;
    sg_learning_curve curve = {0};
    sg_additive_free(p->model->additive);
    p->model->additive = NULL;
    sg_status st = sg_additive_to_model(&u->fit, p->model);
    p->rows += (size_t)u->earlier;
    if (st == SG_OK) st = sg_record_start(&p->model->record, &u->rows->config, p);
    if (st == SG_OK) st = sg_record_finish(&p->model->record, 0, 0, recorded_number(u->before, "valid_rmse"), &curve);
    if (st != SG_OK) return st;
    *out = p->model;
    p->model = u->rows->model = NULL;
    return SG_OK;
}

sg_status sg_model_update(const sg_model *m, const sg_options *o, const sg_source *rows, sg_model **out)
{
    update u = {.before = m};
    sg_status st = check_model(m, rows);
    if (st == SG_OK) st = load_rows(&u, m, o, rows);
    if (st == SG_OK) st = sum_rows(&u);
    if (st == SG_OK) st = alloc_update(&u);
    if (st == SG_OK) {
        load_theta(m, u.theta);
        st = choose_penalties(&u);
    }
    if (st == SG_OK) st = solve(&u);
    if (st == SG_OK) st = write_model(&u, out);
    free(u.theta);
    sg_additive_fit_release(&u.fit);
    sg_additive_sums_release(&u.sums);
    sg_trainer_free(u.rows);
    return st;
}
