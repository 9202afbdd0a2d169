/* predictor.c: predicts rows in memory, and opens data files with the columns of a model, through the public API. */
#include "base/memory.h"
#include "base/thread/thread_pool.h"
#include "data/dataset_open.h"
#include "predict/predict_worker.h"
#include "rows/feature_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of one task of a thread, some tens of microseconds; and rows that are encoded at a time. */
enum { TASK_ROWS = 4096, ENCODE_ROWS = 2 * SG_CHUNK };

struct sg_predictor {
    const sg_model *model;
    sg_thread_pool *pool;
    size_t workers;
    sg_predict_worker *worker; /* (workers)                                               */
    double *encode_buf;        /* (workers, ENCODE_ROWS, features), if there is an encoder */
    const double *x;
    double *y;
    size_t rows;
};

void sg_predictor_free(sg_predictor *p)
{
    if (!p) return;
    for (size_t i = 0; p->worker && i < p->workers; i++) sg_predict_worker_release(&p->worker[i]);
    sg_thread_pool_free(p->pool);
    free(p->worker);
    free(p->encode_buf);
    free(p);
}

/* Encodes rows with level numbers and predicts them. encode_buf: (ENCODE_ROWS, features). */
static void predict_encoded(sg_predict_worker *w, const double *x, size_t rows, double *encode_buf, double *y)
{
    const sg_model *m = w->model;
    for (size_t done = 0, now; done < rows; done += now) {
        now = rows - done < ENCODE_ROWS ? rows - done : ENCODE_ROWS;
        for (size_t i = 0; i < now; i++)
            sg_encoder_apply(m->encoder, x + (done + i) * m->encoder->inputs, encode_buf + i * m->features);
        sg_predict_worker_run(w, encode_buf, m->features, NULL, now, y + done * m->outputs);
    }
}

/* The products of larger consequents overflow in float. */
static sg_status check_float(const sg_model *m, const char *precision)
{
    const double most = 1e8;
    double largest = 0;
    if (strcmp(precision, "f32") != 0) return SG_OK;
    for (size_t i = 0; i < m->parameters; i++) largest = fmax(largest, fabs(m->theta[i]));
    if (largest <= most) return SG_OK;
    return sg_fail(SG_EINVAL, "f32 supports model parameters of at most %g, but one is %.3g; use f64", most, largest);
}

sg_status sg_predictor_new(const sg_model *m, const char *precision, size_t threads, sg_predictor **out)
{
    sg_predictor *p = sg_calloc(1, sizeof *p);
    if (!p) return sg_fail_out_of_memory("a predictor");
    p->model = m;
    sg_status st = precision ? check_float(m, precision) : SG_OK;
    if (st == SG_OK && threads != 1) st = sg_thread_pool_new(threads, &p->pool);
    p->workers = sg_thread_pool_threads(p->pool);
    if (st == SG_OK && !(p->worker = sg_calloc(p->workers, sizeof *p->worker)))
        st = sg_fail_out_of_memory("a predictor");
    if (st == SG_OK && m->encoder &&
        !(p->encode_buf = sg_calloc(p->workers * ENCODE_ROWS, m->features * sizeof *p->encode_buf)))
        st = sg_fail_out_of_memory("a predictor");
    for (size_t i = 0; st == SG_OK && i < p->workers; i++) st = sg_predict_worker_init(&p->worker[i], m, precision);
    if (st != SG_OK) {
        sg_predictor_free(p);
        return st;
    }
    *out = p;
    return SG_OK;
}

static sg_status run_task(void *arg, size_t i, size_t worker)
{
    sg_predictor *p = arg;
    size_t first = i * TASK_ROWS, left = p->rows - first, n = left < TASK_ROWS ? left : TASK_ROWS;
    const sg_model *m = p->model;
    const double *x = p->x + first * sg_model_inputs(m);
    double *y = p->y + first * m->outputs;
    if (m->encoder) predict_encoded(&p->worker[worker], x, n, p->encode_buf + worker * ENCODE_ROWS * m->features, y);
    else sg_predict_worker_run(&p->worker[worker], x, m->features, NULL, n, y);
    return SG_OK;
}

