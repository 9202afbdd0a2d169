/* fit_duplicate_row_rules.c: groups rows with equal inputs, and makes one rule from the residuals of each group.
 *
 * The residual of the ensemble is modelled as u + e, where the random effect u is common to all rows of a group and e
 * is not. Their variances are estimated from out-of-fold residuals; duplicates are always in the same fold. The best
 * linear prediction of u is the mean residual of the group's n rows, multiplied by n var(u) / (n var(u) + var(e)). */
#include "auto/search/search.h"
#include "auto/search/search_data.h"
#include "base/memory.h"
#include "prep/quantile_transform.h"
#include "train/eval/row_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_DUPLICATES = 20, MAX_RULES = 65536 };
static const double MIN_IMPROVEMENT = 0.98, MIN_T = 2;         /* ratio of squared errors; Student's t            */
static const double VALUE_SEPARATION = 8, MAX_STEEPNESS = 1e5; /* gap to next value in widths; limit of 1 / width */
static const double ROUNDING = 1e6;
static const double MAX_FILE_BYTES = 64e6, CONDITION_BYTES = 130; /* limit of a file; size of a condition in it */

typedef struct keyed_row {
    uint64_t key;
    size_t row;
} keyed_row;

typedef struct duplicate_groups {
    const sg_search_data *data;
    size_t rows, groups;                      /* number of rows without missing inputs; number of groups       */
    keyed_row *member;                        /* (rows): sorted by group                                     */
    size_t *first;                            /* (groups + 1): start of each group in member                 */
    double *residual;                         /* (rows of the search data, outputs)                          */
    double between_variance, within_variance; /* var(u) and var(e), relative to the variances of the targets */
} duplicate_groups;

static void release_groups(duplicate_groups *a)
{
    free(a->member);
    free(a->first);
    free(a->residual);
}

/* --- groups --- */

