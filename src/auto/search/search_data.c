/* search_data.c: loads the rows of a search into memory, splits them into folds, measures prediction errors, and
 * applies models to whole sources. */
#include "auto/search/search_data.h"

#include "auto/search/search_options.h"
#include "base/memory.h"
#include "prep/encoder.h"
#include "rows/chunk_loader.h"
#include "rows/feature_source.h"
#include "train/eval/folds.h"
#include "train/fit/even_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 65536, MAX_CELLS = 1 << 22, MAX_TARGETS = 1 << 18, MIN_ROWS = 1024 };

/* --- loading --- */

void sg_search_data_release(sg_search_data *data)
{
    for (size_t i = 0; data->fold && i < data->folds; i++) {
        sg_subset_free(data->fold[i].train_subset);
        sg_subset_free(data->fold[i].valid_subset);
        free(data->fold[i].valid_row);
    }
    free(data->fold);
    sg_memory_table_release(&data->table);
    free(data->targets);
    free(data->row_weight);
    free(data->is_category);
    free(data->clip_low);
    sg_column_roles_release(&data->roles);
    *data = (sg_search_data){0};
}

/* Returns the number of rows to load. It is limited to save memory for the rows and for the candidates' predictions. */
static size_t sample_size(const sg_source *s, size_t targets)
{
    size_t most = MAX_CELLS / s->columns < MAX_ROWS ? MAX_CELLS / s->columns : MAX_ROWS;
    if (most > MAX_TARGETS / targets) most = MAX_TARGETS / targets;
    if (most < MIN_ROWS) most = MIN_ROWS;
    return s->rows < most ? s->rows : most;
}

static sg_status read_row(void *source, size_t row, double *x) { return sg_source_gather(source, &row, 1, x); }

/* Computes the variances and the clipping limits of the targets. clip: the margin around the range of a target,
 * relative to that range. */
static void find_target_ranges(sg_search_data *data, double clip)
{
    size_t n = data->rows, outputs = data->outputs;
    for (size_t o = 0; o < outputs; o++) {
        double sum = 0, weight = 0, squares = 0, low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            double y = data->targets[i * outputs + o];
            low = fmin(low, y);
            high = fmax(high, y);
            sum += data->row_weight[i] * y;
            weight += data->row_weight[i];
        }
        for (size_t i = 0; i < n; i++) {
            double d = data->targets[i * outputs + o] - sum / weight;
            squares += data->row_weight[i] * d * d;
        }
        data->variance[o] = squares > 0 ? squares / weight : 1;
        double margin = isinf(clip) ? clip : clip * (high - low);
        data->clip_low[o] = low - margin;
        data->clip_high[o] = high + margin;
    }
}

/* Returns the number of features of an input. Numeric categories have no list of levels, so the maximum is assumed. */
static size_t count_levels(const sg_search_data *data, size_t input)
{
    const sg_source *s = &data->table.schema;
    size_t n = 0;
    if (!data->is_category[input]) return 1;
    while (s->level && n < SG_ONE_HOT_MAX && s->level(s->self, data->roles.input[input], n)) n++;
    return n ? n : SG_ONE_HOT_MAX;
}

static void extract_targets(sg_search_data *data)
{
    for (size_t i = 0; i < data->rows; i++) {
        const double *row = data->table.values + i * data->table.rows.columns;
        for (size_t t = 0; t < data->outputs; t++) data->targets[i * data->outputs + t] = row[data->roles.target[t]];
        data->row_weight[i] = data->roles.weight == SG_NO_COLUMN ? 1 : row[data->roles.weight];
    }
}

static sg_status alloc_data(sg_search_data *data, const sg_source *source)
{
    size_t n = data->rows;
    sg_status st = sg_memory_table_init(&data->table, source, n);
    data->targets = sg_calloc(n, data->outputs * sizeof *data->targets);
    data->row_weight = sg_calloc(n, sizeof *data->row_weight);
    data->clip_low = sg_calloc(3 * data->outputs, sizeof *data->clip_low);
    data->is_category = sg_calloc(data->inputs, sizeof *data->is_category);
    if (st != SG_OK) return st;
    if (!data->targets || !data->row_weight || !data->clip_low || !data->is_category)
        return sg_fail_out_of_memory("the rows of a search");
    data->clip_high = data->clip_low + data->outputs;
    data->variance = data->clip_high + data->outputs;
    return SG_OK;
}

