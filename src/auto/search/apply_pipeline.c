/* apply_pipeline.c: see apply_pipeline.h. */
#include "auto/search/apply_pipeline.h"

#include "predict/feature_encode.h"
#include "predict/transformed_rows.h"

#include <string.h>

typedef struct matrix_writer {
    double *x;
    size_t width, at;
    bool z;
} matrix_writer;

static void copy_chunk(void *arg, sg_transformed_rows *r)
{
    matrix_writer *s = arg;
    memcpy(s->x + s->at * s->width, s->z ? r->z : r->a, r->n * s->width * sizeof *s->x);
    s->at += r->n;
}

sg_status sg_apply_pipeline(const sg_model *m, const sg_source *rows, bool z,
                            double *x) /* NOLINT(readability-non-const-parameter) */
{
    sg_source s = *rows;
    sg_column_roles roles = {0};
    sg_encoded_source *expanded = NULL;
    sg_transformed_rows chunk;
    matrix_writer out = {x, z ? sg_model_terms(m) : m->a.out, 0, z};
    sg_status st = sg_features_find_columns(m, &s, false, NULL, &roles);
    if (st != SG_OK) return st;
    st = sg_features_encode_source(m->encoder, &s, &roles, &expanded);
    if (st == SG_OK) st = sg_transformed_rows_init(&chunk, &s, &roles, m, 1);
    if (st == SG_OK) {
        st = sg_transformed_rows_for_each(&chunk, 0, rows->rows, copy_chunk, &out);
        sg_transformed_rows_release(&chunk);
    }
    sg_encoded_source_free(expanded);
    sg_column_roles_release(&roles);
    return st;
}
