/* recall.c: see recall.h.
 *
 * What the committee leaves over of a row, u + e: u belongs to its inputs, and rows that are alike have it in common, e
 * does not. Their variances are estimated from rows that are alike, by what the committee said of them when it knew
 * none of them. Of n rows that are alike, n var(u) / (n var(u) + var(e)) of their mean is the best guess of u. */
#include "auto/recall.h"

#include "auto/seen.h"
#include "base/memory.h"
#include "prep/quantile.h"
#include "train/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 20, MOST_RULES = 65536 };      /* rows that are like one before them */
static const double LESS = 0.98, SURE = 2;     /* squared error, t */
static const double APART = 8, SHARPEST = 1e5; /* widths to the next value; 1 / width */
static const double GRAIN = 1e6;
static const double MOST_WRITTEN = 64e6, WRITTEN = 130; /* bytes of a model file, and of a condition in it */

typedef struct mate {
    uint64_t key;
    size_t row;
} mate;

typedef struct alike {
    const sg_ground *ground;
    size_t rows, kinds; /* rows without gaps, different ones */
    mate *mate;         /* (rows): kinds one after the other */
    size_t *first;      /* (kinds + 1)                       */
    double *left; /* (rows of the ground, outputs): what the committee leaves over of rows that it does not know */
    double common, own; /* var(u), var(e), in variances of the targets */
} alike;

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for rows that come again"); }

static void release(alike *a)
{
    free(a->mate);
    free(a->first);
    free(a->left);
}

/* --- who is like whom --- */

