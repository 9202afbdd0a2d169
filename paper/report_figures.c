/* report_figures.c: see report_figures.h. */
#include "report_figures.h"

#include "figure.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CURVES = 8, MOST_PANELS = 12 };

/* What of a cell is drawn over the iterations. */
typedef double ordinate(const sight *s, const cell *c, size_t point);

typedef struct curve_spec {
    const char *by, *label;
    int colour, dash;
    ordinate *y;
} curve_spec;

typedef struct figure_spec {
    const char *name, *y_label;
    size_t columns;
    int log_y, whole; /* whole: the range of y holds every point */
    curve_spec curve[MOST_CURVES];
} figure_spec;

static double test(const sight *s, const cell *c, size_t point)
{
    (void)s;
    return cell_test(c, point).mean;
}

static double train(const sight *s, const cell *c, size_t point)
{
    (void)s;
    return cell_train(c, point).mean;
}

/* The running mean over 25 iterations: a mini-batch of 64 rows says little. */
static double train_smooth(const sight *s, const cell *c, size_t point)
{
    size_t first = point > 12 ? point - 12 : 0, last = point + 12 < c->points ? point + 12 : c->points - 1;
    double sum = 0;
    for (size_t p = first; p <= last; p++) sum += train(s, c, p);
    return sum / (double)(last - first + 1);
}

static double rate(const sight *s, const cell *c, size_t point)
{
    (void)s;
    return cell_rate(c, point);
}

/* Per cent of MBGD's test RMSE in the same iteration. */
static double improvement(const sight *s, const cell *c, size_t point)
{
    const cell *base = plan_find(s->plan, s->preprocessing, c->data->name, AS_IT_IS, "mbgd");
    if (!base) return NAN;
    double reference = cell_test(base, cell_point_of(base, cell_iteration(c, point))).mean;
    return 100 * (reference - cell_test(c, point).mean) / reference;
}

/* A technique keeps its colour through all figures. Training curves are dotted and have no label.
 */
/* clang-format off */
static const figure_spec specs[] = {
    {"mean", "Test RMSE", 5, 0, 0,
     {{"mbgd", "MBGD", 1, CURVE_SOLID, test},
      {"mbgd-r", "MBGD-R", 7, CURVE_DASHED, test},
      {"mbgd-d", "MBGD-D", 3, CURVE_DASH_DOT, test},
      {"mbgd-rd", "MBGD-RD", 5, CURVE_DOTTED, test},
      {"mbgd-a", "MBGD-A", 4, CURVE_SOLID, test},
      {"mbgd-rda", "MBGD-RDA", 2, CURVE_HEAVY, test},
      {"rr", "RR", 0, CURVE_DASHED, test}}},
    {"improvement", "Improvement (%)", 5, 0, 1,
     {{"mbgd-r", "MBGD-R", 7, CURVE_DASHED, improvement},
      {"mbgd-d", "MBGD-D", 3, CURVE_DASH_DOT, improvement},
      {"mbgd-rd", "MBGD-RD", 5, CURVE_DOTTED, improvement},
      {"mbgd-a", "MBGD-A", 4, CURVE_SOLID, improvement},
      {"mbgd-rda", "MBGD-RDA", 2, CURVE_HEAVY, improvement}}},
    {"anfis", "RMSE", 3, 1, 0,
     {{"anfis-gd", NULL, 1, CURVE_DOTTED, train},
      {"anfis-gd-lse", NULL, 3, CURVE_DOTTED, train},
      {"mbgd-rda-all-rows", NULL, 2, CURVE_DOTTED, train},
      {"anfis-gd-lse", "ANFIS-GD-LSE", 3, CURVE_THIN, test},
      {"anfis-gd", "ANFIS-GD", 1, CURVE_SOLID, test},
      {"mbgd-rda-all-rows", "MBGD-RDA", 2, CURVE_HEAVY, test}}},
    {"anfis-rates", "Learning rate", 3, 1, 0,
     {{"anfis-gd", "ANFIS-GD", 1, CURVE_SOLID, rate},
      {"anfis-gd-lse", "ANFIS-GD-LSE", 3, CURVE_DASHED, rate},
      {"mbgd-rda-all-rows", "MBGD-RDA", 2, CURVE_HEAVY, rate}}},
    {"drop", "RMSE", 5, 0, 0,
     {{"mbgd-rda-dropmembership", NULL, 6, CURVE_DOTTED, train_smooth},
      {"mbgd-rda-dropmf", NULL, 1, CURVE_DOTTED, train_smooth},
      {"mbgd-rda", NULL, 2, CURVE_DOTTED, train_smooth},
      {"mbgd-rda-dropmembership", "Membership", 6, CURVE_DASHED, test},
      {"mbgd-rda-dropmf", "MF", 1, CURVE_SOLID, test},
      {"mbgd-rda", "Rule", 2, CURVE_HEAVY, test}}},
    {"adam", "RMSE", 5, 0, 0,
     {{"mbgd-rd-adam", NULL, 1, CURVE_DOTTED, train_smooth},
      {"mbgd-rda", NULL, 2, CURVE_DOTTED, train_smooth},
      {"mbgd-rda", "AdaBound", 2, CURVE_HEAVY, test},
      {"mbgd-rd-adam", "Adam", 1, CURVE_DASHED, test}}},
};
/* clang-format on */

