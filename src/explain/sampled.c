/* sampled.c: see sampled.h. */
#include "explain/sampled.h"

#include "base/memory.h"
#include "kernel/seer.h"
#include "train/features.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 10000, READ = 64 };

/* --- reading --- */

static sg_status read_features(sg_sampled *s, const sg_source *from, const sg_roles *columns)
{
    double *row = sg_alloc(from->columns, READ * sizeof *row), *to = s->x;
    sg_status st = row ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t first = 0, n; st == SG_OK && first < from->rows; first += n) {
        n = from->rows - first < READ ? from->rows - first : READ;
        st = from->read(from->self, first, n, row);
        for (size_t i = 0; st == SG_OK && i < n; i++)
            for (size_t k = 0; k < columns->inputs; k++) *to++ = row[i * from->columns + columns->input[k]];
    }
    free(row);
    return st;
}

static sg_status init_from(sg_sampled *s, const sg_source *rows)
{
    sg_roles columns;
    sg_source seen = *rows;
    sg_expanded *expanded = NULL;
    s->rows = rows->rows;
    sg_status st = sg_features_find(s->model, rows, false, NULL, &columns);
    if (st != SG_OK) return st;
    st = sg_features_open(s->model->coding, &seen, &columns, &expanded);
    if (st == SG_OK && !(s->x = sg_alloc(s->rows, s->model->inputs * sizeof *s->x)))
        st = sg_fail(SG_ENOMEM, "out of memory for %zu rows", s->rows);
    if (st == SG_OK) st = read_features(s, &seen, &columns);
    sg_expanded_free(expanded);
    sg_roles_release(&columns);
    return st;
}

sg_status sg_sampled_init(sg_sampled *s, const sg_model *m, const sg_source *from)
{
    sg_subset *some = NULL;
    sg_source rows = *from;
    *s = (sg_sampled){.model = m};
    if (from->team) return sg_fail(SG_EINVAL, "%s: explanations want all rows in one process", sg_source_name(from));
    if (from->rows == 0) return sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(from));
    sg_status st = from->rows > MOST ? sg_subset_split(from, 0, 0, MOST, 1, &some) : SG_OK;
    if (st == SG_OK && some) rows = sg_subset_source(some);
    if (st == SG_OK) st = init_from(s, &rows);
    sg_subset_free(some);
    if (st != SG_OK) sg_sampled_release(s);
    return st;
}

void sg_sampled_release(sg_sampled *s)
{
    free(s->x);
    *s = (sg_sampled){0};
}

/* --- predicting --- */

static void predict_some(const sg_sampled *s, const sg_change *c, sg_seer *seer, size_t first, size_t n, double *x,
                         double *y)
{
    const sg_model *m = s->model;
    memcpy(x, s->x + first * m->inputs, n * m->inputs * sizeof *x);
    for (size_t i = 0; c->change && i < n; i++) c->change(c->arg, first + i, x + i * m->inputs);
    sg_seer_rows(seer, x, m->inputs, NULL, n, y);
    for (size_t i = 0; i < n; i++) c->take(c->arg, first + i, y + i * m->outputs);
}

sg_status sg_sampled_predict(const sg_sampled *s, const sg_change *c)
{
    const sg_model *m = s->model;
    sg_seer seer;
    double *x = sg_alloc(SG_CHUNK, m->inputs * sizeof *x), *y = sg_alloc(SG_CHUNK, m->outputs * sizeof *y);
    sg_status st = x && y ? sg_seer_init(&seer, m, "f64") : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t first = 0; st == SG_OK && first < s->rows; first += SG_CHUNK) {
        size_t left = s->rows - first;
        predict_some(s, c, &seer, first, left < SG_CHUNK ? left : SG_CHUNK, x, y);
    }
    if (st == SG_OK) sg_seer_release(&seer);
    free(x);
    free(y);
    return st;
}

/* --- changing --- */

void sg_sampled_copy(const sg_model *m, size_t input, const double *from, double *x)
{
    const sg_coding *c = m->coding;
    size_t first = c ? c->input[input].first : input, n = c ? sg_coded_features(&c->input[input]) : 1;
    memcpy(x + first, from + first, n * sizeof *x);
    for (size_t i = 0; c && i < c->effects; i++)
        if (c->effect[i].input == input) x[sg_coding_plain(c) + i] = from[sg_coding_plain(c) + i];
}

void sg_sampled_set(const sg_model *m, size_t input, double value, double *x)
{
    const sg_coding *c = m->coding;
    const sg_coded *in = c ? &c->input[input] : NULL;
    if (in && in->levels) sg_coded_put(in, value, x + in->first);
    else x[in ? in->first : input] = value;
    for (size_t i = 0; c && i < c->effects; i++)
        if (c->effect[i].input == input) x[sg_coding_plain(c) + i] = sg_effect_at(&c->effect[i], value);
}
