/* additive_eval.c: evaluates curves and pairs.
 *
 * Interpolation is v0 + t (v1 - v0), limited to v1. In floating point it is then monotone in t, from exactly v0 to at
 * most v1, so that a curve with ordered consequents is monotone to the last bit. The same holds for a pair along its
 * monotone input, if it has only one. */
#include "model/additive.h"

#include <math.h>

/* A place between two cells: the value is (1 - t) times that of the first plus t times that of the second. */
typedef struct segment {
    size_t first, second;
    double t;
} segment;

static double interpolate(double v0, double v1, double t)
{
    double v = v0 + t * (v1 - v0);
    if (v0 <= v1) return v < v1 ? v : v1;
    return v > v1 ? v : v1;
}

/* Returns the segment between two of the n >= 2 ascending knots that contains x. */
static segment find_segment(const double *knot, size_t n, double x)
{
    size_t low = 0, high = n - 1;
    if (!(x > knot[0])) return (segment){0, 0, 0};
    if (x >= knot[high]) return (segment){high, high, 0};
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (x >= knot[middle]) low = middle;
        else high = middle;
    }
    return (segment){low, high, (x - knot[low]) / (knot[high] - knot[low])};
}

/* Like find_segment, but between the terms of pairs. The segment holds indices of terms, not of cells. */
static segment find_term_segment(const sg_curve *c, double x)
{
    size_t low = 0, high = c->terms - 1;
    if (!(x > sg_curve_term_knot(c, 0))) return (segment){0, 0, 0};
    if (x >= sg_curve_term_knot(c, high)) return (segment){high, high, 0};
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (x >= sg_curve_term_knot(c, middle)) low = middle;
        else high = middle;
    }
    double from = sg_curve_term_knot(c, low);
    return (segment){low, high, (x - from) / (sg_curve_term_knot(c, high) - from)};
}

static bool is_missing(const sg_curve *c, const sg_feature_columns *rows, size_t i)
{
    return rows->missing && rows->missing[c->feature * rows->pitch + i] > 0;
}

/* Returns the level of a category: the one whose feature is 1, or c->cells if no feature is 1. */
static size_t find_level(const sg_curve *c, const sg_feature_columns *rows, size_t i)
{
    size_t level = 0;
    while (level < c->cells && !(rows->x[(c->feature + level) * rows->pitch + i] > 0.5)) level++;
    return level;
}

static void add_numeric_curve(size_t outputs, const sg_curve *c, const sg_feature_columns *rows, double *y)
{
    const double *x = rows->x + c->feature * rows->pitch;
    for (size_t i = 0; i < rows->n; i++) {
        segment at = {c->cells, c->cells, 0};
        if (!is_missing(c, rows, i)) at = find_segment(c->knot, c->cells, x[i]);
        for (size_t o = 0; o < outputs; o++)
            y[o * rows->pitch + i] +=
                interpolate(c->value[at.first * outputs + o], c->value[at.second * outputs + o], at.t);
    }
}

static void add_category_curve(size_t outputs, const sg_curve *c, const sg_feature_columns *rows, double *y)
{
    for (size_t i = 0; i < rows->n; i++) {
        bool missing = is_missing(c, rows, i);
        size_t level = missing ? c->cells : find_level(c, rows, i);
        if (!missing && level == c->cells) continue; /* not listed */
        for (size_t o = 0; o < outputs; o++) y[o * rows->pitch + i] += c->value[level * outputs + o];
    }
}

void sg_curve_add(const sg_additive *s, const sg_curve *c, const sg_feature_columns *rows, double *y)
{
    if (c->is_category) add_category_curve(s->outputs, c, rows, y);
    else add_numeric_curve(s->outputs, c, rows, y);
}

/* Finds the terms of a row. Returns false if there are none, because the value is missing, or because its level is not
 * listed or is not a term of pairs. */
static bool find_terms(const sg_curve *c, const sg_feature_columns *rows, size_t i, segment *out)
{
    if (is_missing(c, rows, i)) return false;
    if (!c->is_category) {
        *out = find_term_segment(c, rows->x[c->feature * rows->pitch + i]);
        return true;
    }
    size_t level = find_level(c, rows, i), term = 0;
    while (term < c->terms && c->term[term] != level) term++;
    *out = (segment){term, term, 0};
    return term < c->terms;
}

/* The values of the four cells around a row, indexed by the first input and then by the second. */
typedef struct four_cells {
    double v00, v01, v10, v11;
} four_cells;

/* A weighted mean, which is monotone in both values, but not in t. */
static double weigh(double v0, double v1, double t) { return (1 - t) * v0 + t * v1; }

/* Interpolates with about twice the precision, so that the result is monotone in the values and in t, unless the exact
 * result is within 1e-16 units in the last place of the midpoint between two doubles. */
static double interpolate_exactly(double v0, double v1, double t)
{
    double d = v1 - v0, part = d - v1, d_error = (v1 - (d - part)) - (v0 + part);
    double p = t * d, p_error = fma(t, d, -p) + t * d_error;
    double sum = v0 + p, added = sum - v0, sum_error = (v0 - (sum - added)) + (p - added);
    return sum + (sum_error + p_error);
}