/* --- learning curves --- */

static sg_status make_curve(const sight *s, const curve_spec *spec, const cell *c, curve *out)
{
    size_t n = c->points > 1 ? c->points : 2; /* one step: a level line */
    double *x = calloc(2 * n, sizeof *x), *y = x ? x + n : NULL;
    if (!x) return fail(SG_ENOMEM, "out of memory");
    for (size_t p = 0; p < c->points; p++) {
        x[p] = (double)cell_iteration(c, p);
        y[p] = spec->y(s, c, p);
    }
    if (c->points == 1) {
        x[1] = (double)c->experiment->iterations;
        y[1] = y[0];
    }
    *out = (curve){spec->label, spec->colour, spec->dash, n, x, y};
    return SG_OK;
}

/* The curves of one dataset that were run. */
static sg_status make_curves(const sight *s, const figure_spec *f, size_t set, curve *out, size_t *curves)
{
    sg_status st = SG_OK;
    *curves = 0;
    for (size_t i = 0; st == SG_OK && i < MOST_CURVES && f->curve[i].by; i++) {
        const cell *c = sight_cell(s, set, f->curve[i].by);
        if (!c) continue;
        st = make_curve(s, &f->curve[i], c, &out[*curves]);
        if (st == SG_OK) ++*curves;
    }
    return st;
}

/* One range for n panels, which holds every point. */
static void whole_range(panel *p, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < p[i].curves; c++)
            for (size_t k = 0; k < p[i].curve[c].n; k++) {
                low = fmin(low, p[i].curve[c].y[k]);
                high = fmax(high, p[i].curve[c].y[k]);
            }
    for (size_t i = 0; i < n; i++) {
        p[i].y_low = low - 0.05 * (high - low);
        p[i].y_high = high + 0.05 * (high - low);
    }
}

