/* figure_parts.h: what the figure_*.c files share. All geometry is computed in pixels of the SVG
 * and written into the script as fixed numbers: gnuplot's own estimates differ between terminals,
 * and it has no labels that make way for each other. */
#ifndef PAPER_FIGURE_PARTS_H
#define PAPER_FIGURE_PARTS_H

#include "figure.h"
#include "words.h"

/* Font sizes and lengths. */
enum {
    TITLE_FONT = 19,
    PANEL_FONT = 16,
    LABEL_FONT = 13,
    TIC_FONT = 12,
    LEADER = 14, /* from the right edge to the curves' labels */
    MARGIN = 10  /* around the figure, and between two panels */
};

enum { MAX_TICS = 12 };

typedef struct axis {
    int log;
    double low, high;
    size_t tics;
    double at[MAX_TICS];
    char text[MAX_TICS][24];
} axis;

typedef struct plot {
    const panel *panel;
    axis x, y;
    double left, top;        /* of the frame, from the figure's left and top          */
    double x_label, y_label; /* centres of the axes' labels: from the top and the left */
} plot;

typedef struct drawing {
    const figure *f;
    plot *plot; /* of each panel */
    double width, height;
    double plot_width, plot_height; /* of each frame */
} drawing;

/* The label of a curve. */
typedef struct label {
    const curve *curve;
    double x, y; /* where the curve ends, as shares of the frame */
    double at;   /* height of the label                          */
} label;

/* figure.c: between quotes, doubled inside: so both gnuplot's '...', where nothing else is special,
 * and CSV's "..." want it. */
void figure_add_quoted(text *t, char quote, const char *s);

/* figure_axes.c */
int figure_drawable(const panel *p, const curve *c, size_t i);
/* The last point that is drawn; c->n where none is. */
size_t figure_curve_end(const panel *p, const curve *c);
/* Where a value lies between the ends of its axis, 0 to 1. */
double figure_place(const axis *a, double v);
axis figure_x_range(const panel *p);
sg_status figure_y_range(const panel *p, axis *out);

/* figure_tics.c */
double figure_text_width(const char *s, double font);
void figure_x_tics(axis *a, const panel *p, double plot_width);
void figure_y_tics(axis *a);

/* figure_layout.c: fills in all but f and the room for d->plot. */
sg_status figure_lay_out(drawing *d);
/* Places the labels of a panel's curves, from below; l has room for all curves. Returns how many.
 */
size_t figure_labels(const plot *p, double plot_height, label *l);

/* figure_curves.c: the curve as a block of data with the name $pPcC, counted from 1; none for a
 * curve without points, which gnuplot would refuse. */
void figure_add_curve(text *t, const drawing *d, size_t i, size_t k);

/* figure_script.c */
void figure_add_script(text *t, const drawing *d);

/* figure_gnuplot.c: runs FOLDER/NAME.gp; see figure_draw. */
sg_status figure_run(const char *folder, const char *name, int *drawn);

#endif
