/* report_data.c: samples rows, predicts their targets, and measures permutation importance for the HTML report. */
#include "export/report_data.h"

#include "base/memory.h"
#include "base/random/random.h"
#include "rows/feature_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The maximum number of conditions to evaluate for the importances, which takes a few seconds. */
static const double max_importance_work = 1e9;

static size_t sample_size(const sg_model *m, size_t rows)
{
    size_t max_rows = SG_REPORT_MAX_CELLS / (sg_model_inputs(m) + 2 * m->outputs);
    if (max_rows > SG_REPORT_MAX_ROWS) max_rows = SG_REPORT_MAX_ROWS;
    if (max_rows < SG_REPORT_MIN_ROWS) max_rows = SG_REPORT_MIN_ROWS;
    return rows < max_rows ? rows : max_rows;
}

static sg_status alloc_rows(sg_report_data *r, const sg_model *m, size_t rows)
{
    *r = (sg_report_data){.rows = sample_size(m, rows), .inputs = sg_model_inputs(m), .outputs = m->outputs};
    const sg_double_array arrays[] = {{&r->x, r->rows * r->inputs},
                                      {&r->y, r->rows * r->outputs},
                                      {&r->predicted, r->rows * r->outputs},
                                      {&r->importance, r->inputs * r->outputs}};
    r->row_index = sg_calloc(r->rows, sizeof *r->row_index);
    r->buffer = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays);
    return r->row_index && r->buffer ? SG_OK : sg_fail_out_of_memory("the rows of a report");
}

void sg_report_data_release(sg_report_data *r)
{
    free(r->row_index);
    free(r->buffer);
    *r = (sg_report_data){0};
}

/* Stores a row of the source in the form that sg_model_predict takes. e is NULL if there are no categories. */
static void store_row(sg_report_data *r, size_t i, const double *raw, const sg_column_roles *roles,
                      const sg_encoded_source *e)
{
    for (size_t k = 0; k < r->inputs; k++) r->x[i * r->inputs + k] = raw[roles->input[k]];
    for (size_t k = 0, c = 0; e && k < r->inputs; k++) {
        const sg_level_map *level = sg_encoded_source_level_map(e, c);
        if (!level || level->column != roles->input[k]) continue;
        r->x[i * r->inputs + k] = sg_level_map_find(level, raw[roles->input[k]]);
        c++;
    }
    for (size_t o = 0; o < r->outputs; o++) r->y[i * r->outputs + o] = raw[roles->target[o]];
}

static sg_status read_rows(sg_report_data *r, const sg_source *source, const sg_column_roles *roles,
                           const sg_encoded_source *e)
{
    double *raw = sg_calloc(source->columns, sizeof *raw);
    sg_status st = raw ? SG_OK : sg_fail_out_of_memory("the rows of a report");
    for (size_t i = 0; st == SG_OK && i < r->rows; i++) {
        r->row_index[i] = (size_t)((double)i * (double)source->rows / (double)r->rows);
        st = sg_source_gather(source, &r->row_index[i], 1, raw);
        if (st == SG_OK) store_row(r, i, raw, roles, e);
    }
    free(raw);
    return st;
}

/* Reads the sampled rows of the original columns. The encoded source only maps their levels to those of the model. */
static sg_status load_rows(sg_report_data *r, const sg_model *m, const sg_source *source)
{
    sg_column_roles roles;
    sg_feature_source features;
    sg_status st = sg_features_find_columns(m, source, true, NULL, &roles);
    if (st != SG_OK) return st;
    st = sg_feature_source_open(&features, m, source, true, NULL);
    if (st == SG_OK) {
        st = read_rows(r, source, &roles, features.encoded);
        sg_feature_source_close(&features);
    }
    sg_column_roles_release(&roles);
    return st;
}

/* --- permutation importance --- */

/* Returns how many rows to use: fewer for large models, and at most a few thousand, which are enough. */
static size_t importance_sample_size(const sg_report_data *r, const sg_model *m)
{
    size_t most = r->rows < SG_REPORT_MIN_ROWS ? r->rows : SG_REPORT_MIN_ROWS;
    double conditions = 1;
    for (size_t b = 0; b < m->blocks; b++) conditions += (double)m->block[b].rules * (double)(m->a.out + 1);
    double rows = max_importance_work / (conditions * (double)r->inputs);
    return rows < 50 && most > 50 ? 50 : rows < (double)most ? (size_t)rows : most;
}

/* Copies `rows` evenly spaced rows of the sample to x, with input k permuted among them. */
static void permute_input(const sg_report_data *r, size_t k, size_t rows, double *x)
{
    for (size_t i = 0; i < rows; i++) {
        size_t from = i * r->rows / rows, other = sg_random_permute(0, SG_RANDOM_SPLIT, rows, i) * r->rows / rows;
        memcpy(x + i * r->inputs, r->x + from * r->inputs, r->inputs * sizeof *x);
        x[i * r->inputs + k] = r->x[other * r->inputs + k];
    }
}

static void rms_change(const sg_report_data *r, size_t rows, const double *y, double *out)
{
    for (size_t o = 0; o < r->outputs; o++) {
        double sum = 0;
        for (size_t i = 0; i < rows; i++) {
            double d = y[i * r->outputs + o] - r->predicted[i * r->rows / rows * r->outputs + o];
            sum += d * d;
        }
        out[o] = rows ? sqrt(sum / (double)rows) : 0;
    }
}

static sg_status measure_importance(sg_report_data *r, const sg_model *m)
{
    size_t rows = importance_sample_size(r, m);
    double *x = sg_calloc(rows, r->inputs * sizeof *x), *y = sg_calloc(rows, r->outputs * sizeof *y);
    sg_predictor *p = NULL;
    sg_status st = x && y ? sg_predictor_new(m, "f64", 1, &p) : sg_fail_out_of_memory("the rows of a report");
    for (size_t k = 0; st == SG_OK && k < r->inputs; k++) {
        permute_input(r, k, rows, x);
        st = sg_predictor_run(p, x, rows, y);
        if (st == SG_OK) rms_change(r, rows, y, r->importance + k * r->outputs);
    }
    sg_predictor_free(p);
    free(x);
    free(y);
    return st;
}

sg_status sg_report_data_init(sg_report_data *r, const sg_model *m, const sg_source *source)
{
    sg_status st = alloc_rows(r, m, source->rows);
    if (st == SG_OK) st = load_rows(r, m, source);
    if (st == SG_OK) st = sg_model_predict(m, r->x, r->rows, r->predicted);
    if (st == SG_OK) st = measure_importance(r, m);
    if (st != SG_OK) sg_report_data_release(r);
    return st;
}
