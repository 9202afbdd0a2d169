/* intervals_and_support.c: measures the uncertainty of a model, through the public API: residuals on held-out rows, and
 * the firing strength of training rows. */
#include "train/eval/intervals_and_support.h"

#include "base/memory.h"
#include "model/outside_training.h"
#include "predict/predict_worker.h"
#include "prep/quantile_transform.h"
#include "rows/check_rows.h"
#include "rows/column_stats.h"
#include "rows/feature_source.h"
#include "train/fit/even_sample.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_SUPPORT_ROWS = 4096, MIN_SUPPORT_ROWS = 512 };
static const double max_cost = 5e7;           /* in units of sg_support_cost */
static const double support_quantile = 0.001; /* fraction of the training rows with a lower firing strength */

/* --- residuals --- */

typedef struct residual_job {
    sg_feature_source features;
    sg_predict_worker worker;
} residual_job;

static sg_status read_residual(void *arg, size_t row, double *x)
{
    residual_job *job = arg;
    sg_predict_worker *w = &job->worker;
    const sg_source *s = &job->features.source;
    const sg_column_roles *c = &job->features.columns;
    size_t outputs = w->model->outputs;
    sg_status st = sg_source_gather(s, &row, 1, w->raw);
    if (st == SG_OK) st = sg_check_row(s, c, false, w->raw, row);
    if (st != SG_OK) return st;
    sg_predict_worker_run(w, w->raw, s->columns, c->input, 1, w->y);
    x[outputs] = sg_row_weight(c, w->raw);
    for (size_t o = 0; o < outputs; o++) x[o] = isnan(x[outputs]) ? 0 : fabs(w->y[o] - w->raw[c->target[o]]);
    return SG_OK;
}

static sg_status open_residual_job(residual_job *job, const sg_model *m, const sg_source *rows, const char *weights,
                                   sg_residuals *out)
{
    sg_status st = sg_feature_source_open(&job->features, m, rows, true, weights);
    if (st == SG_OK) st = sg_predict_worker_init(&job->worker, m, "f64");
    if (st == SG_OK) st = sg_predict_worker_alloc_rows(&job->worker, 1, job->features.source.columns);
    if (st != SG_OK) return st;
    out->row = sg_calloc(out->rows, (m->outputs + 1) * sizeof *out->row);
    return out->row ? SG_OK : sg_fail_out_of_memory("the residuals");
}

sg_status sg_residuals_compute(const sg_model *m, const sg_source *rows, const char *weights, size_t max_rows,
                               sg_residuals *out)
{
    residual_job job = {0};
    *out = (sg_residuals){.rows = rows->rows < max_rows ? rows->rows : max_rows};
    sg_status st = sg_comm_agree_status(rows->comm, open_residual_job(&job, m, rows, weights, out));
    if (st == SG_OK)
        st = sg_even_sample_gather(&job.features.source, out->rows, read_residual, &job, m->outputs + 1, out->row);
    sg_predict_worker_release(&job.worker);
    sg_feature_source_close(&job.features);
    if (st == SG_OK) return SG_OK;
    free(out->row);
    out->row = NULL;
    return st;
}

sg_status sg_model_calibrate(sg_model *m, const sg_source *rows, const char *weights)
{
    sg_residuals all;
    sg_status st = sg_residuals_compute(m, rows, weights, SG_MAX_RESIDUALS, &all);
    if (st == SG_OK) st = sg_calibration_fit(&m->calibration, all.row, all.rows, m->outputs);
    free(all.row);
    return st;
}

/* --- firing strength --- */

typedef struct support_job {
    sg_feature_source features;
    sg_reference_eval eval;
    double *raw, *feature; /* (columns), (features) */
} support_job;

static sg_status read_firing(void *arg, size_t row, double *x)
{
    support_job *job = arg;
    sg_status st = sg_source_gather(&job->features.source, &row, 1, job->raw);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < job->eval.model->features; i++) job->feature[i] = job->raw[job->features.columns.input[i]];
    *x = sg_support_log_firing(&job->eval, job->feature);
    return SG_OK;
}

static size_t support_rows(const sg_model *m, size_t rows)
{
    double n = max_cost / (double)sg_support_cost(m);
    size_t most = n > MAX_SUPPORT_ROWS ? MAX_SUPPORT_ROWS : n < MIN_SUPPORT_ROWS ? MIN_SUPPORT_ROWS : (size_t)n;
    return most < rows ? most : rows;
}

static sg_status open_support_job(support_job *job, const sg_model *m, const sg_source *rows)
{
    sg_status st = sg_feature_source_open(&job->features, m, rows, false, NULL);
    if (st == SG_OK && rows->rows == 0) st = sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(rows));
    if (st == SG_OK) st = sg_reference_eval_init(&job->eval, m);
    if (st != SG_OK) return st;
    job->raw = sg_calloc(job->features.source.columns, sizeof *job->raw);
    job->feature = sg_calloc(m->features, sizeof *job->feature);
    return job->raw && job->feature ? SG_OK : sg_fail_out_of_memory("the firing levels of rules");
}

sg_status sg_model_fit_support(sg_model *m, const sg_source *rows)
{
    support_job job = {0};
    if (m->blocks == 0) return SG_OK; /* without conditions, only ranges and levels matter */
    size_t n = support_rows(m, rows->rows);
    double *x = sg_calloc(n, sizeof *x);
    sg_status st = x ? open_support_job(&job, m, rows) : sg_fail_out_of_memory("the firing levels of rules");
    st = sg_comm_agree_status(rows->comm, st);
    if (st == SG_OK) st = sg_even_sample_gather(&job.features.source, n, read_firing, &job, 1, x);
    if (st == SG_OK && x) {
        sg_sort_doubles(x, n);
        m->calibration.support_rows = n;
        m->calibration.min_log_firing = x[(size_t)(support_quantile * (double)n)];
    }
    sg_reference_eval_release(&job.eval);
    sg_feature_source_close(&job.features);
    sg_free_all(job.raw, job.feature, x);
    return st;
}
