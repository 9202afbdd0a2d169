/* explain_rows.c: explains a row in memory, or rows of a source. */
#include "base/memory.h"
#include "explain/row/explainer_state.h"
#include "rows/feature_source.h"

#include <stdlib.h>

const sg_explanation *sg_explainer_row(sg_explainer *e, const double *x)
{
    if (e->model->encoder) sg_encoder_apply(e->model->encoder, x, e->encoded);
    sg_explain_features(e, e->model->encoder ? e->encoded : x);
    return e->out;
}

static sg_status explain_range(sg_explainer *e, const sg_feature_source *f, size_t first, size_t n,
                               sg_explanation_fn *take, void *arg)
{
    enum { CHUNK_ROWS = 64 };
    const size_t features = e->model->features;
    double *x = sg_calloc(features, CHUNK_ROWS * sizeof *x);
    sg_status st = x ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while reading rows");
    for (size_t now; st == SG_OK && n > 0; first += now, n -= now) {
        now = n < CHUNK_ROWS ? n : CHUNK_ROWS;
        st = sg_feature_source_read(f, first, now, x);
        for (size_t i = 0; st == SG_OK && i < now; i++) {
            sg_explain_features(e, x + i * features);
            st = take(arg, first + i, e->out);
        }
    }
    free(x);
    return st;
}

static sg_status check_range(const sg_source *s, size_t first, size_t n)
{
    const char *name = sg_source_name(s);
    if (s->comm) return sg_fail(SG_EINVAL, "%s: explanations do not support distributed rows", name);
    if (first <= s->rows && n <= s->rows - first) return SG_OK;
    return sg_fail(SG_EINVAL, "%s: row %zu does not exist; the number of rows is %zu", name,
                   (first < s->rows ? s->rows : first) + 1, s->rows);
}

sg_status sg_explainer_source(sg_explainer *e, const sg_source *rows, size_t first, size_t n, sg_explanation_fn *take,
                              void *arg)
{
    sg_feature_source f;
    sg_status st = check_range(rows, first, n);
    if (st == SG_OK) st = sg_feature_source_open(&f, e->model, rows, false, NULL);
    if (st != SG_OK) return st;
    st = explain_range(e, &f, first, n, take, arg);
    sg_feature_source_close(&f);
    return st;
}
