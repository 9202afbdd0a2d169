/* figure_curves.c: the curves as gnuplot's blocks of data, thinned by largest triangles
 * (Steinarsson 2013): of each stretch the point that stands out most is kept. Every k-th point
 * would make up oscillations. */
#include "figure_parts.h"

#include <math.h>

enum {
    KEPT = 90, /* points of a curve that are drawn          */
    HEAD = 15  /* of these all at the start, where it falls */
};

typedef struct spot {
    double x, y;
} spot;

static spot spot_of(const plot *p, const curve *c, size_t i)
{
    return (spot){figure_place(&p->x, c->x[i]), figure_place(&p->y, c->y[i])};
}

static spot mean_spot(const plot *p, const curve *c, size_t a, size_t b)
{
    spot m = {0, 0};
    for (size_t i = a; i < b; i++) {
        spot s = spot_of(p, c, i);
        m.x += s.x / (double)(b - a);
        m.y += s.y / (double)(b - a);
    }
    return m;
}

/* Of the points from to to - 1: the one that makes the largest triangle with a point before and the
 * mean of those behind, to to after - 1. */
static size_t outstanding(const plot *p, const curve *c, size_t before, size_t from, size_t to, size_t after)
{
    spot q = spot_of(p, c, before), r = mean_spot(p, c, to, after);
    double largest = -1;
    size_t found = from;
    for (size_t i = from; i < to; i++) {
        spot s = spot_of(p, c, i);
        double area = fabs((q.x - r.x) * (s.y - q.y) - (q.x - s.x) * (r.y - q.y));
        if (area > largest) largest = area, found = i;
    }
    return found;
}

static void add_point(text *t, const curve *c, size_t i) { text_add(t, "%.6g %.6g\n", c->x[i], c->y[i]); }

/* Points a to b - 1, thinned to about `quota`. */
static void add_run(text *t, const plot *p, const curve *c, size_t a, size_t b, size_t quota)
{
    size_t start = a, kept = a;
    for (; start < b && (start < HEAD || start == a || b - a <= quota); start++) add_point(t, c, kept = start);
    if (start == b) return;
    size_t head = start - a, parts = quota > head + 2 ? quota - head - 1 : 1, m = b - 1 - start;
    for (size_t k = 0; k < parts && m > 0; k++) {
        size_t from = start + k * m / parts, to = start + (k + 1) * m / parts;
        size_t after = k + 1 < parts ? start + (k + 2) * m / parts : b;
        kept = outstanding(p, c, kept, from, to, after);
        add_point(t, c, kept);
    }
    add_point(t, c, b - 1);
}

void figure_add_curve(text *t, const drawing *d, size_t i, size_t k)
{
    const panel *p = &d->f->panel[i];
    const curve *c = &p->curve[k];
    size_t budget = p->points ? c->n : KEPT;
    const char *gap = ""; /* one empty line; two would begin another block */
    if (figure_curve_end(p, c) == c->n) return;
    text_add(t, "$p%zuc%zu << END\n", i + 1, k + 1);
    for (size_t a = 0, b; a < c->n; a = b + 1) {
        for (b = a; b < c->n && figure_drawable(p, c, b);) b++;
        if (b == a) continue;
        text_add(t, "%s", gap);
        add_run(t, &d->plot[i], c, a, b, 1 + budget * (b - a) / c->n);
        gap = "\n";
    }
    text_add(t, "END\n");
}
