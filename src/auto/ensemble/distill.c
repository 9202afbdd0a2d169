/* distill.c: makes synthetic rows, labels real and synthetic rows by a teacher, and trains students on them. */
#include "auto/search/search.h"
#include "base/memory.h"
#include "base/random/random.h"
#include "prep/quantile_transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- labelled rows --- */

/* Synthetic rows, those from `real` on, get the mean weight of the real ones. */
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

/* Approximate cost of predictions, in nominal nanoseconds. */
static size_t predict_cost(const sg_ensemble *e, size_t rows)
{
    size_t trees = 0;
    for (size_t i = 0; i < e->members; i++) trees += e->member[i].trees * (e->member[i].tree_ensemble != NULL);
    return rows * trees * 100;
}

/* Returns the rows of `real` and `count` synthetic ones with the teacher's predictions as targets. */
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

/* Adds the model, or trees, that a candidate trained without a fold. */
static sg_status add_fold_member(const sg_candidate *c, size_t fold, double weight, sg_ensemble *to)
{
    sg_ensemble_member m = {.weight = weight, .trees = sg_candidate_best_steps(c)};
    sg_status st = c->tree_config ? sg_tree_ensemble_ref(c->fold_trees[fold], &m.tree_ensemble)
                                  : sg_candidate_fold_model(c, fold, &m.model);
    return st == SG_OK ? sg_ensemble_add(to, &m) : st;
}

/* The teacher consists of models that were trained without the fold. */
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

/* --- synthetic rows --- */

enum {
    NEIGHBOURS = 15,
    NEIGHBOUR_CANDIDATES = 1024,
    COMMON_DIVISOR = 50,
    MIN_TRIAL_ROWS = 12000,
    MIN_FINAL_ROWS = 30000,
    ROW_FACTOR = 2,
    ROWS_PER_TASK = 256
};
static const double MISMATCH_DISTANCE = 2; /* the mean squared distance of two random numbers, in variances */
static const double SWAP_PROBABILITY = 0.5, MAX_INTERPOLATION = 0.5;

size_t sg_synthetic_count(size_t rows, bool is_final)
{
    size_t least = is_final ? MIN_FINAL_ROWS : MIN_TRIAL_ROWS;
    return ROW_FACTOR * rows > least ? ROW_FACTOR * rows : least;
}

typedef struct row_generator {
    const sg_search_data *data;
    const double *row; /* (rows, columns): real */
    size_t rows, columns;
    double *inv_variance; /* (inputs) */
    double *generated;    /* (count, columns): synthetic */
    size_t count;
    uint64_t seed;
    bool
        *is_common; /* (rows, inputs): the value is that of at least one row in COMMON_DIVISOR, perhaps a special one */
} row_generator;

/* scratch: (rows) */
static void mark_common_values(row_generator *g, size_t input, double *scratch)
{
    double value[COMMON_DIVISOR];
    size_t n = 0, values = 0, column = g->data->roles.input[input];
    for (size_t i = 0; i < g->rows; i++)
        if (!isnan(g->row[i * g->columns + column])) scratch[n++] = g->row[i * g->columns + column];
    sg_sort_doubles(scratch, n);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && scratch[next] == scratch[i];) next++;
        if ((next - i) * COMMON_DIVISOR > g->rows) value[values++] = scratch[i];
    }
    for (size_t i = 0, k; i < g->rows; i++) {
        for (k = 0; k < values && value[k] != g->row[i * g->columns + column];) k++;
        g->is_common[i * g->data->inputs + input] = k < values;
    }
}

static double inverse_variance(const row_generator *g, size_t column)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < g->rows; i++) {
        double x = g->row[i * g->columns + column];
        if (isnan(x)) continue;
        sum += x;
        n++;
    }
    for (size_t i = 0; i < g->rows; i++) {
        double d = g->row[i * g->columns + column] - sum / n;
        if (!isnan(d)) squares += d * d;
    }
    return squares > 0 ? n / squares : 0;
}

static double distance(const row_generator *g, const double *a, const double *b)
{
    const sg_column_roles *r = &g->data->roles;
    double sum = 0;
    for (size_t k = 0; k < r->inputs; k++) {
        double x = a[r->input[k]], y = b[r->input[k]], d = x - y;
        if (isnan(d) || g->data->is_category[k]) sum += x == y || (isnan(x) && isnan(y)) ? 0 : MISMATCH_DISTANCE;
        else sum += g->inv_variance[k] * d * d;
    }
    return sum;
}

