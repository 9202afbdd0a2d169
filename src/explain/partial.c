/* partial.c: partial dependence: the mean prediction over rows, as one input moves. */
#include "explain/sampled.h"
#include "train/budget.h"

#include <string.h>

size_t sg_model_grid(const sg_model *m, size_t input, size_t most, double *at)
{
    if (input >= sg_model_inputs(m)) return 0;
    const sg_coded *in = m->coding ? &m->coding->input[input] : NULL;
    size_t feature = in ? in->first : input;
    double low = m->low[feature], high = m->high[feature];
    bool levels = in && in->levels;
    size_t n = levels ? sg_coded_features(in) : low < high ? most : 1;
    for (size_t i = 0; at && i < n; i++) {
        double t = n > 1 ? (double)i / (double)(n - 1) : 0;
        at[i] = levels ? (double)i : low * (1 - t) + high * t;
    }
    return n;
}

typedef struct curve {
    const sg_sampled *rows;
    size_t input;
    const double *at;
    double *y; /* (points, outputs) */
} curve;

typedef struct point {
    const curve *of;
    double at, *y;
} point;

static void move(void *arg, size_t row, double *x)
{
    const point *p = arg;
    (void)row;
    sg_sampled_set(p->of->rows->model, p->of->input, p->at, x);
}

/* Each by itself is divided: the sum of predictions may be too large. */
static void add(void *arg, size_t row, const double *y)
{
    const point *p = arg;
    (void)row;
    for (size_t o = 0; o < p->of->rows->model->outputs; o++) p->y[o] += y[o] / (double)p->of->rows->rows;
}

static sg_status one_point(void *arg, size_t i, size_t worker)
{
    const curve *c = arg;
    size_t outputs = c->rows->model->outputs;
    point p = {c, c->at[i], c->y + i * outputs};
    (void)worker;
    memset(p.y, 0, outputs * sizeof *p.y);
    return sg_sampled_predict(c->rows, &(sg_change){move, add, &p});
}

sg_status sg_model_partial(const sg_model *m, const sg_source *rows, size_t input, const double *at, size_t points,
                           size_t threads, double *y, size_t *used)
{
    sg_sampled some;
    sg_pool *pool = NULL;
    if (input >= sg_model_inputs(m)) return sg_fail(SG_EINVAL, "the model has no input %zu", input);
    sg_status st = sg_sampled_init(&some, m, rows);
    if (st != SG_OK) return st;
    curve c = {.rows = &some, .input = input, .at = at};
    c.y = y;
    st = sg_budget_pool(m, threads, &pool);
    if (st == SG_OK) st = sg_pool_run_long(pool, points, one_point, &c);
    if (st == SG_OK && used) *used = some.rows;
    sg_pool_free(pool);
    sg_sampled_release(&some);
    return st;
}
