/* additive_sums.c: computes the sums from which an additive part is fitted, in one pass over the rows. */
#include "train/additive/additive_sums.h"

#include "base/memory.h"
#include "train/fit/row_reduce.h"

#include <stdlib.h>
#include <string.h>

sg_normal_equations sg_additive_sums_at(const sg_additive_sums *s, size_t fold)
{
    double *at = s->fold + fold * s->length;
    return (sg_normal_equations){at, at + s->outputs, at + s->outputs + s->columns * s->outputs};
}

void sg_additive_sums_release(sg_additive_sums *s)
{
    free(s->fold);
    *s = (sg_additive_sums){0};
}

static sg_status alloc_sums(size_t columns, size_t outputs, sg_additive_sums *s)
{
    size_t cells, more, all;
    *s = (sg_additive_sums){.columns = columns, .outputs = outputs};
    bool fits = sg_checked_mul(columns, columns, &cells) && sg_checked_mul(columns + 1, outputs, &more) &&
                !__builtin_add_overflow(cells, more, &s->length) &&
                sg_checked_mul(s->length, SG_ADDITIVE_FOLDS + 1, &all);
    s->fold = fits ? sg_calloc(all, sizeof *s->fold) : NULL;
    return s->fold ? SG_OK
                   : sg_fail(SG_ENOMEM, "out of memory while fitting %zu consequents by least squares", columns);
}

static void add_folds(sg_additive_sums *s)
{
    double *total = s->fold + SG_ADDITIVE_FOLDS * s->length;
    for (size_t f = 0; f < SG_ADDITIVE_FOLDS; f++)
        for (size_t i = 0; i < s->length; i++) total[i] += s->fold[f * s->length + i];
}

/* --- passes over the rows --- */

/* Partial sums of all folds may be large. A pass then adds up only some of the folds. */
enum { PASS_BYTES = 16 << 20 };

typedef struct pass {
    const sg_additive *layout;
    const sg_additive_grouping *grouping;
    sg_additive_progress *progress;
    sg_additive_sums sizes;   /* sizes only */
    size_t first_fold, folds; /* of this pass */
    size_t width;
    sg_regressor *regressor; /* (workers, width) */
} pass;

static void add_row(const sg_regressor *phi, size_t n, double weight, const double *y, const sg_additive_sums *sizes,
                    sg_normal_equations e)
{
    for (size_t o = 0; o < sizes->outputs; o++) e.squares[o] += weight * y[o] * y[o];
    for (size_t i = 0; i < n; i++) {
        double v = weight * phi[i].value, *row = e.gram + phi[i].column * sizes->columns;
        for (size_t o = 0; o < sizes->outputs; o++) e.cross[phi[i].column * sizes->outputs + o] += v * y[o];
        for (size_t j = 0; j <= i; j++) row[phi[j].column] += v * phi[j].value;
    }
}

static void add_rows(void *arg, size_t worker, sg_chunk_loader *l, double *sum)
{
    const pass *p = arg;
    sg_additive_sums to = p->sizes;
    sg_regressor *phi = p->regressor + worker * p->width;
    to.fold = sum;
    if (p->first_fold == 0 ? sg_additive_work(p->progress, l->rows.n) : sg_additive_stopped(p->progress)) return;
    for (size_t i = 0; i < l->rows.n; i++) {
        size_t fold = sg_additive_fold(p->grouping, l->rows.raw + i * l->source->columns) - p->first_fold;
        if (fold >= p->folds) continue;
        size_t n = sg_additive_regressors(p->layout, &l->chunk.features, i, phi);
        add_row(phi, n, l->rows.w[i], l->rows.t + i * to.outputs, &to, sg_additive_sums_at(&to, fold));
    }
}

/* Adds up some of the folds. The blocks of rows, and hence the rounding errors, do not depend on how many folds these
 * are. */
