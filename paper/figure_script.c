/* figure_script.c: the gnuplot script of a figure. The program never calls setlocale, so printf
 * writes numbers as gnuplot reads them. */
#include "figure_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* After Okabe and Ito, darkened for text on white; apart in lightness where they are close in hue
 * for a colour-blind eye. */
static const char *const palette[FIGURE_COLOURS] = {"#1a1a1a", "#0072b2", "#d55e00", "#00946a",
                                                    "#bf62a3", "#6b4700", "#4b2a8c", "#3a97d2"};

static const char *const dashes[CURVE_DASHES] = {
    [CURVE_SOLID] = "lw 1.7",         [CURVE_HEAVY] = "lw 2.8", [CURVE_DASHED] = "lw 1.7 dt (8,4)",
    [CURVE_DOTTED] = "lw 2 dt (2,3)", [CURVE_THIN] = "lw 1",    [CURVE_DASH_DOT] = "lw 1.7 dt (9,3,2,3)",
};

static const char *colour_of(const curve *c) { return palette[(size_t)c->colour % FIGURE_COLOURS]; }

static void add_head(text *t, const drawing *d)
{
    text_add(t, "# Run in this folder: gnuplot %s.gp\n", d->f->name);
    text_add(t, "# The curves are thinned; all their points are in the .csv beside.\n"
                "reset\nset encoding utf8\n");
    text_add(t, "if (!exists('name')) name = '%s'\n", d->f->name);
    text_add(t, "font = 'sans-serif,%d'\npanel_font = 'sans-serif,%d'\n", LABEL_FONT, PANEL_FONT);
    text_add(t, "tic_font = 'sans-serif,%d'\ntitle_font = 'sans-serif,%d'\n", TIC_FONT, TITLE_FONT);
    text_add(t, "width = %.0f\nheight = %.0f\n", ceil(d->width), ceil(d->height));
    text_add(t, "set border 3 lw 0.7 lc '#666666'\n"
                "set grid lt 1 lw 0.7 lc '#e2e2e2'\n"
                "set clip two\nunset key\n"
                "set xtics nomirror out scale 0.5 offset 0, 0.45\n"
                "set ytics nomirror out scale 0.5 offset 0.5, 0\n"
                "set tics font tic_font textcolor '#333333'\n\n");
}

/* One pass for each kind of picture. The PNG has twice the pixels, for print; its font sizes are
 * points of 4/3 pixels. */
static const char terminals[] =
    "\ndo for [kind in 'svg png'] {\n"
    "if (kind eq 'svg') {\n"
    "  set terminal svg noenhanced size width, height fixed font font background '#ffffff'\n"
    "} else {\n"
    "  if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
    "    set terminal pngcairo noenhanced size 2 * width, 2 * height font font fontscale 1.5 \\\n"
    "      linewidth 2 pointscale 2 dashlength 2 background '#ffffff'\n"
    "  } else {\n"
    "    set terminal png noenhanced size 2 * width, 2 * height font font fontscale 1.5 \\\n"
    "      linewidth 2 pointscale 2 background '#ffffff'\n"
    "  }\n"
    "}\n"
    "set output name . '.' . kind\n"
    "set multiplot\n";

static void add_label(text *t, const char *s, const char *how, const char *system, double x, double y)
{
    if (!s) return;
    text_add(t, "set label ");
    figure_add_quoted(t, '\'', s);
    text_add(t, " at %s %.5f, %s %.5f %s\n", system, x, system, y, how);
}

static void add_axis(text *t, char name, const axis *a)
{
    char low[32], high[32];
    text_add(t, "set %crange [%s:%s]\n", name, sg_number_format(a->low, low), sg_number_format(a->high, high));
    text_add(t, "%sset logscale %c\nset %ctics (", a->log ? "" : "un", name, name);
    for (size_t i = 0; i < a->tics; i++)
        text_add(t, "%s'%s' %s", i ? ", " : "", a->text[i], sg_number_format(a->at[i], low));
    text_add(t, ")\n");
}

/* The frame's place, and the texts around it. */
static void add_frame(text *t, const drawing *d, const plot *p)
{
    double w = d->width, h = d->height, right = p->left + d->plot_width, bottom = p->top + d->plot_height;
    text_add(t, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", p->left / w, right / w);
    text_add(t, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n", 1 - p->top / h, 1 - bottom / h);
    add_axis(t, 'x', &p->x);
    add_axis(t, 'y', &p->y);
    if (p == d->plot) /* the figure's title is drawn with its first panel */
        add_label(t, d->f->title, "center tc '#1a1a1a' font title_font", "screen", 0.5,
                  1 - (MARGIN + TITLE_FONT / 2.0) / h);
    add_label(t, p->panel->title, "center tc '#1a1a1a' font panel_font", "screen", (p->left + right) / 2 / w,
              1 - (p->top - 6 - PANEL_FONT / 2.0) / h);
    add_label(t, p->panel->x_label, "center tc '#333333'", "screen", (p->left + right) / 2 / w, 1 - p->x_label / h);
    add_label(t, p->panel->y_label, "center rotate tc '#333333'", "screen", p->y_label / w,
              1 - (p->top + bottom) / 2 / h);
}

/* Leaders join curves and labels, also those that stand level: so all labels are in one column. */
static void add_curve_labels(text *t, const drawing *d, const plot *p)
{
    label *l = calloc(p->panel->curves + 1, sizeof *l);
    if (!l) {
        t->failed = 1;
        return;
    }
    size_t n = figure_labels(p, d->plot_height, l);
    double pixel = 1 / d->plot_width;
    for (const label *k = l; k < l + n; k++) {
        char how[64];
        const char *colour = colour_of(k->curve);
        text_add(t, "set arrow from graph %.5f, graph %.5f to graph %.5f, graph %.5f", k->x + 2 * pixel, k->y,
                 1 + LEADER * pixel, k->at);
        text_add(t, " nohead lw 0.7 lc '%s'\n", colour);
        snprintf(how, sizeof how, "left tc '%s'", colour);
        add_label(t, k->curve->label, how, "graph", 1 + (LEADER + 3) * pixel, k->at);
    }
    free(l);
}

static void add_plot(text *t, const panel *p, size_t i)
{
    const char *sep = "plot ";
    for (size_t k = 0; k < p->curves; k++) {
        const curve *c = &p->curve[k];
        if (figure_curve_end(p, c) == c->n) continue;
        text_add(t, "%s$p%zuc%zu using 1:2 with %s %s lc '%s' title ", sep, i + 1, k + 1,
                 p->points || c->n == 1 ? "linespoints pt 7 ps 0.6" : "lines", dashes[(size_t)c->dash % CURVE_DASHES],
                 colour_of(c));
        /* What a browser shows beside the mouse. */
        figure_add_quoted(t, '\'', c->label ? c->label : "");
        sep = ", \\\n  ";
    }
    text_add(t, *sep == 'p' ? "plot NaN\n" : "\n"); /* axes only */
}

void figure_add_script(text *t, const drawing *d)
{
    const figure *f = d->f;
    add_head(t, d);
    for (size_t i = 0; i < f->panels; i++)
        for (size_t k = 0; k < f->panel[i].curves; k++) figure_add_curve(t, d, i, k);
    text_add(t, "%s", terminals);
    for (size_t i = 0; i < f->panels; i++) {
        text_add(t, "\n# Panel %zu\nunset label\nunset arrow\n", i + 1);
        add_frame(t, d, &d->plot[i]);
        add_curve_labels(t, d, &d->plot[i]);
        add_plot(t, &f->panel[i], i);
    }
    text_add(t, "\nunset multiplot\nunset output\n}\n");
}
