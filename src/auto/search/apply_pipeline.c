/* apply_pipeline.c: copies transformed rows, or predictions, chunk by chunk into one matrix. */
#include "auto/search/apply_pipeline.h"

#include "predict/chunk_loader.h"
#include "predict/feature_encode.h"

#include <string.h>

typedef struct matrix_writer {
    double *x;
    size_t width, at; /* `at`: rows written */
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