/* Finds the row itself and its nearest neighbours among all rows, or a random sample of them. Returns their number. */
static size_t find_neighbours(const row_generator *g, size_t row, sg_random_stream *s, size_t *out)
{
    double least[NEIGHBOURS + 1];
    size_t n = 0, tries = g->rows < NEIGHBOUR_CANDIDATES ? g->rows : NEIGHBOUR_CANDIDATES;
    for (size_t i = 0; i < tries; i++) {
        size_t other = tries == g->rows ? i : (size_t)sg_random_stream_below(s, g->rows), k;
        double d = distance(g, g->row + row * g->columns, g->row + other * g->columns);
        if (n == NEIGHBOURS + 1 && d >= least[n - 1]) continue;
        for (k = n < NEIGHBOURS + 1 ? n++ : n - 1; k > 0 && least[k - 1] > d; k--) {
            least[k] = least[k - 1];
            out[k] = out[k - 1];
        }
        least[k] = d;
        out[k] = other;
    }
    return n;
}

/* Interpolates a random row with one neighbour, and takes some values of another neighbour. */
static void make_row(const row_generator *g, size_t i, double *out)
{
    const sg_column_roles *r = &g->data->roles;
    sg_random_stream s = sg_random_stream_at(g->seed, SG_RANDOM_DISTILL, 0, i);
    size_t near[NEIGHBOURS + 1], first = (size_t)sg_random_stream_below(&s, g->rows),
                                 n = find_neighbours(g, first, &s, near);
    size_t second = near[sg_random_stream_below(&s, n)], third = near[sg_random_stream_below(&s, n)];
    const double *a = g->row + first * g->columns, *b = g->row + second * g->columns,
                 *other = g->row + third * g->columns;
    const bool *a_common = g->is_common + first * r->inputs, *b_common = g->is_common + second * r->inputs;
    double part = sg_random_stream_uniform(&s);
    memcpy(out, a, g->columns * sizeof *out);
    for (size_t k = 0; k < r->inputs; k++) {
        size_t c = r->input[k];
        double draw = sg_random_stream_uniform(&s);
        bool swap = draw < SWAP_PROBABILITY;
        if (g->data->is_category[k] || isnan(a[c]) || isnan(b[c])) out[c] = part < 0.5 ? a[c] : b[c];
        else if (a_common[k] || b_common[k])
            out[c] = draw < SWAP_PROBABILITY / 2 ? other[c] : draw < SWAP_PROBABILITY ? b[c] : a[c];
        else out[c] = swap ? other[c] : a[c] + MAX_INTERPOLATION * part * (b[c] - a[c]);
    }
}

static sg_status make_rows(void *arg, size_t i, size_t worker)
{
    const row_generator *g = arg;
    size_t end = (i + 1) * ROWS_PER_TASK < g->count ? (i + 1) * ROWS_PER_TASK : g->count;
    (void)worker;
    for (size_t k = i * ROWS_PER_TASK; k < end; k++) make_row(g, k, g->generated + k * g->columns);
    return SG_OK;
}

size_t sg_synthetic_cost(size_t rows, size_t inputs, size_t count)
{
    return 2 * count * inputs * (rows < NEIGHBOUR_CANDIDATES ? rows : NEIGHBOUR_CANDIDATES);
}

sg_status sg_synthetic_rows(const sg_search_data *data, const sg_source *real, size_t count, uint64_t seed,
                            sg_thread_pool *pool, sg_memory_table *out)
{
    row_generator g = {.data = data, .rows = real->rows, .columns = real->columns, .count = count, .seed = seed};
    sg_status st = sg_memory_table_init(out, &data->table.rows, real->rows + count);
    if (st != SG_OK) return st;
    g.row = out->values;
    g.inv_variance = sg_calloc(data->inputs, sizeof *g.inv_variance);
    g.is_common = sg_calloc(real->rows, data->inputs * sizeof *g.is_common);
    double *scratch = sg_calloc(real->rows, sizeof *scratch);
    if (!g.inv_variance || !g.is_common || !scratch) st = sg_fail_out_of_memory("synthetic rows");
    if (st == SG_OK) st = real->read(real->self, 0, real->rows, out->values);
    for (size_t k = 0; st == SG_OK && k < data->inputs; k++) {
        g.inv_variance[k] = inverse_variance(&g, data->roles.input[k]);
        mark_common_values(&g, k, scratch);
    }
    g.generated = out->values + g.rows * g.columns;
    if (st == SG_OK) st = sg_thread_pool_run_long(pool, (count + ROWS_PER_TASK - 1) / ROWS_PER_TASK, make_rows, &g);
    free(g.inv_variance);
    free(g.is_common);
    free(scratch);
    if (st != SG_OK) sg_memory_table_release(out);
    return st;
}
