/* explain_source.c: explanations of rows, wherever they are. */
#include "base/memory.h"
#include "explain/row/explainer.h"
#include "predict/feature_encode.h"

#include <stdlib.h>

enum { ROWS = 64 }; /* read at a time */

const sg_explanation *sg_explainer_row(sg_explainer *e, const double *x)
{
    const sg_model *m = e->model;
    if (!m->encoder) sg_explain_features(e, x);
    else {
        sg_encoder_apply(m->encoder, x, e->encoded);
        sg_explain_features(e, e->encoded);
    }
    return e->out;
}

/* Rows are (n, columns of the source); the model's features are some of these. */
static sg_status explain_block(sg_explainer *e, const sg_source *s, const sg_column_roles *columns, const double *row,
                               size_t first, size_t n, sg_explanation_fn *take, void *arg)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++, row += s->columns) {
        for (size_t k = 0; k < e->model->features; k++) e->encoded[k] = row[columns->input[k]];
        sg_explain_features(e, e->encoded);
        st = take(arg, first + i, e->out);
    }
    return st;
}

static sg_status explain_range(sg_explainer *e, const sg_source *s, const sg_column_roles *columns, size_t first,
                               size_t n, sg_explanation_fn *take, void *arg)
{
    double *block = sg_calloc(s->columns, ROWS * sizeof *block);
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t now; st == SG_OK && n > 0; first += now, n -= now) {
        now = n < ROWS ? n : ROWS;
        st = s->read(s->self, first, now, block);
        if (st == SG_OK) st = explain_block(e, s, columns, block, first, now, take, arg);
    }
    free(block);
    return st;
}

static sg_status check_range(const sg_source *s, size_t first, size_t n)
{
    const char *name = sg_source_name(s);
    if (s->comm) return sg_fail(SG_EINVAL, "%s: explanations want all rows in one process", name);
    if (first <= s->rows && n <= s->rows - first) return SG_OK;
    return sg_fail(SG_EINVAL, "%s: there is no row %zu, only %zu", name, (first < s->rows ? s->rows : first) + 1,
                   s->rows);
}

sg_status sg_explainer_source(sg_explainer *e, const sg_source *rows, size_t first, size_t n, sg_explanation_fn *take,
                              void *arg)
{
    sg_column_roles columns;
    sg_source seen = *rows;
    sg_encoded_source *expanded = NULL;
    sg_status st = check_range(rows, first, n);
    if (st == SG_OK) st = sg_features_find_columns(e->model, rows, false, NULL, &columns);
    if (st != SG_OK) return st;
    st = sg_features_encode_source(e->model->encoder, &seen, &columns, &expanded);
    if (st == SG_OK) st = explain_range(e, &seen, &columns, first, n, take, arg);
    sg_encoded_source_free(expanded);
    sg_column_roles_release(&columns);
    return st;
}
