/* row_sample.c: see row_sample.h. */
#include "explain/global/row_sample.h"

#include "base/memory.h"
#include "predict/feature_encode.h"
#include "predict/predict_worker.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 10000, READ_ROWS = 64 };

/* --- reading --- */

static sg_status read_features(sg_row_sample *s, const sg_source *from, const sg_column_roles *columns)
{
    double *row = sg_calloc(from->columns, READ_ROWS * sizeof *row), *to = s->x;
    sg_status st = row ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t first = 0, n; st == SG_OK && first < from->rows; first += n) {
        n = from->rows - first < READ_ROWS ? from->rows - first : READ_ROWS;
        st = from->read(from->self, first, n, row);
        for (size_t i = 0; st == SG_OK && i < n; i++)
            for (size_t k = 0; k < columns->inputs; k++) *to++ = row[i * from->columns + columns->input[k]];
    }
    free(row);
    return st;
}

static sg_status init_from_source(sg_row_sample *s, const sg_source *rows)
{
    sg_column_roles columns;
    sg_source seen = *rows;
    sg_encoded_source *expanded = NULL;
    s->rows = rows->rows;
    sg_status st = sg_features_find_columns(s->model, rows, false, NULL, &columns);
    if (st != SG_OK) return st;
    st = sg_features_encode_source(s->model->encoder, &seen, &columns, &expanded);
    if (st == SG_OK && !(s->x = sg_calloc(s->rows, s->model->features * sizeof *s->x)))
        st = sg_fail(SG_ENOMEM, "out of memory for %zu rows", s->rows);
    if (st == SG_OK) st = read_features(s, &seen, &columns);
    sg_encoded_source_free(expanded);
    sg_column_roles_release(&columns);
    return st;
}

sg_status sg_row_sample_init(sg_row_sample *s, const sg_model *m, const sg_source *from)
{
    sg_subset *some = NULL;
    sg_source rows = *from;
    *s = (sg_row_sample){.model = m};
    if (from->comm) return sg_fail(SG_EINVAL, "%s: explanations want all rows in one process", sg_source_name(from));
    if (from->rows == 0) return sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(from));
    sg_status st = from->rows > MAX_ROWS ? sg_subset_split(from, 0, 0, MAX_ROWS, 1, &some) : SG_OK;
    if (st == SG_OK && some) rows = sg_subset_source(some);
    if (st == SG_OK) st = init_from_source(s, &rows);
    sg_subset_free(some);
    if (st != SG_OK) sg_row_sample_release(s);
    return st;
}

void sg_row_sample_release(sg_row_sample *s)
{
    free(s->x);
    *s = (sg_row_sample){0};
}

/* --- predicting --- */

static void predict_chunk(const sg_row_sample *s, const sg_row_perturbation *c, sg_predict_worker *seer, size_t first,
                          size_t n, double *x, double *y)
{
    const sg_model *m = s->model;
    memcpy(x, s->x + first * m->features, n * m->features * sizeof *x);
    for (size_t i = 0; c->perturb && i < n; i++) c->perturb(c->arg, first + i, x + i * m->features);
    sg_predict_worker_run(seer, x, m->features, NULL, n, y);
    for (size_t i = 0; i < n; i++) c->on_prediction(c->arg, first + i, y + i * m->outputs);
}

sg_status sg_row_sample_predict(const sg_row_sample *s, const sg_row_perturbation *c)
{
    const sg_model *m = s->model;
    sg_predict_worker seer;
    double *x = sg_calloc(SG_CHUNK, m->features * sizeof *x), *y = sg_calloc(SG_CHUNK, m->outputs * sizeof *y);
    sg_status st = x && y ? sg_predict_worker_init(&seer, m, "f64") : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t first = 0; st == SG_OK && first < s->rows; first += SG_CHUNK) {
        size_t left = s->rows - first;
        predict_chunk(s, c, &seer, first, left < SG_CHUNK ? left : SG_CHUNK, x, y);
    }
    if (st == SG_OK) sg_predict_worker_release(&seer);
    free(x);
    free(y);
    return st;
}

/* --- changing --- */

void sg_features_copy_input(const sg_model *m, size_t input, const double *from, double *x)
{
    const sg_encoder *c = m->encoder;
    size_t first = c ? c->input[input].first_feature : input, n = c ? sg_encoded_input_features(&c->input[input]) : 1;
    memcpy(x + first, from + first, n * sizeof *x);
    for (size_t i = 0; c && i < c->effects; i++)
        if (c->effect[i].input == input) x[sg_encoder_base_features(c) + i] = from[sg_encoder_base_features(c) + i];
}

void sg_features_set_input(const sg_model *m, size_t input, double value, double *x)
{
    const sg_encoder *c = m->encoder;
    const sg_encoded_input *in = c ? &c->input[input] : NULL;
    if (in && in->levels) sg_encoded_input_one_hot(in, value, x + in->first_feature);
    else x[in ? in->first_feature : input] = value;
    for (size_t i = 0; c && i < c->effects; i++)
        if (c->effect[i].input == input) x[sg_encoder_base_features(c) + i] = sg_effect_eval(&c->effect[i], value);
}
