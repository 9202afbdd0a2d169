/* figure_layout.c: where the panels stand, and the labels at the ends of their curves. */
#include "figure_parts.h"

#include <math.h>
#include <stdlib.h>

enum {
    ABOVE = MARGIN + PANEL_FONT + 10, /* a frame: the panel's title */
    TIC = 5,
    GAP = 15 /* between the centres of two labels */
};

/* Left of the frames of a column: tic labels and the axis label. */
static double column_left(const drawing *d, size_t column)
{
    double tics = 0, name = 0;
    for (size_t i = column; i < d->f->panels; i += d->f->columns) {
        const axis *y = &d->plot[i].y;
        for (size_t k = 0; k < y->tics; k++) tics = fmax(tics, figure_text_width(y->text[k], TIC_FONT));
        if (d->f->panel[i].y_label) name = LABEL_FONT + 6;
    }
    return MARGIN + name + tics + 2 * TIC;
}

/* Below the frames of a row. */
static double row_below(const drawing *d, size_t row)
{
    double tics = TIC + TIC_FONT + 6;
    for (size_t i = row * d->f->columns; i < d->f->panels && i < (row + 1) * d->f->columns; i++)
        if (d->f->panel[i].x_label) return tics + LABEL_FONT + 9;
    return tics;
}

/* Right of the frames: the labels of the curves. */
static double labels_width(const figure *f)
{
    double most = 0;
    for (const panel *p = f->panel; p < f->panel + f->panels; p++)
        for (const curve *c = p->curve; c < p->curve + p->curves; c++)
            if (c->label) most = fmax(most, figure_text_width(c->label, LABEL_FONT));
    return most > 0 ? LEADER + 3 + most : 2 * MARGIN;
}

/* The fewer the columns, the larger the panels: five make the 1600 pixels of a wide page. */
static void choose_sizes(drawing *d, double right)
{
    static const double cell[] = {640, 460, 420, 360, 320};
    size_t columns = d->f->columns;
    double left = 0, n = (double)columns;
    for (size_t c = 0; c < columns; c++) left += column_left(d, c);
    d->width = n * cell[columns < 5 ? columns - 1 : 4] + 2 * MARGIN;
    d->plot_height = columns == 1 ? 320 : 250;
    d->plot_width = (d->width - MARGIN - left) / n - right;
    if (d->plot_width < 120) { /* long labels: a wider figure rather than no room for the curves */
        d->width += n * (120 - d->plot_width);
        d->plot_width = 120;
    }
}

static void place_plots(drawing *d, double right)
{
    double x = 0, y = d->f->title ? MARGIN + TITLE_FONT + 4 : 0;
    for (size_t i = 0; i < d->f->panels; i++) {
        size_t column = i % d->f->columns;
        double left = column_left(d, column), below = row_below(d, i / d->f->columns);
        plot *p = &d->plot[i];
        if (column == 0) x = 0;
        p->left = x + left;
        p->top = y + ABOVE;
        p->x_label = p->top + d->plot_height + below - LABEL_FONT / 2.0;
        p->y_label = x + MARGIN + LABEL_FONT / 2.0;
        x = p->left + d->plot_width + right;
        d->height = p->top + d->plot_height + below + MARGIN;
        if (column + 1 == d->f->columns) y = d->height - MARGIN;
    }
}

/* The y axes first: the width of their tic labels decides the room for the x axes. */
sg_status figure_lay_out(drawing *d)
{
    double right = labels_width(d->f);
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < d->f->panels; i++) {
        d->plot[i].panel = &d->f->panel[i];
        st = figure_y_range(d->plot[i].panel, &d->plot[i].y);
        if (st == SG_OK) figure_y_tics(&d->plot[i].y);
    }
    if (st != SG_OK) return st;
    choose_sizes(d, right);
    place_plots(d, right);
    for (plot *p = d->plot; p < d->plot + d->f->panels; p++) {
        p->x = figure_x_range(p->panel);
        figure_x_tics(&p->x, p->panel, d->plot_width);
    }
    return SG_OK;
}

static int by_height(const void *a, const void *b)
{
    const label *p = a, *q = b;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return p->curve > q->curve ? -1 : 1; /* of equals the first one stands above */
}

/* The least moves (by squares) that keep the order and a gap: with i gaps taken off the i-th place
 * that is isotonic regression, done by pooling adjacent violators; to keep it inside [0, 1], it is
 * cut off at both ends. */
static void spread(label *l, size_t n, double gap)
{
    if (n > 1) gap = fmin(gap, 1 / (double)(n - 1));
    for (size_t i = 0; i < n; i++) {
        double sum = l[i].y - (double)i * gap, mean = sum;
        size_t first = i;
        while (first > 0 && l[first - 1].at > mean) {
            double above = l[first - 1].at;
            while (first > 0 && l[first - 1].at == above) sum += above, first--;
            mean = sum / (double)(i - first + 1);
        }
        for (size_t k = first; k <= i; k++) l[k].at = mean;
    }
    double highest = 1 - ((double)n - 1) * gap;
    for (size_t i = 0; i < n; i++) l[i].at = fmax(0, fmin(highest, l[i].at)) + (double)i * gap;
}

size_t figure_labels(const plot *p, double plot_height, label *l)
{
    size_t n = 0;
    for (const curve *c = p->panel->curve; c < p->panel->curve + p->panel->curves; c++) {
        size_t end = figure_curve_end(p->panel, c);
        if (!c->label || end == c->n) continue;
        double y = figure_place(&p->y, c->y[end]);
        l[n++] = (label){c, figure_place(&p->x, c->x[end]), fmax(0, fmin(1, y)), 0};
    }
    qsort(l, n, sizeof *l, by_height);
    spread(l, n, GAP / plot_height);
    return n;
}