static int compare_keys(const void *x, const void *y)
{
    const keyed_row *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static bool has_missing(const sg_search_data *data, const double *row)
{
    for (size_t i = 0; i < data->inputs; i++)
        if (isnan(row[data->roles.input[i]])) return true;
    return false;
}

static void group_duplicates(duplicate_groups *a)
{
    const sg_search_data *data = a->data;
    for (size_t i = 0; i < data->rows; i++) {
        const double *row = data->table.values + i * data->table.rows.columns;
        if (!(data->row_weight[i] > 0) || has_missing(data, row)) continue;
        a->member[a->rows++] = (keyed_row){sg_group_key(row, data->roles.input, data->inputs), i};
    }
    qsort(a->member, a->rows, sizeof *a->member, compare_keys);
    for (size_t i = 0; i < a->rows; i++)
        if (i == 0 || a->member[i].key != a->member[i - 1].key) a->first[a->groups++] = i;
    a->first[a->groups] = a->rows;
}

static void find_oof_residuals(const sg_search *s, duplicate_groups *a)
{
    const sg_search_data *data = a->data;
    size_t cells = data->rows * data->outputs;
    for (size_t k = 0; k < cells; k++) a->residual[k] = data->targets[k];
    for (size_t i = 0; i < s->finalists; i++) {
        if (!(s->ensemble_weight[i] > 0)) continue;
        const double *y = sg_candidate_prediction(&s->finalist[i], data, s->finalist[i].best_eval, 0);
        for (size_t k = 0; k < cells; k++) a->residual[k] -= s->ensemble_weight[i] * y[k];
    }
}

/* --- variances --- */

/* Computes the weighted mean residual of a group, leaving out row `without` (SG_NO_COLUMN: none). Returns the total
 * weight. */
static double group_mean_residual(const duplicate_groups *a, size_t group, size_t without, double *mean)
{
    const sg_search_data *data = a->data;
    double weight = 0;
    memset(mean, 0, data->outputs * sizeof *mean);
    for (size_t i = a->first[group]; i < a->first[group + 1]; i++) {
        size_t row = a->member[i].row;
        if (row == without) continue;
        weight += data->row_weight[row];
        for (size_t o = 0; o < data->outputs; o++)
            mean[o] += data->row_weight[row] * a->residual[row * data->outputs + o];
    }
    for (size_t o = 0; o < data->outputs && weight > 0; o++) mean[o] /= weight;
    return weight;
}

/* Returns the weighted squared error of a row if factor * effect is added to its prediction. */
static double row_squared_error(const duplicate_groups *a, size_t row, const double *effect, double factor)
{
    const sg_search_data *data = a->data;
    double sum = 0;
    for (size_t o = 0; o < data->outputs; o++) {
        double d = a->residual[row * data->outputs + o] - factor * effect[o];
        sum += d * d / data->variance[o];
    }
    return data->row_weight[row] * sum / (double)data->outputs;
}

static size_t group_size(const duplicate_groups *a, size_t group) { return a->first[group + 1] - a->first[group]; }

/* Estimates both variances. Returns false if there are too few duplicates or var(u) <= 0. mean: scratch (outputs). */
static bool estimate_variances(duplicate_groups *a, double *mean)
{
    double within = 0, degrees = 0, all = 0, weight = 0;
    size_t duplicates = 0;
    for (size_t k = 0; k < a->groups; k++) {
        size_t n = group_size(a, k);
        if (n < 2) continue;
        double w = group_mean_residual(a, k, SG_NO_COLUMN, mean);
        for (size_t i = a->first[k]; i < a->first[k + 1]; i++) {
            within += row_squared_error(a, a->member[i].row, mean, 1);
            all += row_squared_error(a, a->member[i].row, mean, 0);
        }
        degrees += w * (double)(n - 1) / (double)n;
        weight += w;
        duplicates += n - 1;
    }
    if (duplicates < MIN_DUPLICATES) return false;
    a->within_variance = within / degrees;
    a->between_variance = all / weight - a->within_variance;
    return a->between_variance > 0;
}

static double shrinkage(const duplicate_groups *a, size_t n)
{
    return (double)n * a->between_variance / ((double)n * a->between_variance + a->within_variance);
}

/* Returns whether the error falls if each duplicate is predicted from the rest of its group. mean: scratch
 * (outputs). */
static bool improves_error(const duplicate_groups *a, double *mean, double *error)
{
    const sg_search_data *data = a->data;
    double before = 0, gain = 0, gains = 0, weight = 0, n = (double)data->rows;
    for (size_t i = 0; i < data->rows; i++) {
        before += row_squared_error(a, i, mean, 0);
        weight += data->row_weight[i];
    }
    for (size_t k = 0; k < a->groups; k++)
        for (size_t i = a->first[k]; group_size(a, k) > 1 && i < a->first[k + 1]; i++) {
            size_t row = a->member[i].row;
            group_mean_residual(a, k, row, mean);
            double d = row_squared_error(a, row, mean, 0) -
                       row_squared_error(a, row, mean, shrinkage(a, group_size(a, k) - 1));
            gain += d;
            gains += d * d;
        }
    double variance = gains / n - (gain / n) * (gain / n);
    *error = fmax(before - gain, 0) / weight;
    return before - gain < MIN_IMPROVEMENT * before && variance > 0 && gain / n > MIN_T * sqrt(variance / n);
}

/* --- rules --- */

/* Writes the distinct values of a feature in ascending order. Returns their number. */
static size_t distinct_values(const duplicate_groups *a, const double *x, size_t width, size_t feature, double *value)
{
    size_t n = 0;
    for (size_t k = 0; k < a->groups; k++) value[k] = x[a->member[a->first[k]].row * width + feature];
    sg_sort_doubles(value, a->groups);
    for (size_t k = 0; k < a->groups; k++)
        if (k == 0 || value[k] != value[k - 1]) value[n++] = value[k];
    return n;
}

static size_t value_index(const double *value, size_t n, double x)
{
    size_t low = 0;
    while (n > 1) {
        size_t half = n / 2;
        if (value[low + half] <= x) low += half;
        n -= half;
    }
    return low;
}

/* Returns 1 / width, a power of two, which is so large that the MF hardly fires at neighbouring values. */
static double bound_steepness(const double *value, size_t n, size_t i)
{
    double gap = INFINITY;
    int power;
    if (i > 0) gap = value[i] - value[i - 1];
    if (i + 1 < n) gap = fmin(gap, value[i + 1] - value[i]);
    frexp(fmin(VALUE_SEPARATION / gap, MAX_STEEPNESS), &power);
    return ldexp(1, power);
}

/* Writes the conditions on a feature, starting at MF `at`. Returns the next free MF. A constant feature has no
 * conditions. */
static size_t write_conditions(const duplicate_groups *a, const double *x, size_t feature, size_t at, double *value,
                               sg_block *b)
{
    size_t n = distinct_values(a, x, b->inputs, feature, value);
    if (n < 2) return at;
    for (size_t i = 0; i < n; i++) {
        double sharp = bound_steepness(value, n, i), p[SG_MF_MAX_PARAMETERS] = {value[i], sharp, value[i], sharp};
        b->input_of[at + i] = (uint32_t)feature;
        sg_mf_put(b, at + i, p);
    }
    for (size_t k = 0; k < a->groups; k++)
        b->mf_of[k * b->inputs + feature] =
            (int32_t)(at + value_index(value, n, x[a->member[a->first[k]].row * b->inputs + feature]));
    return at + n;
}

/* Computes the consequents from a->residual, the residuals of the ensemble trained on all rows. mean: scratch
 * (outputs). */
static void write_consequents(const duplicate_groups *a, const sg_model *m, double *mean, sg_block *b)
{
    for (size_t k = 0; k < a->groups; k++) {
        double factor = shrinkage(a, group_size(a, k));
        group_mean_residual(a, k, SG_NO_COLUMN, mean);
        for (size_t o = 0; o < b->outputs; o++)
            b->conseq[k * (b->terms + 1) * b->outputs + o] =
                floor(factor * mean[o] / m->scale[o] * ROUNDING + 0.5) / ROUNDING;
    }
}

/* Makes a block with one rule per group and one rule without conditions whose consequent is 0. On a row of a group,
 * that group's rule and the unconditional rule fire equally, which halves the consequent; the block's weight of 2
 * makes up for this. x: the rows in the view that the block sees. */
static sg_status make_duplicate_block(const duplicate_groups *a, const sg_model *m, const double *x, double *scratch,
                                      sg_model **out)
{
    sg_model *r;
    size_t width = m->shared_pipeline ? m->a.out : m->z.out, mfs = 0;
    sg_status st = sg_model_copy_without_blocks(m, &r);
    if (st != SG_OK) return st;
    memset(r->y0, 0, r->outputs * sizeof *r->y0);
    for (size_t f = 0; f < width; f++) {
        size_t n = distinct_values(a, x, width, f, scratch);
        mfs += n > 1 ? n : 0;
    }
    st = sg_model_add_block(r, &sg_mf_gauss2, mfs, a->groups + 1, 0);
    if (st == SG_OK) st = sg_model_alloc_theta(r);
    if (st == SG_OK) {
        sg_block *b = r->block;
        b->weight = 2;
        b->sees_z = !r->shared_pipeline;
        for (size_t f = 0, at = 0; f < width; f++) at = write_conditions(a, x, f, at, scratch, b);
        write_consequents(a, m, scratch, b);
        *out = r;
    } else sg_model_free(r);
    return st;
}

static sg_status append_block(duplicate_groups *a, double *scratch, sg_model **m)
{
    const sg_source *rows = &a->data->table.rows;
    size_t width = (*m)->shared_pipeline ? (*m)->a.out : (*m)->z.out;
    double *x = sg_calloc(rows->rows, width * sizeof *x);
    sg_ensemble_member both[2] = {{.model = *m, .weight = 1}, {.weight = 1}};
    sg_model *joined = NULL;
    sg_status st = x ? sg_apply_pipeline(*m, rows, !(*m)->shared_pipeline, x) : sg_fail_out_of_memory("duplicate rows");
    if (st == SG_OK) st = sg_apply_model(*m, rows, a->residual);
    for (size_t k = 0; st == SG_OK && k < rows->rows * a->data->outputs; k++)
        a->residual[k] = a->data->targets[k] - a->residual[k];
    if (st == SG_OK) st = make_duplicate_block(a, *m, x, scratch, &both[1].model);
    if (st == SG_OK) st = sg_ensemble_to_model(&(sg_ensemble){.members = 2, .member = both}, &joined);
    free(x);
    sg_model_free(both[1].model);
    if (st != SG_OK) return st;
    sg_model_free(*m);
    *m = joined;
    return SG_OK;
}

sg_status sg_duplicate_row_rules_add(sg_search *s, sg_model **m)
{
    const sg_search_data *data = &s->data;
    duplicate_groups a = {.data = data};
    double error;
    if (!s->space.config.is_ensemble || !sg_search_can_combine_trees(s)) return SG_OK;
    if (data->table.schema.comm || s->space.config.sets_group) return SG_OK;
    a.member = sg_calloc(data->rows, sizeof *a.member);
    a.first = sg_calloc(data->rows + 1, sizeof *a.first);
    a.residual = sg_calloc(data->rows, data->outputs * sizeof *a.residual);
    double *scratch = sg_calloc(data->rows + data->outputs, sizeof *scratch);
    sg_status st = a.member && a.first && a.residual && scratch ? SG_OK : sg_fail_out_of_memory("duplicate rows");
    if (st == SG_OK) {
        group_duplicates(&a);
        find_oof_residuals(s, &a);
    }
    bool fits = a.groups <= MAX_RULES && CONDITION_BYTES * (double)a.groups * (double)data->features <= MAX_FILE_BYTES;
    if (st == SG_OK && fits && estimate_variances(&a, scratch) && improves_error(&a, scratch, &error)) {
        st = append_block(&a, scratch, m);
        s->duplicate_rules_error = error;
    }
    free(scratch);
    release_groups(&a);
    return st;
}
