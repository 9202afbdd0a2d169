/* row_sample.c: reads a sample of rows and predicts modified copies of them, chunk by chunk. */
#include "explain/global/row_sample.h"

#include "base/memory.h"
#include "predict/predict_worker.h"
#include "rows/feature_source.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 10000 };

static sg_status read_rows(sg_row_sample *s, const sg_source *rows)
{
    sg_feature_source f;
    sg_status st = sg_feature_source_open(&f, s->model, rows, false, NULL);
    if (st != SG_OK) return st;
    s->rows = rows->rows;
    s->x = sg_calloc(s->rows, s->model->features * sizeof *s->x);
    st = s->x ? sg_feature_source_read(&f, 0, s->rows, s->x)
              : sg_fail(SG_ENOMEM, "out of memory while reading %zu rows", s->rows);
    sg_feature_source_close(&f);
    return st;
}

sg_status sg_row_sample_init(sg_row_sample *s, const sg_model *m, const sg_source *from)
{
    sg_subset *some = NULL;
    sg_source rows = *from;
    *s = (sg_row_sample){.model = m};
    if (from->comm) return sg_fail(SG_EINVAL, "%s: explanations do not support distributed rows", sg_source_name(from));
    if (from->rows == 0) return sg_fail(SG_EDATA, "%s: no rows; expected at least one", sg_source_name(from));
    sg_status st = from->rows > MAX_ROWS ? sg_subset_split(from, 0, 0, MAX_ROWS, 1, &some) : SG_OK;
    if (st == SG_OK && some) rows = sg_subset_source(some);
    if (st == SG_OK) st = read_rows(s, &rows);
    sg_subset_free(some);
    if (st != SG_OK) sg_row_sample_release(s);
    return st;
}

sg_status sg_row_sample_predict(const sg_row_sample *s, const sg_row_perturbation *c)
{
    const sg_model *m = s->model;
    sg_predict_worker worker = {0};
    double *x = sg_calloc(SG_CHUNK, m->features * sizeof *x), *y = sg_calloc(SG_CHUNK, m->outputs * sizeof *y);
    sg_status st =
        x && y ? sg_predict_worker_init(&worker, m, "f64") : sg_fail(SG_ENOMEM, "out of memory while predicting rows");
    for (size_t first = 0, n; st == SG_OK && first < s->rows; first += n) {
        n = s->rows - first < SG_CHUNK ? s->rows - first : SG_CHUNK;
        memcpy(x, s->x + first * m->features, n * m->features * sizeof *x);
        for (size_t i = 0; i < n; i++) c->perturb(c->arg, first + i, x + i * m->features);
        sg_predict_worker_run(&worker, x, m->features, NULL, n, y);
        for (size_t i = 0; i < n; i++) c->on_prediction(c->arg, first + i, y + i * m->outputs);
    }
    if (st == SG_OK) sg_predict_worker_release(&worker);
    free(x);
    free(y);
    return st;
}

void sg_features_copy_input(const sg_model *m, size_t input, const double *from, double *x)
{
    const sg_encoder *c = m->encoder;
    size_t first = sg_model_first_feature(m, input), n = c ? sg_encoded_input_features(&c->input[input]) : 1;
    memcpy(x + first, from + first, n * sizeof *x);
    for (size_t i = 0; c && i < c->effects; i++)
        if (c->effect[i].input == input) x[sg_encoder_base_features(c) + i] = from[sg_encoder_base_features(c) + i];
}

void sg_features_set_input(const sg_model *m, size_t input, double value, double *x)
{
    const sg_encoder *c = m->encoder;
    size_t first = sg_model_first_feature(m, input);
    if (c && c->input[input].levels) sg_encoded_input_one_hot(&c->input[input], value, x + first);
    else x[first] = value;
    for (size_t i = 0; c && i < c->effects; i++)
        if (c->effect[i].input == input) x[sg_encoder_base_features(c) + i] = sg_effect_eval(&c->effect[i], value);
}