sg_status sg_predictor_run(sg_predictor *p, const double *x, size_t rows, double *y)
{
    p->x = x;
    p->y = y;
    p->rows = rows;
    return sg_thread_pool_run(p->pool, (rows + TASK_ROWS - 1) / TASK_ROWS, run_task, p);
}

sg_status sg_model_predict(const sg_model *m, const double *x, size_t rows, double *y)
{
    sg_predictor *p;
    sg_status st = sg_predictor_new(m, "f64", 1, &p);
    if (st != SG_OK) return st;
    st = sg_predictor_run(p, x, rows, y);
    sg_predictor_free(p);
    return st;
}

/* --- data for a model --- */

typedef struct column_list {
    const char **name;
    bool *categorical;
    size_t count;
} column_list;

static void append_column(column_list *c, const char *name, bool categorical)
{
    c->name[c->count] = name;
    c->categorical[c->count++] = categorical;
}

static sg_status list_columns(const sg_model *m, bool targets, const char *weights, column_list *c)
{
    size_t inputs = sg_model_inputs(m), outputs = targets ? m->outputs : 0, most = inputs + outputs + 1;
    *c = (column_list){sg_calloc(most, sizeof *c->name), sg_calloc(most, sizeof *c->categorical), 0};
    if (!c->name || !c->categorical) return sg_fail_out_of_memory("columns");
    for (size_t i = 0; i < inputs; i++) append_column(c, sg_model_input_name(m, i), sg_model_levels(m, i) > 0);
    for (size_t i = 0; i < outputs; i++) append_column(c, m->output_name[i], false);
    if (weights && *weights) append_column(c, weights, false);
    return SG_OK;
}

static sg_status notify_unseen(const sg_options *o, const sg_model *m, const sg_dataset *d)
{
    sg_source s = sg_dataset_source(d);
    sg_column_roles roles;
    sg_encoded_source *e = NULL;
    sg_status st = sg_features_find_columns(m, &s, false, NULL, &roles);
    if (st != SG_OK) return st;
    st = sg_notify_unseen_values(o, &s, m->encoder, roles.input);
    if (st == SG_OK) st = sg_features_encode_source(m->encoder, &s, &roles, &e);
    if (st == SG_OK) st = sg_notify_unseen_levels(o, e, false);
    sg_encoded_source_free(e);
    sg_column_roles_release(&roles);
    return st;
}

/* Sends notices about unseen values. Stores d, or frees it on failure. */
static sg_status notify_and_return_dataset(sg_status st, const sg_options *o, const sg_model *m, column_list *c,
                                           sg_dataset *d, sg_dataset **out)
{
    if (st == SG_OK && m->encoder) st = notify_unseen(o, m, d);
    free(c->name);
    free(c->categorical);
    if (st == SG_OK) *out = d;
    else sg_dataset_free(d);
    return st;
}

sg_status sg_dataset_open_for_model(const char *const *paths, size_t count, const sg_options *o, const sg_model *m,
                                    int targets, const char *weights, sg_dataset **out)
{
    column_list c;
    sg_dataset *d = NULL;
    bool has_weights = weights && *weights;
    sg_status st = list_columns(m, targets, weights, &c);
    if (st == SG_OK)
        st = sg_dataset_open_typed(paths, count, o, c.name, c.categorical, c.count, targets && !has_weights, &d);
    return notify_and_return_dataset(st, o, m, &c, d, out);
}

sg_status sg_dataset_open_arrow_for_model(struct ArrowArrayStream *stream, const sg_source *extra, const sg_options *o,
                                          const sg_model *m, int targets, const char *weights, sg_dataset **out)
{
    column_list c;
    sg_dataset *d = NULL;
    if (targets && extra && !(weights && *weights)) weights = extra->weight_column;
    sg_status st = list_columns(m, targets, weights, &c);
    if (st == SG_OK) st = sg_dataset_open_arrow_typed(stream, extra, o, c.name, c.categorical, c.count, &d);
    else sg_arrow_stream_release(stream);
    return notify_and_return_dataset(st, o, m, &c, d, out);
}
