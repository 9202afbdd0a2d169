/* apply_pipeline.c: copies transformed rows, or predictions, chunk by chunk into one matrix. */
#include "auto/search/apply_pipeline.h"

#include "predict/feature_encode.h"
#include "predict/transformed_rows.h"

#include <string.h>

typedef struct matrix_writer {
    double *x;
    size_t width, at; /* `at`: rows written */
    bool z;
} matrix_writer;

static void copy_chunk(void *arg, sg_transformed_rows *rows)
{
    matrix_writer *out = arg;
    memcpy(out->x + out->at * out->width, out->z ? rows->z : rows->a, rows->n * out->width * sizeof *out->x);
    out->at += rows->n;
}

sg_status sg_apply_pipeline(const sg_model *m, const sg_source *rows, bool z,
                            double *x) /* NOLINT(readability-non-const-parameter) */
{
    sg_source s = *rows;
    sg_column_roles roles = {0};
    sg_encoded_source *encoded = NULL;
    sg_transformed_rows chunk;
    matrix_writer out = {x, z ? sg_model_terms(m) : m->a.out, 0, z};
    sg_status st = sg_features_find_columns(m, &s, false, NULL, &roles);
    if (st != SG_OK) return st;
    st = sg_features_encode_source(m->encoder, &s, &roles, &encoded);
    if (st == SG_OK) st = sg_transformed_rows_init(&chunk, &s, &roles, m, 1);
    if (st == SG_OK) {
        st = sg_transformed_rows_for_each(&chunk, 0, rows->rows, copy_chunk, &out);
        sg_transformed_rows_release(&chunk);
    }
    sg_encoded_source_free(encoded);
    sg_column_roles_release(&roles);
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
