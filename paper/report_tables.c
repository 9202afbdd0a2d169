/* report_tables.c: see report_tables.h. */
#include "report_tables.h"

#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static size_t list_algorithms(const sight *s, const char *names, const algorithm *out[MOST])
{
    size_t n = 0, length;
    const char *word;
    while (n < MOST && (word = next_word(&names, &length))) {
        char name[64];
        copy_word(word, length, name, sizeof name);
        if ((out[n] = catalogue_algorithm(s->catalogue, name))) n++;
    }
    return n;
}

static void head(grid *g, const char *first, const algorithm **a, size_t n)
{
    g->columns = n + 1;
    grid_add(g, "%s", first);
    for (size_t i = 0; i < n; i++) grid_add(g, "%s", a[i]->label);
}

/* --- what was run --- */

sg_status table_datasets(document *d, const sight *s)
{
    static const char *const columns[] = {"dataset",       "rows",       "raw features", "numerical features",
                                          "used features", "parameters", "source"};
    grid g = {.columns = sizeof columns / sizeof *columns};
    for (size_t i = 0; i < g.columns; i++) grid_add(&g, "%s", columns[i]);
    for (size_t i = 0; i < s->catalogue->datasets; i++) {
        const dataset *data = &s->catalogue->dataset[i];
        const cell *c = sight_cell(s, i, "mbgd-rda");
        size_t parameters, inputs;
        if (!c || trial_size(c, &parameters, &inputs) != SG_OK) continue;
        grid_add(&g, "%s", data->label);
        grid_add(&g, "%zu", data->rows);
        grid_add(&g, "%zu", data->raw_features);
        grid_add(&g, "%zu", sg_table_columns(data->table[AS_IT_IS]) - 1);
        grid_add(&g, "%zu", inputs);
        grid_add(&g, "%zu", parameters);
        grid_add(&g, "%.*s", (int)strcspn(data->source, ","), data->source);
    }
    return document_table(d, "datasets", &g);
}

/* The paper's letters for what is in force. */
static void parameters_text(const sg_options *o, text *t)
{
    const char *optim = sg_options_get(o, "optim"), *drop = sg_options_get(o, "drop");
    int linear = strcmp(sg_options_get(o, "structure"), "linear") == 0;
    if (!linear)
        text_add(t, "M_m = %s, N_bs = %s, K = %s, α = %s, ", sg_options_get(o, "mfs"), sg_options_get(o, "batch"),
                 sg_options_get(o, "iters"), sg_options_get(o, "rate"));
    if (strcmp(sg_options_get(o, "l2"), "0") != 0) text_add(t, "λ = %s, ", sg_options_get(o, "l2"));
    if (!linear && strcmp(drop, "none") != 0) text_add(t, "P = %s (%s), ", sg_options_get(o, "keep"), drop);
    if (!linear && strncmp(optim, "ada", 3) == 0)
        text_add(t, "β₁ = %s, β₂ = %s, ε = %s, ", sg_options_get(o, "beta1"), sg_options_get(o, "beta2"),
                 sg_options_get(o, "epsilon"));
    if (t->length > 2) t->bytes[t->length -= 2] = '\0';
}

/* "preset=x batch=0" as flags. */
static void add_flags(const char *settings, text *t)
{
    const char *word;
    size_t length;
    while ((word = next_word(&settings, &length))) {
        size_t name = strcspn(word, "=");
        text_add(t, "%s--%.*s %.*s", t->length ? " " : "", (int)name, word, (int)(length - name - 1), word + name + 1);
    }
}

sg_status table_parameters(document *d, const sight *s, const char *algorithms)
{
    const algorithm *a[MOST];
    size_t n = list_algorithms(s, algorithms, a);
    grid g = {.columns = 3};
    grid_add(&g, "algorithm");
    grid_add(&g, "parameters");
    grid_add(&g, "options of `sugeno train`");
    for (size_t i = 0; i < n; i++) {
        const cell *c = NULL;
        sg_options *o = NULL;
        text t = {0};
        for (size_t k = 0; !c && k < s->catalogue->datasets; k++) c = sight_cell(s, k, a[i]->name);
        if (!c || trial_options(c, &o) != SG_OK) continue;
        parameters_text(o, &t);
        grid_add(&g, "%s", a[i]->label);
        grid_add(&g, "%s", t.bytes ? t.bytes : "");
        text_free(&t);
        add_flags(a[i]->settings, &t);
        grid_add(&g, "`%s`", t.bytes ? t.bytes : "");
        text_free(&t);
        sg_options_free(o);
    }
    return document_table(d, "parameters", &g);
}

/* --- RMSE --- */

