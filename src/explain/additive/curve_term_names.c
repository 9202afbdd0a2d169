/* curve_term_names.c: the names of the terms of a curve, and the terms that a text shows. */
#include "explain/additive/curve_term_names.h"

#include "base/memory.h"
#include "explain/text/text_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *sg_term_name(size_t n, size_t k)
{
    static const char *const names[SG_NAMED_TERMS + 1][SG_NAMED_TERMS] = {
        {0},
        {0},
        {"low", "high"},
        {"low", "medium", "high"},
        {"very low", "low", "high", "very high"},
        {"very low", "low", "medium", "high", "very high"},
        {"very low", "low", "somewhat low", "somewhat high", "high", "very high"},
        {"very low", "low", "somewhat low", "medium", "somewhat high", "high", "very high"},
    };
    return n <= SG_NAMED_TERMS ? names[n][k] : NULL;
}

const char *sg_curve_cell_name(const sg_curve *c, size_t cell)
{
    return c->is_category ? NULL : sg_term_name(c->cells, cell);
}

size_t sg_curve_nearest_cell(const sg_curve *c, double x)
{
    size_t k = 0;
    while (k + 1 < c->cells && x >= c->knot[k + 1]) k++;
    return k + 1 < c->cells && x - c->knot[k] > c->knot[k + 1] - x ? k + 1 : k;
}

/* --- shown knots --- */

/* Returns by how much the curve would change at knot k if it were interpolated between its neighbours. */
static double removal_error(const sg_additive *s, const sg_curve *c, size_t o, size_t before, size_t k, size_t after)
{
    double from = c->value[before * s->outputs + o], to = c->value[after * s->outputs + o],
           t = (c->knot[k] - c->knot[before]) / (c->knot[after] - c->knot[before]);
    return fabs(from + t * (to - from) - c->value[k * s->outputs + o]);
}

/* Removes one of n knots: the inner one whose removal changes the curve least. */
static void drop_least(const sg_additive *s, const sg_curve *c, size_t o, size_t *knot, size_t n)
{
    size_t best = 1;
    double least = INFINITY;
    for (size_t i = 1; i + 1 < n; i++) {
        double error = removal_error(s, c, o, knot[i - 1], knot[i], knot[i + 1]);
        if (error < least) best = i;
        least = fmin(least, error);
    }
    memmove(knot + best, knot + best + 1, (n - best - 1) * sizeof *knot);
}

size_t sg_curve_shown_knots(const sg_additive *s, const sg_curve *c, size_t o, size_t out[SG_NAMED_TERMS])
{
    size_t n = c->cells, *knot = sg_calloc(n, sizeof *knot);
    if (!knot) return 0;
    for (size_t i = 0; i < n; i++) knot[i] = i;
    for (; n > SG_NAMED_TERMS; n--) drop_least(s, c, o, knot, n);
    memcpy(out, knot, n * sizeof *out);
    free(knot);
    return n;
}

/* --- positions --- */

const char *sg_curve_format_knot(const sg_curve *c, const size_t *knots, size_t n, size_t i,
                                 char buf[SG_NUMBER_BUFFER_SIZE])
{
    double value = c->knot[knots[i]], gap = INFINITY;
    if (i > 0) gap = fmin(gap, value - c->knot[knots[i - 1]]);
    if (i + 1 < n) gap = fmin(gap, c->knot[knots[i + 1]] - value);
    return sg_format_among_neighbours(value, gap, buf);
}

void sg_curve_level_text(sg_text *t, const sg_model *m, const sg_curve *c, size_t k)
{
    char *name = sg_encoded_input_level_name(&m->encoder->input[c->input], k);
    if (name) sg_text_append_escaped(t, name);
    else t->failed = true;
    free(name);
}

/* Shortens the text from `start` on to this number of characters. */
static void truncate_text(sg_text *t, size_t start, size_t width)
{
    size_t at = start, count = 0;
    if (t->failed || sg_text_width(t->bytes + start) <= width) return;
    for (; t->bytes[at]; at++) {
        count += ((unsigned char)t->bytes[at] & 0xC0) != 0x80;
        if (count == width) break;
    }
    t->length = at;
    t->bytes[at] = '\0';
    sg_text_append(t, "\u2026");
}

void sg_curve_term_text(sg_text *t, const sg_model *m, const sg_curve *c, size_t term, size_t width)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    size_t start = t->length;
    if (c->is_category) {
        sg_curve_level_text(t, m, c, c->term[term]);
        if (width) truncate_text(t, start, width);
        return;
    }
    double value = sg_curve_term_knot(c, term), gap = INFINITY;
    if (term > 0) gap = fmin(gap, value - sg_curve_term_knot(c, term - 1));
    if (term + 1 < c->terms) gap = fmin(gap, sg_curve_term_knot(c, term + 1) - value);
    sg_text_append(t, sg_format_among_neighbours(value, gap, x));
}