static int by_key(const void *x, const void *y)
{
    const mate *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static bool has_gap(const sg_ground *g, const double *row)
{
    for (size_t i = 0; i < g->inputs; i++)
        if (isnan(row[g->roles.input[i]])) return true;
    return false;
}

static void find_mates(alike *a)
{
    const sg_ground *g = a->ground;
    for (size_t i = 0; i < g->rows; i++) {
        const double *row = g->desk.value + i * g->desk.rows.columns;
        if (!(g->weight[i] > 0) || has_gap(g, row)) continue;
        a->mate[a->rows++] = (mate){sg_group_key(row, g->roles.input, g->inputs), i};
    }
    qsort(a->mate, a->rows, sizeof *a->mate, by_key);
    for (size_t i = 0; i < a->rows; i++)
        if (i == 0 || a->mate[i].key != a->mate[i - 1].key) a->first[a->kinds++] = i;
    a->first[a->kinds] = a->rows;
}

static void find_left(const sg_search *s, alike *a)
{
    const sg_ground *g = a->ground;
    size_t cells = g->rows * g->outputs;
    for (size_t k = 0; k < cells; k++) a->left[k] = g->y[k];
    for (size_t i = 0; i < s->finals; i++) {
        if (!(s->weight[i] > 0)) continue;
        const double *y = s->final[i].y + s->final[i].best * cells;
        for (size_t k = 0; k < cells; k++) a->left[k] -= s->weight[i] * y[k];
    }
}

/* --- is it worth it? --- */

/* Weighted mean of what is left over of a kind, without one of its rows (or SG_NO_COLUMN); its weight. */
static double mean_of(const alike *a, size_t kind, size_t without, double *mean)
{
    const sg_ground *g = a->ground;
    double weight = 0;
    memset(mean, 0, g->outputs * sizeof *mean);
    for (size_t i = a->first[kind]; i < a->first[kind + 1]; i++) {
        size_t row = a->mate[i].row;
        if (row == without) continue;
        weight += g->weight[row];
        for (size_t o = 0; o < g->outputs; o++) mean[o] += g->weight[row] * a->left[row * g->outputs + o];
    }
    for (size_t o = 0; o < g->outputs && weight > 0; o++) mean[o] /= weight;
    return weight;
}

/* Squares of a row's rest without so much, in the targets' variances. */
static double squares(const alike *a, size_t row, const double *known, double part)
{
    const sg_ground *g = a->ground;
    double sum = 0;
    for (size_t o = 0; o < g->outputs; o++) {
        double d = a->left[row * g->outputs + o] - part * known[o];
        sum += d * d / g->variance[o];
    }
    return g->weight[row] * sum / (double)g->outputs;
}

static size_t size_of(const alike *a, size_t kind) { return a->first[kind + 1] - a->first[kind]; }

/* False: too few rows have others like them, or nothing in common. mean: room. */
static bool find_variances(alike *a, double *mean)
{
    double within = 0, degrees = 0, all = 0, weight = 0;
    size_t again = 0;
    for (size_t k = 0; k < a->kinds; k++) {
        size_t n = size_of(a, k);
        if (n < 2) continue;
        double w = mean_of(a, k, SG_NO_COLUMN, mean);
        for (size_t i = a->first[k]; i < a->first[k + 1]; i++) {
            within += squares(a, a->mate[i].row, mean, 1);
            all += squares(a, a->mate[i].row, mean, 0);
        }
        degrees += w * (double)(n - 1) / (double)n;
        weight += w;
        again += n - 1;
    }
    if (again < FEWEST) return false;
    a->own = within / degrees;
    a->common = all / weight - a->own;
    return a->common > 0;
}

static double part_of(const alike *a, size_t n) { return (double)n * a->common / ((double)n * a->common + a->own); }

/* Every row that has others like it, by those alone. */
static bool is_worth_it(const alike *a, double *mean, double *error)
{
    const sg_ground *g = a->ground;
    double before = 0, gain = 0, gains = 0, weight = 0, n = (double)g->rows;
    for (size_t i = 0; i < g->rows; i++) {
        before += squares(a, i, mean, 0);
        weight += g->weight[i];
    }
    for (size_t k = 0; k < a->kinds; k++)
        for (size_t i = a->first[k]; size_of(a, k) > 1 && i < a->first[k + 1]; i++) {
            size_t row = a->mate[i].row;
            mean_of(a, k, row, mean);
            double d = squares(a, row, mean, 0) - squares(a, row, mean, part_of(a, size_of(a, k) - 1));
            gain += d;
            gains += d * d;
        }
    double variance = gains / n - (gain / n) * (gain / n);
    *error = fmax(before - gain, 0) / weight;
    return before - gain < LESS * before && variance > 0 && gain / n > SURE * sqrt(variance / n);
}

/* --- rules --- */

/* The different values of a feature, rising; how many. */
static size_t find_values(const alike *a, const double *x, size_t width, size_t feature, double *value)
{
    size_t n = 0;
    for (size_t k = 0; k < a->kinds; k++) value[k] = x[a->mate[a->first[k]].row * width + feature];
    sg_sort_numbers(value, a->kinds);
    for (size_t k = 0; k < a->kinds; k++)
        if (k == 0 || value[k] != value[k - 1]) value[n++] = value[k];
    return n;
}

static size_t place_of(const double *value, size_t n, double x)
{
    size_t low = 0;
    while (n > 1) {
        size_t half = n / 2;
        if (value[low + half] <= x) low += half;
        n -= half;
    }
    return low;
}

/* So that next values are far away; a power of two. */
static double sharpness(const double *value, size_t n, size_t i)
{
    double gap = INFINITY;
    int power;
    if (i > 0) gap = value[i] - value[i - 1];
    if (i + 1 < n) gap = fmin(gap, value[i + 1] - value[i]);
    frexp(fmin(APART / gap, SHARPEST), &power);
    return ldexp(1, power);
}

/* Conditions on one feature, from MF `at` on; of one value there are none. */
static size_t put_conditions(const alike *a, const double *x, size_t feature, size_t at, double *value, sg_block *b)
{
    size_t n = find_values(a, x, b->inputs, feature, value);
    if (n < 2) return at;
    for (size_t i = 0; i < n; i++) {
        double sharp = sharpness(value, n, i), p[SG_MF_PARAMETERS] = {value[i], sharp, value[i], sharp};
        b->input_of[at + i] = (uint32_t)feature;
        sg_mf_put(b, at + i, p);
    }
    for (size_t k = 0; k < a->kinds; k++)
        b->mf_of[k * b->inputs + feature] =
            (int32_t)(at + place_of(value, n, x[a->mate[a->first[k]].row * b->inputs + feature]));
    return at + n;
}

/* a->left is what the committee leaves over of the rows that it knows. mean: room. */
static void put_answers(const alike *a, const sg_model *m, double *mean, sg_block *b)
{
    for (size_t k = 0; k < a->kinds; k++) {
        double part = part_of(a, size_of(a, k));
        mean_of(a, k, SG_NO_COLUMN, mean);
        for (size_t o = 0; o < b->outputs; o++)
            b->conseq[k * (b->terms + 1) * b->outputs + o] = floor(part * mean[o] / m->scale[o] * GRAIN + 0.5) / GRAIN;
    }
}

/* A rule for each kind of rows, and one without conditions, which says nothing: a row that is known gets half of its
 * own rule, so the block weighs 2. x: as the model sees rows. */
static sg_status make_block(const alike *a, const sg_model *m, const double *x, double *room, sg_model **out)
{
    sg_model *r;
    size_t width = m->one_view ? m->a.out : m->z.out, mfs = 0;
    sg_status st = sg_model_copy_shell(m, &r);
    if (st != SG_OK) return st;
    memset(r->y0, 0, r->outputs * sizeof *r->y0);
    for (size_t f = 0; f < width; f++) {
        size_t n = find_values(a, x, width, f, room);
        mfs += n > 1 ? n : 0;
    }
    st = sg_model_add_block(r, &sg_mf_gauss2, mfs, a->kinds + 1, 0);
    if (st == SG_OK) st = sg_model_bind(r);
    if (st == SG_OK) {
        sg_block *b = r->block;
        b->weight = 2;
        b->sees_z = !r->one_view;
        for (size_t f = 0, at = 0; f < width; f++) at = put_conditions(a, x, f, at, room, b);
        put_answers(a, m, room, b);
        *out = r;
    } else sg_model_free(r);
    return st;
}

static sg_status take_away(void *arg, size_t first, size_t rows, const double *y)
{
    alike *a = arg;
    size_t outputs = a->ground->outputs;
    for (size_t k = 0; k < rows * outputs; k++) a->left[first * outputs + k] = a->ground->y[first * outputs + k] - y[k];
    return SG_OK;
}

static sg_status add_block(alike *a, double *room, sg_model **m)
{
    const sg_source *rows = &a->ground->desk.rows;
    size_t width = (*m)->one_view ? (*m)->a.out : (*m)->z.out;
    double *x = sg_alloc(rows->rows, width * sizeof *x);
    sg_member both[2] = {{.model = *m, .weight = 1}, {.weight = 1}};
    sg_model *joined = NULL;
    sg_status st = x ? sg_seen_rows(*m, rows, !(*m)->one_view, x) : no_memory();
    if (st == SG_OK) st = sg_model_predict_source(*m, rows, 1, take_away, a);
    if (st == SG_OK) st = make_block(a, *m, x, room, &both[1].model);
    if (st == SG_OK) st = sg_committee_model(&(sg_committee){.members = 2, .member = both}, &joined);
    free(x);
    sg_model_free(both[1].model);
    if (st != SG_OK) return st;
    sg_model_free(*m);
    *m = joined;
    return SG_OK;
}

/* --- all of it --- */

sg_status sg_recall_add(sg_search *s, sg_model **m)
{
    const sg_ground *g = &s->ground;
    alike a = {.ground = g};
    double error;
    if (!s->plan.recall || g->desk.of.team || sg_options_given(s->user, "group")) return SG_OK;
    a.mate = sg_alloc(g->rows, sizeof *a.mate);
    a.first = sg_alloc(g->rows + 1, sizeof *a.first);
    a.left = sg_alloc(g->rows, g->outputs * sizeof *a.left);
    double *room = sg_alloc(g->rows + g->outputs, sizeof *room);
    sg_status st = a.mate && a.first && a.left && room ? SG_OK : no_memory();
    if (st == SG_OK) {
        find_mates(&a);
        find_left(s, &a);
    }
    bool fits = a.kinds <= MOST_RULES && WRITTEN * (double)a.kinds * (double)g->features <= MOST_WRITTEN;
    if (st == SG_OK && fits && find_variances(&a, room) && is_worth_it(&a, room, &error)) {
        st = add_block(&a, room, m);
        s->recalled = error;
    }
    free(room);
    release(&a);
    return st;
}