static sg_status draw_curves(const sight *s, const figure_spec *spec, const char *folder, int *drawn)
{
    static const char *const suffix[PREPROCESSINGS] = {"", "-authors"};
    curve curves[MOST_PANELS][MOST_CURVES];
    panel panels[MOST_PANELS];
    char name[64];
    size_t n = 0;
    sg_status st = SG_OK;
    for (size_t d = 0; st == SG_OK && d < s->catalogue->datasets && n < MOST_PANELS; d++) {
        panels[n] = (panel){.title = s->catalogue->dataset[d].label,
                            .log_y = spec->log_y,
                            .y_low = NAN,
                            .y_high = NAN,
                            .curve = curves[n]};
        st = make_curves(s, spec, d, curves[n], &panels[n].curves);
        if (spec->whole && panels[n].curves) whole_range(&panels[n], 1);
        if (panels[n].curves) n++;
    }
    for (size_t i = 0; i < n; i++) {
        if (i % spec->columns == 0) panels[i].y_label = spec->y_label;
        if (i + spec->columns >= n) panels[i].x_label = "Iteration";
    }
    snprintf(name, sizeof name, "%s%s", spec->name, suffix[s->preprocessing]);
    figure f = {.name = name, .columns = spec->columns, .panels = n, .panel = panels};
    if (st == SG_OK && n) st = figure_draw(&f, folder, drawn);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < panels[i].curves; k++) free((double *)curves[i][k].x);
    return st;
}

/* --- sensitivity --- */

/* One panel a grid: RMSE at the final iteration over the parameter, both preprocessings. */
static size_t grid_curve(const plan *p, preprocessing pre, const char *prefix, double *x, double *y)
{
    size_t n = 0;
    for (size_t i = 0; i < p->cells && n < MOST_PANELS; i++) {
        const cell *point = &p->cell[i];
        if (strcmp(point->experiment->name, "sensitivity") != 0 || point->preprocessing != pre || !point->finished ||
            strncmp(point->algorithm->name, prefix, strlen(prefix)) != 0)
            continue;
        x[n] = strtod(point->algorithm->name + strlen(prefix), NULL);
        y[n++] = cell_when(point, FINAL).mean;
    }
    return n;
}

static sg_status draw_sensitivity(const plan *p, const char *folder, int *drawn)
{
    static const struct {
        const char *prefix, *title, *x_label;
        int log_x;
    } grids[] = {{"batch-", "(a) batch size", "N_bs", 1},
                 {"keep-", "(b) DropRule rate", "P", 0},
                 {"rate-", "(c) initial learning rate", "α", 1},
                 {"l2-", "(d) regularisation", "λ", 1}};
    enum { GRIDS = sizeof grids / sizeof *grids };
    double x[GRIDS][PREPROCESSINGS][MOST_PANELS], y[GRIDS][PREPROCESSINGS][MOST_PANELS];
    curve curves[GRIDS][PREPROCESSINGS];
    panel panels[GRIDS];
    size_t n = 0;
    for (size_t i = 0; i < GRIDS; i++) {
        panels[n] = (panel){.title = grids[i].title,
                            .x_label = grids[i].x_label,
                            .y_label = i % 2 ? NULL : "Test RMSE",
                            .log_x = grids[i].log_x,
                            .y_low = NAN,
                            .y_high = NAN,
                            .curve = curves[n],
                            .points = 1};
        for (size_t pre = 0; pre < PREPROCESSINGS; pre++) {
            size_t points = grid_curve(p, (preprocessing)pre, grids[i].prefix, x[i][pre], y[i][pre]);
            if (points)
                curves[n][panels[n].curves++] = (curve){pre == OURS ? "ours" : "authors'",
                                                        pre == OURS ? 2 : 1,
                                                        pre == OURS ? CURVE_SOLID : CURVE_DASHED,
                                                        points,
                                                        x[i][pre],
                                                        y[i][pre]};
        }
        if (panels[n].curves) n++;
    }
    whole_range(panels, n);
    figure f = {.name = "sensitivity", .columns = 2, .panels = n, .panel = panels};
    return n ? figure_draw(&f, folder, drawn) : SG_OK;
}

sg_status figures_draw(const catalogue *c, const plan *p, const char *folder, int *drawn)
{
    sg_status st = make_folders(folder);
    *drawn = 1;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (int pre = 0; st == SG_OK && pre < PREPROCESSINGS; pre++) {
            sight s = {c, p, (preprocessing)pre};
            st = draw_curves(&s, &specs[i], folder, drawn);
        }
    if (st == SG_OK) st = draw_sensitivity(p, folder, drawn);
    return st;
}
