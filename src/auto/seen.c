/* seen.c: see seen.h. */
#include "auto/seen.h"

#include "train/features.h"
#include "train/rows.h"

#include <string.h>

typedef struct sheet {
    double *x;
    size_t width, at;
    bool z;
} sheet;

static void copy_chunk(void *arg, sg_rows *r)
{
    sheet *s = arg;
    memcpy(s->x + s->at * s->width, s->z ? r->z : r->a, r->n * s->width * sizeof *s->x);
    s->at += r->n;
}

sg_status sg_seen_rows(const sg_model *m, const sg_source *rows, bool z,
                       double *x) /* NOLINT(readability-non-const-parameter) */
{
    sg_source s = *rows;
    sg_roles roles = {0};
    sg_expanded *expanded = NULL;
    sg_rows chunk;
    sheet out = {x, z ? sg_model_terms(m) : m->a.out, 0, z};
    sg_status st = sg_features_find(m, &s, false, NULL, &roles);
    if (st != SG_OK) return st;
    st = sg_features_open(m->coding, &s, &roles, &expanded);
    if (st == SG_OK) st = sg_rows_init(&chunk, &s, &roles, m, 1);
    if (st == SG_OK) {
        st = sg_rows_each(&chunk, 0, rows->rows, copy_chunk, &out);
        sg_rows_release(&chunk);
    }
    sg_expanded_free(expanded);
    sg_roles_release(&roles);
    return st;
}