/* What one cell says; how is the caller's. */
typedef void say_fn(grid *g, const sight *s, const cell *c, int how);

static void rmse_cell(grid *g, const sight *s, const cell *c, int w)
{
    size_t point = cell_point_when(c, (when)w);
    stat t = cell_test(c, point);
    double paper = catalogue_published(s->catalogue, c->data->name, c->algorithm->name, "rmse_500");
    char runs[64] = "";
    if (c->repeats > 1) snprintf(runs, sizeof runs, " ± %.2g", t.sd);
    if (c->diverged) snprintf(runs + strlen(runs), sizeof runs - strlen(runs), " [%zu diverged]", c->diverged);
    if (w == FINAL && !isnan(paper) && c->experiment->variant == AS_IT_IS)
        grid_add(g, "%#.4g%s (%#.4g)", t.mean, runs, paper);
    else if (w == BEST && c->points > 1) grid_add(g, "%#.4g%s @%zu", t.mean, runs, cell_iteration(c, point));
    else grid_add(g, "%#.4g%s", t.mean, runs);
}

static void train_cell(grid *g, const sight *s, const cell *c, int how)
{
    stat t = cell_train(c, c->points - 1);
    (void)s;
    (void)how;
    grid_add(g, "%#.4g ± %.2g", t.mean, t.sd);
}

static void seconds_cell(grid *g, const sight *s, const cell *c, int scoring)
{
    stat t = cell_time(c, scoring);
    double paper = catalogue_published(s->catalogue, c->data->name, c->algorithm->name, "seconds");
    if (!scoring || isnan(paper)) grid_add(g, "%.3g ± %.1g", t.mean, t.sd);
    else grid_add(g, "%.3g ± %.1g (%.4g)", t.mean, t.sd, paper);
}

/* One row for each dataset of the last algorithm, one column an algorithm. */
static sg_status table_of(document *d, const char *name, const sight *s, variant v, const char *algorithms, say_fn *say,
                          int how)
{
    const algorithm *a[MOST];
    size_t n = list_algorithms(s, algorithms, a);
    grid g = {0};
    head(&g, "dataset", a, n);
    for (size_t i = 0; i < s->catalogue->datasets; i++) {
        const dataset *data = &s->catalogue->dataset[i];
        const cell *c[MOST];
        for (size_t k = 0; k < n; k++) c[k] = plan_find(s->plan, s->preprocessing, data->name, v, a[k]->name);
        if (n == 0 || !c[n - 1]) continue;
        if (v == AS_IT_IS) grid_add(&g, "%s", data->label);
        else grid_add(&g, "%s (%zu rows)", data->label, sg_table_rows(data->table[v]));
        for (size_t k = 0; k < n; k++)
            if (c[k]) say(&g, s, c[k], how);
            else grid_add(&g, "–");
    }
    return document_table(d, name, &g);
}

sg_status table_rmse(document *d, const char *name, const sight *s, variant v, const char *algorithms, when w)
{
    return table_of(d, name, s, v, algorithms, rmse_cell, w);
}

sg_status table_train(document *d, const char *name, const sight *s, const char *algorithms)
{
    return table_of(d, name, s, AS_IT_IS, algorithms, train_cell, 0);
}

sg_status table_seconds(document *d, const char *name, const sight *s, const char *algorithms, int scoring)
{
    return table_of(d, name, s, AS_IT_IS, algorithms, seconds_cell, scoring);
}

sg_status table_sensitivity(document *d, const sight s[PREPROCESSINGS])
{
    const plan *p = s[OURS].plan;
    grid g = {.columns = 5};
    static const char *const columns[] = {"MBGD-RDA with", "final, ours", "best, ours", "final, authors'",
                                          "best, authors'"};
    for (size_t i = 0; i < g.columns; i++) grid_add(&g, "%s", columns[i]);
    for (size_t i = 0; i < p->cells; i++) {
        const cell *ours = &p->cell[i], *theirs;
        if (strcmp(ours->experiment->name, "sensitivity") != 0 || ours->preprocessing != OURS) continue;
        theirs = plan_find(p, AUTHORS, ours->data->name, AS_IT_IS, ours->algorithm->name);
        grid_add(&g, "%s", ours->algorithm->label);
        for (int k = 0; k < 4; k++) {
            const cell *one = k < 2 ? ours : theirs;
            if (one) rmse_cell(&g, s, one, k % 2 ? BEST : FINAL);
            else grid_add(&g, "–");
        }
    }
    return document_table(d, "sensitivity", &g);
}

