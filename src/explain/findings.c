/* findings.c: see findings.h. */
#include "explain/findings.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 256, LEAST_POINTS = 16 };
static const double most_work = 1e8; /* of what is told of all rows, in some 10 ns: a second */

/* --- which rules govern most --- */

static int by_share(const void *a, const void *b)
{
    const sg_governor *x = a, *y = b;
    if (x->share != y->share) return x->share < y->share ? 1 : -1;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static void order_rules(sg_findings *f)
{
    const sg_model *m = f->model;
    size_t n = 0;
    double all = 0;
    for (size_t b = 0; b < m->blocks; b++) all += fabs(m->block[b].weight);
    for (size_t b = 0; b < m->blocks; b++)
        for (size_t r = 0; r < m->block[b].rules; r++) {
            double part = all > 0 ? fabs(m->block[b].weight) / all : 1;
            f->rule[n++] = (sg_governor){b, r, f->known ? part * m->block[b].share[r] : 0};
        }
    if (n) qsort(f->rule, n, sizeof *f->rule, by_share);
}

/* About the work of one prediction. */
static double work_of(const sg_model *m)
{
    double row = 0;
    for (size_t b = 0; b < m->blocks; b++)
        row += (double)m->block[b].rules * (double)(m->block[b].inputs + m->block[b].terms);
    return row;
}

/* Fewer where all inputs at some values each would take seconds. */
static size_t points_of(const sg_model *m, size_t rules)
{
    const double points = most_work / (SG_QUANTILES * (double)m->inputs * work_of(m));
    size_t n = points < LEAST_POINTS ? LEAST_POINTS : points > POINTS ? POINTS : (size_t)points;
    return rules < n ? rules : n;
}

sg_status sg_findings_init(sg_findings *f, const sg_model *m)
{
    *f = (sg_findings){.model = m, .known = true, .rules = sg_model_rules(m)};
    for (size_t b = 0; b < m->blocks; b++) f->known = f->known && m->block[b].share;
    f->points = points_of(m, f->rules);
    f->rule = sg_alloc(f->rules, sizeof *f->rule);
    f->x = sg_alloc(m->inputs, sizeof *f->x);
    f->y = sg_alloc(m->outputs, sizeof *f->y);
    f->weight = sg_alloc(f->points, sizeof *f->weight);
    f->net = sg_alloc(sg_model_inputs(m), m->outputs * sizeof *f->net);
    f->span = sg_alloc(m->outputs, sizeof *f->span);
    f->sums = sg_alloc(m->outputs, 3 * sizeof *f->sums);
    bool ok = f->rule && f->x && f->y && f->weight && f->net && f->span && f->sums;
    sg_status st = ok ? sg_look_init(&f->look, m) : sg_fail(SG_ENOMEM, "out of memory for rules in words");
    if (st == SG_OK) order_rules(f);
    else sg_findings_release(f);
    return st;
}

void sg_findings_release(sg_findings *f)
{
    sg_look_release(&f->look);
    free(f->rule);
    free(f->x);
    free(f->y);
    free(f->weight);
    free(f->net);
    free(f->span);
    free(f->sums);
    *f = (sg_findings){0};
}

bool sg_findings_cheap(const sg_findings *f, size_t rules)
{
    const double near = 8; /* points that count for one rule, as a rule */
    return (double)rules * 3 * near * (double)f->model->inputs * work_of(f->model) <= 5 * most_work;
}

bool sg_findings_bearable(const sg_findings *f, size_t predictions)
{
    return (double)predictions * (double)f->points * work_of(f->model) <= most_work;
}

/* --- where predictions go --- */

static const double *place_of(const sg_findings *f, const sg_governor *g)
{
    return f->model->block[g->block].place + g->rule * f->model->inputs;
}

void sg_findings_all(sg_findings *f)
{
    for (size_t i = 0; i < f->points; i++) f->weight[i] = f->rule[i].share;
}

/* Points that count for less than a hundredth of the largest take time and change nothing. A rule that governs nothing
 * is told by itself. */
void sg_findings_of(sg_findings *f, const sg_governor *g)
{
    double largest = 0;
    for (size_t i = 0; i < f->points; i++) {
        sg_look_at(&f->look, place_of(f, &f->rule[i]));
        f->weight[i] = f->rule[i].share * sg_look_firing(&f->look, g->block)[g->rule];
        largest = fmax(largest, f->weight[i]);
    }
    for (size_t i = 0; i < f->points; i++)
        if (f->weight[i] < 0.01 * largest) f->weight[i] = 0;
}

/* Of a row, in f->x: its input becomes `value`, and so do the effects of it. */
static void move(sg_findings *f, size_t input, double value)
{
    const sg_coding *c = f->model->coding;
    if (c && c->input[input].levels) sg_coded_put(&c->input[input], value, f->x + c->input[input].first);
    else f->x[sg_feature_of(f->model, input)] = value;
    for (size_t i = 0; c && i < c->effects; i++)
        if (c->effect[i].input == input) f->x[sg_coding_plain(c) + i] = sg_effect_at(&c->effect[i], value);
}

/* Adds what is predicted of f->x: y[0], y[stride], ... */
static void add_prediction(sg_findings *f, double weight, size_t stride, double *y)
{
    sg_look_at(&f->look, f->x);
    sg_look_predict(&f->look, f->y);
    for (size_t o = 0; o < f->model->outputs; o++) y[o * stride] += weight * f->y[o];
}

static double total(const sg_findings *f)
{
    double sum = 0;
    for (size_t i = 0; i < f->points; i++) sum += f->weight[i];
    return sum > 0 ? sum : 1;
}

void sg_findings_about(sg_findings *f, const sg_governor *g, double *y)
{
    const sg_block *b = &f->model->block[g->block];
    const size_t outputs = f->model->outputs;
    if (b->about) {
        memcpy(y, b->about + g->rule * outputs, outputs * sizeof *y);
        return;
    }
    sg_look_at(&f->look, place_of(f, g));
    sg_look_predict(&f->look, y);
}

void sg_findings_course(sg_findings *f, size_t input, const double *value, size_t n, double *y)
{
    const double sum = total(f);
    memset(y, 0, f->model->outputs * n * sizeof *y);
    for (size_t i = 0; i < f->points; i++) {
        if (f->weight[i] == 0) continue;
        memcpy(f->x, place_of(f, &f->rule[i]), f->model->inputs * sizeof *f->x);
        for (size_t k = 0; k < n; k++) {
            move(f, input, value[k]);
            add_prediction(f, f->weight[i] / sum, n, y + k);
        }
    }
}

void sg_findings_table(sg_findings *f, size_t down, const double *value, size_t n, size_t across, const double *other,
                       size_t m, double *y)
{
    const double sum = total(f);
    memset(y, 0, f->model->outputs * n * m * sizeof *y);
    for (size_t i = 0; i < f->points; i++) {
        if (f->weight[i] == 0) continue;
        memcpy(f->x, place_of(f, &f->rule[i]), f->model->inputs * sizeof *f->x);
        for (size_t r = 0; r < n; r++) {
            move(f, down, value[r]);
            for (size_t c = 0; c < m; c++) {
                move(f, across, other[c]);
                add_prediction(f, f->weight[i] / sum, n * m, y + r * m + c);
            }
        }
    }
}

/* --- at which values --- */

size_t sg_feature_of(const sg_model *m, size_t input) { return m->coding ? m->coding->input[input].first : input; }

void sg_quantiles_of(const sg_model *m, size_t feature, double q[SG_QUANTILES])
{
    static const double part[SG_QUANTILES] = {-0.9, -0.5, 0, 0.5, 0.9}; /* of the way from the mean to an end */
    double mean = m->input_mean[feature];
    for (size_t k = 0; k < SG_QUANTILES; k++)
        q[k] = mean + fabs(part[k]) * ((part[k] < 0 ? m->low[feature] : m->high[feature]) - mean);
    if (m->quantile && sg_model_is_number(m, feature))
        memcpy(q, m->quantile + feature * SG_QUANTILES, SG_QUANTILES * sizeof *q);
}

size_t sg_findings_values(const sg_model *m, size_t input, double value[SG_COURSE])
{
    double q[SG_QUANTILES];
    size_t n = 0,
           levels = m->coding && m->coding->input[input].levels ? sg_coded_features(&m->coding->input[input]) : 0;
    for (; n < levels && n < SG_COURSE; n++) value[n] = (double)n;
    if (levels) return n;
    sg_quantiles_of(m, sg_feature_of(m, input), q);
    for (size_t k = 0; k < SG_QUANTILES; k++)
        if (n == 0 || q[k] > value[n - 1]) value[n++] = q[k];
    return n;
}

/* As far as a quarter of the rows lie from the middle, or as an eighth of the range, but not beyond that. */
size_t sg_findings_near(const sg_model *m, const sg_governor *g, size_t input, double value[SG_COURSE])
{
    size_t at = sg_feature_of(m, input);
    double q[SG_QUANTILES], range = m->high[at] - m->low[at],
                            middle = m->block[g->block].place[g->rule * m->inputs + at];
    sg_quantiles_of(m, at, q);
    double half = q[3] > q[1] ? (q[3] - q[1]) / 2 : range / 8;
    value[0] = fmax(m->low[at], middle - half);
    value[1] = middle;
    value[2] = fmin(m->high[at], middle + half);
    return value[0] < value[1] && value[1] < value[2] ? 3 : 0;
}

/* --- how clear that is --- */

/* Sums by weight: of how far predictions move, and of its squares; (outputs) each. */
typedef struct sums {
    double weight, *movement, *square, *low;
} sums;

/* Adds how predictions move as the input goes from the first value to the last, by how much the rule fires at f->x
 * before that. */
static void add_movement(sg_findings *f, const sg_governor *g, size_t input, const double value[SG_COURSE],
                         double weight, sums *s)
{
    sg_look_at(&f->look, f->x);
    weight *= sg_look_firing(&f->look, g->block)[g->rule];
    s->weight += weight;
    for (int k = 0; k < 2; k++) {
        move(f, input, value[k ? 2 : 0]);
        sg_look_at(&f->look, f->x);
        sg_look_predict(&f->look, k ? f->y : s->low);
    }
    for (size_t o = 0; o < f->model->outputs; o++) {
        double moved = f->y[o] - s->low[o];
        s->movement[o] += weight * moved;
        s->square[o] += weight * moved * moved;
    }
}

/* The same from the rule's place with another input at some values: of a category at each level, by how often it is
 * there. */
static void add_with_other(sg_findings *f, const sg_governor *g, size_t input, const double value[SG_COURSE],
                           size_t other, sums *s)
{
    const sg_model *m = f->model;
    const double *place = place_of(f, g);
    double at[SG_COURSE];
    bool category = sg_model_levels(m, other) > 0;
    size_t n = category ? sg_findings_values(m, other, at) : sg_findings_near(m, g, other, at);
    for (size_t k = 0; k < n; k++) {
        if (!category && k == 1) continue; /* the place itself */
        memcpy(f->x, place, m->inputs * sizeof *f->x);
        move(f, other, at[k]);
        add_movement(f, g, input, value, category ? place[sg_feature_of(m, other) + k] : 1, s);
    }
}

void sg_findings_margin(sg_findings *f, const sg_governor *g, size_t input, double *margin)
{
    const sg_model *m = f->model;
    const size_t outputs = m->outputs;
    double value[SG_COURSE];
    sums s = {.movement = f->sums, .square = f->sums + outputs, .low = f->sums + 2 * outputs};
    memset(f->sums, 0, 3 * outputs * sizeof *f->sums);
    memset(margin, 0, outputs * sizeof *margin);
    if (sg_model_levels(m, input) || !sg_findings_near(m, g, input, value)) return;
    memcpy(f->x, place_of(f, g), m->inputs * sizeof *f->x);
    add_movement(f, g, input, value, 1, &s);
    for (size_t i = 0; i < sg_model_inputs(m); i++)
        if (i != input) add_with_other(f, g, input, value, i, &s);
    for (size_t o = 0; o < outputs && s.weight > 0; o++) {
        double mean = s.movement[o] / s.weight, deviation = sqrt(fmax(0, s.square[o] / s.weight - mean * mean));
        margin[o] = mean / fmax(deviation, 1e-9 * fabs(mean) + DBL_MIN);
    }
}

/* --- words for them --- */

double sg_course_span(const double *y, size_t n)
{
    double low = y[0], high = y[0];
    for (size_t i = 1; i < n; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    return isfinite(high - low) ? high - low : 0;
}

/* The place of the largest, or of the smallest where sign is -1. */
static size_t place_of_most(const double *y, size_t n, double sign)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (sign * y[i] > sign * y[best]) best = i;
    return best;
}

/* Up to its top inside and down from there, but for a tenth of all steps; with sign -1 the other way round. */
static bool turns_once(const double *y, size_t n, double sign, double all)
{
    size_t top = place_of_most(y, n, sign);
    double against = 0;
    for (size_t i = 1; i < n; i++) against += fmax(0, (i <= top ? -sign : sign) * (y[i] - y[i - 1]));
    return top > 0 && top + 1 < n && against <= 0.1 * all;
}

sg_direction sg_direction_of(const double *y, size_t n)
{
    double up = 0, down = 0;
    for (size_t i = 1; i < n; i++) {
        double step = y[i] - y[i - 1];
        up += step > 0 ? step : 0;
        down -= step < 0 ? step : 0;
    }
    double all = up + down;
    if (!(all > 0)) return SG_LEVEL;
    if (down <= 0.02 * all) return SG_RISES;
    if (up <= 0.02 * all) return SG_FALLS;
    if (up - down >= 0.5 * all) return SG_MOSTLY_RISES;
    if (down - up >= 0.5 * all) return SG_MOSTLY_FALLS;
    if (turns_once(y, n, 1, all)) return SG_PEAKS;
    return turns_once(y, n, -1, all) ? SG_DIPS : SG_VARIES;
}