static sg_status run_pass(const sg_source *s, const sg_preprocessed *p, pass *w, sg_thread_pool *pool, double *to)
{
    sg_row_reduce reduce = {0};
    const double *sum;
    size_t length = w->sizes.length, all = SG_ADDITIVE_FOLDS * length * sizeof(double);
    sg_status st = sg_row_reduce_init_blocks(&reduce, s, p->model, p, w->folds * length,
                                             sg_parallel_reduce_block_rows(s, all), add_rows, NULL, w, pool);
    if (st == SG_OK) st = sg_row_reduce_run(&reduce, &sum);
    if (st == SG_OK) memcpy(to, sum, w->folds * length * sizeof *sum);
    sg_row_reduce_release(&reduce);
    return st;
}

sg_status sg_additive_sums_compute(const sg_source *s, const sg_preprocessed *p, const sg_additive *layout,
                                   const sg_additive_grouping *grouping, sg_additive_progress *progress,
                                   sg_thread_pool *pool, sg_additive_sums *out)
{
    pass w = {
        .layout = layout, .grouping = grouping, .progress = progress, .width = sg_additive_max_regressors(layout)};
    sg_status st = alloc_sums(sg_additive_columns(layout), p->model->outputs, out);
    w.regressor = sg_calloc(sg_thread_pool_threads(pool) * w.width, sizeof *w.regressor);
    if (st == SG_OK && !w.regressor) st = sg_fail_out_of_memory("least squares");
    st = sg_comm_agree_status(s->comm, st);
    w.sizes = *out;
    size_t most = out->length ? PASS_BYTES / sizeof(double) / out->length : 1;
    for (; st == SG_OK && out->fold && w.first_fold < SG_ADDITIVE_FOLDS; w.first_fold += w.folds) {
        w.folds = most < 1 ? 1 : most < SG_ADDITIVE_FOLDS - w.first_fold ? most : SG_ADDITIVE_FOLDS - w.first_fold;
        st = run_pass(s, p, &w, pool, out->fold + w.first_fold * out->length);
    }
    if (st == SG_OK) add_folds(out);
    free(w.regressor);
    if (st != SG_OK) sg_additive_sums_release(out);
    return st;
}

/* --- projection --- */

/* A column of the finer layout is a combination of at most four columns of the coarser one. */
typedef struct combination {
    size_t n;
    sg_regressor of[4];
} combination;

static void add_part(combination *c, size_t column, double value)
{
    if (value > 0) c->of[c->n++] = (sg_regressor){(uint32_t)column, value};
}

/* The place of a value among n ascending knots: entry `first` with weight 1 - t, and first + 1 with weight t. */
typedef struct place {
    size_t first;
    double t;
} place;

static place find_place(const double *knot, const uint32_t *index, size_t n, double x)
{
    size_t k = 0;
#define KNOT(i) knot[index ? index[i] : (i)]
    while (k + 1 < n && x >= KNOT(k + 1)) k++;
    if (k + 1 == n || x <= KNOT(k)) return (place){k, 0};
    return (place){k, (x - KNOT(k)) / (KNOT(k + 1) - KNOT(k))};
#undef KNOT
}

static void map_curve(const sg_curve *from, const sg_curve *to, size_t column, combination *out)
{
    for (size_t k = 0; k < from->cells; k++) {
        place at = {k, 0};
        if (!from->is_category) at = find_place(to->knot, NULL, to->cells, from->knot[k]);
        add_part(&out[k], column + at.first, 1 - at.t);
        add_part(&out[k], column + at.first + 1, at.t);
    }
    add_part(&out[from->cells], column + to->cells, 1);
}

static place find_term(const sg_curve *from, const sg_curve *to, size_t term)
{
    if (from->is_category) return (place){term, 0};
    return find_place(to->knot, to->term, to->terms, sg_curve_term_knot(from, term));
}