/* Interpolates between four cells. The last step is along a monotone input, if there is one. */
static double interpolate_cells(const sg_curve *first, const sg_curve *second, four_cells v, double t, double u)
{
    if (!second->monotone) return interpolate(weigh(v.v00, v.v01, u), weigh(v.v10, v.v11, u), t);
    if (!first->monotone) return interpolate(weigh(v.v00, v.v10, t), weigh(v.v01, v.v11, t), u);
    return interpolate_exactly(interpolate(v.v00, v.v01, u), interpolate(v.v10, v.v11, u), t);
}

static four_cells load_cells(const double *value, size_t stride, size_t outputs, segment a, segment b)
{
    const double *row0 = value + a.first * stride, *row1 = value + a.second * stride;
    return (four_cells){row0[b.first * outputs], row0[b.second * outputs], row1[b.first * outputs],
                        row1[b.second * outputs]};
}

void sg_pair_add(const sg_additive *s, const sg_pair *p, const sg_feature_columns *rows, double *y)
{
    const sg_curve *first = &s->curve[p->curve[0]], *second = &s->curve[p->curve[1]];
    const size_t outputs = s->outputs, stride = second->terms * outputs;
    for (size_t i = 0; i < rows->n; i++) {
        segment a, b;
        if (!find_terms(first, rows, i, &a) || !find_terms(second, rows, i, &b)) continue;
        for (size_t o = 0; o < outputs; o++)
            y[o * rows->pitch + i] +=
                interpolate_cells(first, second, load_cells(p->value + o, stride, outputs, a, b), a.t, b.t);
    }
}

void sg_additive_add(const sg_additive *s, const sg_feature_columns *rows, double *y)
{
    for (size_t i = 0; i < s->curves; i++) sg_curve_add(s, &s->curve[i], rows, y);
    for (size_t i = 0; i < s->pairs; i++) sg_pair_add(s, &s->pair[i], rows, y);
}

/* --- regressors --- */

size_t sg_additive_columns(const sg_additive *s)
{
    size_t n = 1;
    for (size_t i = 0; i < s->curves; i++) n += s->curve[i].cells + 1;
    for (size_t i = 0; i < s->pairs; i++) n += sg_pair_cells(s, &s->pair[i]);
    return n;
}

size_t sg_additive_max_regressors(const sg_additive *s) { return 1 + 2 * s->curves + 4 * s->pairs; }

static sg_regressor *put_regressor(sg_regressor *to, size_t column, double value)
{
    if (!(value > 0)) return to;
    *to = (sg_regressor){(uint32_t)column, value};
    return to + 1;
}

static segment find_cells(const sg_curve *c, const sg_feature_columns *rows, size_t i)
{
    segment at = {c->cells, c->cells, 0};
    if (is_missing(c, rows, i)) return at;
    if (!c->is_category) return find_segment(c->knot, c->cells, rows->x[c->feature * rows->pitch + i]);
    at.first = at.second = find_level(c, rows, i);
    if (at.first == c->cells) at.t = -1; /* not listed */
    return at;
}

static sg_regressor *put_curve(const sg_curve *c, size_t column, const sg_feature_columns *rows, size_t i,
                               sg_regressor *to)
{
    segment at = find_cells(c, rows, i);
    if (at.t < 0) return to;
    to = put_regressor(to, column + at.first, 1 - at.t);
    return put_regressor(to, column + at.second, at.t);
}

static sg_regressor *put_pair(const sg_additive *s, const sg_pair *p, size_t column, const sg_feature_columns *rows,
                              size_t i, sg_regressor *to)
{
    const sg_curve *first = &s->curve[p->curve[0]], *second = &s->curve[p->curve[1]];
    segment a, b;
    if (!find_terms(first, rows, i, &a) || !find_terms(second, rows, i, &b)) return to;
    size_t row0 = column + a.first * second->terms, row1 = column + a.second * second->terms;
    to = put_regressor(to, row0 + b.first, (1 - a.t) * (1 - b.t));
    to = put_regressor(to, row0 + b.second, (1 - a.t) * b.t);
    to = put_regressor(to, row1 + b.first, a.t * (1 - b.t));
    return put_regressor(to, row1 + b.second, a.t * b.t);
}

size_t sg_additive_regressors(const sg_additive *s, const sg_feature_columns *rows, size_t i, sg_regressor *out)
{
    sg_regressor *to = put_regressor(out, 0, 1);
    size_t column = 1;
    for (size_t k = 0; k < s->curves; column += s->curve[k++].cells + 1)
        to = put_curve(&s->curve[k], column, rows, i, to);
    for (size_t k = 0; k < s->pairs; column += sg_pair_cells(s, &s->pair[k++]))
        to = put_pair(s, &s->pair[k], column, rows, i, to);
    return (size_t)(to - out);
}