sg_status table_course(document *d, const char *name, const sight s[PREPROCESSINGS], const char *data, const char *by)
{
    static const struct {
        size_t iteration;
        const char *published;
    } places[] = {{50, "rmse_50"}, {100, "rmse_100"}, {250, "rmse_250"}, {500, "rmse_500"}};
    grid g = {.columns = 4};
    const char *const columns[] = {"iteration", "paper", "ours", "authors'"};
    for (size_t i = 0; i < g.columns; i++) grid_add(&g, "%s", columns[i]);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const cell *c[PREPROCESSINGS];
        for (int pre = 0; pre < PREPROCESSINGS; pre++)
            c[pre] = plan_find(s->plan, (preprocessing)pre, data, AS_IT_IS, by);
        if (!c[OURS] || !c[AUTHORS]) break;
        grid_add(&g, "%zu", places[i].iteration);
        grid_add(&g, "%.4g", catalogue_published(s->catalogue, data, by, places[i].published));
        for (int pre = 0; pre < PREPROCESSINGS; pre++) {
            stat at = cell_test(c[pre], cell_point_of(c[pre], places[i].iteration));
            grid_add(&g, "%#.4g ± %.2g", at.mean, at.sd);
        }
    }
    return document_table(d, name, &g);
}

/* --- claims --- */

/* What was found at the best iteration, and at the final one where that makes a difference. */
static void claim_cells(grid *g, const sight *s, const claim *c)
{
    finding best, final;
    claim_find(s, c, BEST, &best);
    if (c->flags & ONCE) {
        grid_add(g, "%s", best.text);
        grid_add(g, "%s", verdict_names[best.verdict]);
        return;
    }
    claim_find(s, c, FINAL, &final);
    if (*best.text) grid_add(g, "best: %s; final: %s", best.text, final.text);
    else grid_add(g, "–");
    if (best.verdict == final.verdict) grid_add(g, "%s", verdict_names[best.verdict]);
    else grid_add(g, "%s; at the final iteration: %s", verdict_names[best.verdict], verdict_names[final.verdict]);
}

/* The number of the claim that has this name. */
static size_t number_of(const claim *claims, size_t n, const char *name)
{
    size_t number = 0;
    for (size_t i = 0; i < n; i++) {
        number += !(claims[i].flags & ABLATION);
        if (strcmp(claims[i].name, name) == 0) break;
    }
    return number;
}

/* "Ours: 27 hold, ..." by the best iteration; the ablations are not counted. */
static void count_verdicts(document *d, const claim *claims, size_t n, const sight *s)
{
    size_t count[VERDICTS] = {0}, all = 0;
    for (size_t i = 0; i < n; i++) {
        finding f;
        if (claims[i].flags & (ABLATION | VARIANT)) continue;
        claim_find(s, &claims[i], BEST, &f);
        count[f.verdict]++;
        all++;
    }
    document_text(d,
                  "%s: of %zu claims (variants not counted) %zu hold, %zu are within the spread, "
                  "%zu do not hold, %zu were "
                  "not evaluated (at the best iteration, where that matters).",
                  s->preprocessing == OURS ? "Ours" : "Authors'", all, count[HOLDS], count[IN_SPREAD], count[FAILS],
                  count[NOT_SEEN]);
}

sg_status table_claims(document *d, const char *name, int ablations, const catalogue *c, const plan *p)
{
    const char *const columns[] = {"",
                                   ablations ? "what is changed" : "claim",
                                   ablations ? "experiment" : "where",
                                   "measured (ours)",
                                   "verdict (ours)",
                                   "measured (authors')",
                                   "verdict (authors')"};
    grid g = {.columns = sizeof columns / sizeof *columns};
    claim *claims;
    size_t n;
    sg_status st = claims_read(c, &claims, &n);
    if (st != SG_OK) return st;
    for (int pre = 0; !ablations && pre < PREPROCESSINGS; pre++)
        count_verdicts(d, claims, n, &(sight){c, p, (preprocessing)pre});
    for (size_t i = 0; i < g.columns; i++) grid_add(&g, "%s", columns[i]);
    for (size_t i = 0; i < n; i++) {
        if (!(claims[i].flags & ABLATION) == !!ablations) continue;
        grid_add(&g, "%zu", number_of(claims, n, claims[i].name));
        grid_add(&g, "%s", claims[i].sentence);
        grid_add(&g, ablations ? "`%s`" : claims[i].flags & VARIANT ? "%s (variant)" : "%s", claims[i].place);
        for (int pre = 0; pre < PREPROCESSINGS; pre++) {
            sight s = {c, p, (preprocessing)pre};
            claim_cells(&g, &s, &claims[i]);
        }
    }
    free(claims);
    return document_table(d, name, &g);
}
