/* figure.h: panel figures, laid out like the paper's: a grid of small line charts whose curves are
 * labelled at their right ends. Drawn by gnuplot, if there is one.
 *
 *     curve c[] = {{"MBGD", 1, CURVE_SOLID, 500, iteration, mbgd},
 *                  {"RR", 0, CURVE_DASHED, 2, ends, ridge}};
 *     panel p[] = {{.title = "PM10", .y_label = "Test RMSE", .y_low = NAN, .y_high = NAN,
 *                   .curves = 2, .curve = c}, ...};
 *     figure f = {.name = "fig2", .columns = 5, .panels = 10, .panel = p};
 *     sg_status st = figure_draw(&f, "results", &drawn);
 *
 * Texts are UTF-8 and stand as they are given; NULL is none. Everything stays the caller's. */
#ifndef PAPER_FIGURE_H
#define PAPER_FIGURE_H

#include "sugeno.h"

enum { FIGURE_COLOURS = 8 };

/* How a line is drawn besides its colour, for print in grey. */
enum { CURVE_SOLID, CURVE_HEAVY, CURVE_DASHED, CURVE_DOTTED, CURVE_DASH_DOT, CURVE_THIN, CURVE_DASHES };

typedef struct curve {
    const char *label; /* stands at the right end; NULL: none                               */
    int colour;        /* 0 black, 1 blue, 2 vermilion, 3 green, 4 pink, 5 brown, 6 violet,
                          7 sky blue; then again from 0                                      */
    int dash;          /* CURVE_SOLID, ...                                                  */
    size_t n;
    const double *x, *y; /* x ascending; what is not finite, or not above 0 on a logarithmic
                            axis, is a gap                                                    */
} curve;

typedef struct panel {
    const char *title, *x_label, *y_label;
    int log_x, log_y;
    double y_low, y_high; /* NaN: chosen from the curves                                */
    size_t curves;
    const curve *curve;
    int points; /* also a marker at each point, and the x axis names the points */
} panel;

typedef struct figure {
    const char *name;  /* of the files, without an ending: up to 64 of A-Z a-z 0-9 - _ . */
    const char *title; /* above all panels                          */
    size_t columns, panels;
    const panel *panel; /* row by row */
} figure;

/* Writes FOLDER/NAME.csv (panel,curve,x,y: every point at full precision) and FOLDER/NAME.gp (a
 * script with thinned curves: run `gnuplot NAME.gp` in the folder), then NAME.svg and NAME.png with
 * gnuplot. *drawn is 0 where there is no gnuplot; that is no failure, and pictures that may be
 * there from before stay. The folder must exist. */
sg_status figure_draw(const figure *f, const char *folder, int *drawn);

#endif
