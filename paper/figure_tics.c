/* figure_tics.c: where the axes have tics, and their names. */
#include "figure_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the wide font that Linux has; others need less. */
double figure_text_width(const char *s, double font)
{
    double em = 0;
    for (; *s; s++) {
        if (((unsigned char)*s & 0xC0) == 0x80) continue; /* inside a UTF-8 character */
        if (*s == 'M' || *s == 'W') em += 0.93;
        else if (*s >= 'A' && *s <= 'Z') em += 0.74;
        else if (strchr("-.,:()il ", *s)) em += 0.38;
        else em += 0.64;
    }
    return em * font;
}

/* Powers of ten far from 1 as 10 with superscript digits. */
static void name_power(int exponent, char *out, size_t room)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    int e = abs(exponent);
    snprintf(out, room, "10%s%s%s", exponent < 0 ? "⁻" : "", e > 9 ? raised[e / 10 % 10] : "", raised[e % 10]);
}

/* Unless it is outside. Fewer than 0 decimals: as many as it takes. */
static void add_tic(axis *a, double v, int decimals)
{
    double slack = 1e-9 * (a->log ? v : a->high - a->low);
    if (a->tics == MAX_TICS || !(v >= a->low - slack && v <= a->high + slack)) return;
    char *out = a->text[a->tics];
    double e = v > 0 ? log10(v) : 0;
    if (a->log && fabs(e) > 3.5 && fabs(e) < 99 && fabs(e - round(e)) < 1e-9)
        name_power((int)round(e), out, sizeof a->text[0]);
    else if (decimals < 0 || decimals > 9 || fabs(v) >= 1e7) snprintf(out, sizeof a->text[0], "%g", v);
    else snprintf(out, sizeof a->text[0], "%.*f", decimals, v);
    a->at[a->tics++] = v;
}

static void linear_tics(axis *a, size_t most)
{
    double raw = (a->high - a->low) / (double)(most - 1), unit = pow(10, floor(log10(raw)));
    double times = raw / unit;
    double step = unit * (times <= 1 ? 1 : (times <= 2 ? 2 : (times <= 5 ? 5 : 10)));
    int decimals = (int)-floor(log10(step) + 1e-9);
    double first = ceil(a->low / step - 1e-9);
    a->tics = 0;
    for (int i = 0; i < MAX_TICS; i++) add_tic(a, (first + i) * step, decimals > 0 ? decimals : 0);
}

/* 1, 2 and 5 of each decade if they fit, or 1 and 3, or only some powers of ten. */
static void log_tics(axis *a, size_t most)
{
    static const double steps[][3] = {{1, 2, 5}, {1, 3, 0}, {1, 0, 0}};
    int first = (int)floor(log10(a->low)), last = (int)ceil(log10(a->high));
    int stride = 1 + (int)((size_t)(last - first) / (most + 1));
    for (size_t s = 0; s < 3; s++) {
        a->tics = 0;
        for (int e = first; e <= last; e += s < 2 ? 1 : stride)
            for (size_t k = 0; k < 3 && steps[s][k] > 0; k++) add_tic(a, steps[s][k] * pow(10, e), -1);
        if (a->tics <= most) break;
    }
    if (a->tics < 2) linear_tics(a, most);
}

static void choose_tics(axis *a, size_t most)
{
    if (a->log) log_tics(a, most);
    else linear_tics(a, most);
}

void figure_y_tics(axis *a) { choose_tics(a, 8); }

/* Tics at the points themselves, where their names don't run into each other. */
static void point_tics(axis *a, const curve *c, double plot_width)
{
    double free_from = -HUGE_VAL;
    for (size_t i = 0; i < c->n; i++) {
        size_t before = a->tics;
        add_tic(a, c->x[i], -1);
        if (a->tics == before) continue;
        double half = figure_text_width(a->text[before], TIC_FONT) / 2;
        double middle = figure_place(a, c->x[i]) * plot_width;
        if (middle - half < free_from) a->tics = before;
        else free_from = middle + half + 6;
    }
}

static int crowded(const axis *a, double plot_width)
{
    double taken = 0;
    for (size_t i = 0; i < a->tics; i++) taken += figure_text_width(a->text[i], TIC_FONT) + 8;
    return a->tics == 0 || taken > plot_width;
}

void figure_x_tics(axis *a, const panel *p, double plot_width)
{
    if (p->points && p->curves) point_tics(a, p->curve, plot_width);
    for (size_t most = 6; most > 1 && crowded(a, plot_width); most--) choose_tics(a, most);
}