static void map_pair(const sg_additive *from, const sg_pair *p, const sg_additive *to, const sg_pair *q, size_t column,
                     combination *out)
{
    const sg_curve *a = &from->curve[p->curve[0]], *b = &from->curve[p->curve[1]];
    const sg_curve *c = &to->curve[q->curve[0]], *d = &to->curve[q->curve[1]];
    for (size_t i = 0; i < a->terms; i++)
        for (size_t j = 0; j < b->terms; j++, out++) {
            place u = find_term(a, c, i), v = find_term(b, d, j);
            size_t row = column + u.first * d->terms + v.first;
            add_part(out, row, (1 - u.t) * (1 - v.t));
            add_part(out, row + 1, (1 - u.t) * v.t);
            add_part(out, row + d->terms, u.t * (1 - v.t));
            add_part(out, row + d->terms + 1, u.t * v.t);
        }
}

/* Describes each column of `from` by columns of `to`. Columns of curves and pairs that `to` lacks get no parts. */
static void map_columns(const sg_additive *from, const sg_additive *to, combination *map)
{
    size_t at = 1, column = 1;
    add_part(&map[0], 0, 1);
    for (size_t i = 0, k = 0; i < from->curves; at += from->curve[i++].cells + 1) {
        if (k == to->curves || to->curve[k].input != from->curve[i].input) continue;
        map_curve(&from->curve[i], &to->curve[k], column, map + at);
        column += to->curve[k++].cells + 1;
    }
    for (size_t i = 0; i < from->pairs; at += sg_pair_cells(from, &from->pair[i++])) {
        size_t to_column = column;
        for (size_t k = 0; k < to->pairs; to_column += sg_pair_cells(to, &to->pair[k++])) {
            const sg_pair *p = &from->pair[i], *q = &to->pair[k];
            if (from->curve[p->curve[0]].input == to->curve[q->curve[0]].input &&
                from->curve[p->curve[1]].input == to->curve[q->curve[1]].input)
                map_pair(from, p, to, q, to_column, map + at);
        }
    }
}

static void add_product(const combination *a, const combination *b, double value, bool same, size_t columns,
                        double *gram)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++) {
            size_t r = a->of[i].column, c = b->of[j].column;
            double v = value * a->of[i].value * b->of[j].value;
            if (r >= c) gram[r * columns + c] += v;
            if (!same && c >= r) gram[c * columns + r] += v; /* the upper triangle of `from` */
        }
}

static void project_fold(const sg_additive_sums *s, const combination *map, sg_normal_equations from,
                         const sg_additive_sums *to, sg_normal_equations e)
{
    const size_t n = s->columns, outputs = s->outputs;
    memcpy(e.squares, from.squares, outputs * sizeof *e.squares);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < map[i].n; k++)
            for (size_t o = 0; o < outputs; o++)
                e.cross[map[i].of[k].column * outputs + o] += map[i].of[k].value * from.cross[i * outputs + o];
        for (size_t j = 0; map[i].n && j <= i; j++)
            if (from.gram[i * n + j] != 0)
                add_product(&map[i], &map[j], from.gram[i * n + j], i == j, to->columns, e.gram);
    }
}

sg_status sg_additive_sums_project(const sg_additive_sums *s, const sg_additive *from, const sg_additive *to,
                                   sg_additive_sums *out)
{
    combination *map = sg_calloc(s->columns, sizeof *map);
    sg_status st = alloc_sums(sg_additive_columns(to), s->outputs, out);
    if (st == SG_OK && !map) st = sg_fail_out_of_memory("least squares");
    if (st == SG_OK) map_columns(from, to, map);
    for (size_t f = 0; st == SG_OK && f < SG_ADDITIVE_FOLDS; f++)
        project_fold(s, map, sg_additive_sums_at(s, f), out, sg_additive_sums_at(out, f));
    if (st == SG_OK) add_folds(out);
    else sg_additive_sums_release(out);
    free(map);
    return st;
}