sg_status sg_search_data_init(sg_search_data *data, const sg_options *o, const sg_source *source)
{
    *data = (sg_search_data){0};
    sg_status st = sg_column_roles_from_options(o, source, &data->roles);
    if (st != SG_OK) return sg_comm_agree_status(source->comm, st);
    data->inputs = data->roles.inputs;
    data->outputs = data->roles.targets;
    data->rows = sample_size(source, data->outputs);
    data->has_all_rows = data->rows == source->rows;
    st = sg_comm_agree_status(source->comm, alloc_data(data, source));
    if (st == SG_OK)
        st = sg_even_sample_gather(source, data->rows, read_row, &data->table.schema, source->columns,
                                   data->table.values);
    if (st != SG_OK) {
        sg_search_data_release(data);
        return st;
    }
    for (size_t i = 0; i < data->inputs; i++) {
        data->is_category[i] = sg_column_is_category(o, source, data->roles.input[i]);
        data->features += count_levels(data, i);
    }
    extract_targets(data);
    find_target_ranges(data, sg_search_config_parse(o).clip);
    return SG_OK;
}

/* --- folds --- */

static sg_status make_fold(const sg_folds *folds, size_t k, sg_cv_fold *fold)
{
    sg_status st = sg_folds_rows(folds, k, false, &fold->train_subset);
    if (st == SG_OK) st = sg_folds_rows(folds, k, true, &fold->valid_subset);
    if (st != SG_OK) return st;
    fold->train = sg_subset_source(fold->train_subset);
    fold->valid = sg_subset_source(fold->valid_subset);
    fold->valid_row = sg_calloc(fold->valid.rows, sizeof *fold->valid_row);
    for (size_t i = 0; fold->valid_row && i < fold->valid.rows; i++)
        fold->valid_row[i] = sg_subset_base_row(fold->valid_subset, i);
    return fold->valid_row ? SG_OK : sg_fail_out_of_memory("the rows of a search");
}

sg_status sg_search_data_split(sg_search_data *data, const sg_options *o, size_t folds, uint64_t seed)
{
    sg_folds *f = NULL;
    size_t group;
    sg_status st = sg_group_column(o, &data->table.rows, &group);
    if (st != SG_OK) return st;
    bool has_group = group != SG_NO_COLUMN;
    st = sg_folds_grouped(&data->table.rows, has_group ? &group : data->roles.input, has_group ? 1 : data->inputs,
                          folds, seed, &f);
    if (st != SG_OK) return st;
    data->fold = sg_calloc(folds, sizeof *data->fold);
    data->folds = folds;
    if (!data->fold) st = sg_fail_out_of_memory("the rows of a search");
    for (size_t k = 0; st == SG_OK && k < folds; k++) st = make_fold(f, k, &data->fold[k]);
    sg_folds_free(f);
    return st;
}

/* --- errors --- */

void sg_search_data_clip(const sg_search_data *data, double *y, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t o = 0; o < data->outputs; o++) {
            double *v = &y[i * data->outputs + o];
            *v = *v < data->clip_low[o] ? data->clip_low[o] : *v > data->clip_high[o] ? data->clip_high[o] : *v;
        }
}

double sg_search_data_row_error(const sg_search_data *data, size_t row, const double *y)
{
    double sum = 0;
    for (size_t o = 0; o < data->outputs; o++) {
        double d = y[o] - data->targets[row * data->outputs + o];
        sum += d * d / data->variance[o];
    }
    return data->row_weight[row] * sum;
}

/* --- models applied to all rows of a source --- */

typedef struct matrix_writer {
    double *x;
    size_t width, at; /* `at`: number of rows written */
    bool z;
} matrix_writer;

static void copy_chunk(void *arg, sg_chunk_loader *l)
{
    matrix_writer *out = arg;
    memcpy(out->x + out->at * out->width, out->z ? l->rows.z : l->rows.a, l->rows.n * out->width * sizeof *out->x);
    out->at += l->rows.n;
}

sg_status sg_apply_pipeline(const sg_model *m, const sg_source *rows, bool z,
                            double *x) /* NOLINT(readability-non-const-parameter) */
{
    sg_feature_source f;
    sg_chunk_loader loader;
    matrix_writer out = {x, z ? sg_model_terms(m) : m->a.out, 0, z};
    sg_status st = sg_feature_source_open(&f, m, rows, false, NULL);
    if (st != SG_OK) return st;
    st = sg_chunk_loader_open_rows(&loader, &f.source, &f.columns, m, 1);
    if (st == SG_OK) {
        st = sg_chunk_loader_for_each(&loader, 0, rows->rows, copy_chunk, &out);
        sg_chunk_loader_release(&loader);
    }
    sg_feature_source_close(&f);
    return st;
}

static sg_status copy_predictions(void *arg, size_t first, size_t rows, const double *y)
{
    const matrix_writer *out = arg;
    memcpy(out->x + first * out->width, y, rows * out->width * sizeof *y);
    return SG_OK;
}

sg_status sg_apply_model(const sg_model *m, const sg_source *rows,
                         double *y) /* NOLINT(readability-non-const-parameter) */
{
    matrix_writer out = {.x = y, .width = m->outputs};
    return sg_model_predict_source(m, rows, 1, copy_predictions, &out);
}
