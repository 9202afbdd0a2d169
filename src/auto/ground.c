/* ground.c: see ground.h. */
#include "auto/ground.h"

#include "base/memory.h"
#include "base/team.h"
#include "prep/coding.h"
#include "train/folds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 65536, MOST_CELLS = 1 << 22, MOST_TARGETS = 1 << 18, LEAST_ROWS = 1024 };

void sg_ground_release(sg_ground *g)
{
    for (size_t i = 0; g->part && i < g->parts; i++) {
        sg_subset_free(g->part[i].in);
        sg_subset_free(g->part[i].out);
        free(g->part[i].row);
    }
    free(g->part);
    sg_desk_release(&g->desk);
    free(g->y);
    free(g->weight);
    free(g->category);
    free(g->low);
    sg_roles_release(&g->roles);
    *g = (sg_ground){0};
}

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the rows of a search"); }

/* --- reading --- */

/* Few enough to hold them, and what all candidates say of their targets. */
static size_t rows_of(const sg_source *s, size_t targets)
{
    size_t most = MOST_CELLS / s->columns < MOST_ROWS ? MOST_CELLS / s->columns : MOST_ROWS;
    if (most > MOST_TARGETS / targets) most = MOST_TARGETS / targets;
    if (most < LEAST_ROWS) most = LEAST_ROWS;
    return s->rows < most ? s->rows : most;
}

/* The i-th of n that are spread evenly. */
static size_t row_of(const sg_source *s, size_t n, size_t i)
{
    return (size_t)((double)i * ((double)s->rows / (double)n));
}

size_t sg_ground_row(const sg_ground *g, size_t row) { return row_of(&g->desk.of, g->rows, row); }

/* Those of the ground that are here: [*first, *last). */
static sg_status read_here(sg_ground *g, size_t *first, size_t *last)
{
    size_t begin, end, n = g->rows, row;
    sg_status st = SG_OK;
    sg_source_range(&g->desk.of, &begin, &end);
    for (*first = 0; *first < n && row_of(&g->desk.of, n, *first) < begin;) ++*first;
    for (*last = *first; st == SG_OK && *last < n && (row = row_of(&g->desk.of, n, *last)) < end; ++*last)
        st = sg_source_gather(&g->desk.of, &row, 1, g->desk.value + *last * g->desk.rows.columns);
    return st;
}

static sg_status read_all(sg_ground *g)
{
    const sg_team *team = g->desk.of.team;
    size_t range[2] = {0, 0}, theirs[2], width = g->desk.rows.columns;
    sg_status st = sg_team_agree(team, read_here(g, &range[0], &range[1]));
    for (size_t i = 0; st == SG_OK && team && i < team->ranks; i++) {
        memcpy(theirs, range, sizeof theirs);
        st = sg_team_share(team, i, theirs, sizeof theirs);
        if (st == SG_OK)
            st = sg_team_share(team, i, g->desk.value + theirs[0] * width,
                               (theirs[1] - theirs[0]) * width * sizeof *g->desk.value);
    }
    return st;
}

/* --- what it knows of its targets --- */

/* clip: how far beyond, in ranges; INFINITY: nothing is too far. */
static void find_ranges(sg_ground *g, double clip)
{
    size_t n = g->rows, outputs = g->outputs;
    for (size_t o = 0; o < outputs; o++) {
        double sum = 0, weight = 0, squares = 0;
        g->low[o] = INFINITY;
        g->high[o] = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            double y = g->y[i * outputs + o];
            g->low[o] = fmin(g->low[o], y);
            g->high[o] = fmax(g->high[o], y);
            sum += g->weight[i] * y;
            weight += g->weight[i];
        }
        for (size_t i = 0; i < n; i++) {
            double d = g->y[i * outputs + o] - sum / weight;
            squares += g->weight[i] * d * d;
        }
        g->variance[o] = squares > 0 ? squares / weight : 1;
        double margin = isinf(clip) ? clip : clip * (g->high[o] - g->low[o]);
        g->low[o] -= margin;
        g->high[o] += margin;
    }
}

/* A category of numbers may have as many. */
static size_t levels_of(const sg_ground *g, size_t input)
{
    const sg_source *s = &g->desk.of;
    size_t n = 0;
    if (!g->category[input]) return 1;
    while (s->level && n < SG_CODED_MOST && s->level(s->self, g->roles.input[input], n)) n++;
    return n ? n : SG_CODED_MOST;
}

static void take_targets(sg_ground *g, const sg_options *o)
{
    for (size_t i = 0; i < g->rows; i++) {
        const double *row = g->desk.value + i * g->desk.rows.columns;
        for (size_t t = 0; t < g->outputs; t++) g->y[i * g->outputs + t] = row[g->roles.target[t]];
        g->weight[i] = g->roles.weight == SG_NO_COLUMN ? 1 : row[g->roles.weight];
    }
    find_ranges(g, sg_options_is(o, "clip", "none") ? (double)INFINITY : sg_options_number(o, "clip"));
}

sg_status sg_ground_init(sg_ground *g, const sg_options *o, const sg_source *of)
{
    *g = (sg_ground){0};
    sg_status st = sg_roles_choose(o, of, &g->roles);
    if (st != SG_OK) return sg_team_agree(of->team, st);
    g->inputs = g->roles.inputs;
    g->outputs = g->roles.targets;
    size_t n = g->rows = rows_of(of, g->outputs);
    g->whole = n == of->rows;
    st = sg_desk_init(&g->desk, of, n);
    g->y = sg_alloc(n, g->outputs * sizeof *g->y);
    g->weight = sg_alloc(n, sizeof *g->weight);
    g->low = sg_alloc(3 * g->outputs, sizeof *g->low);
    g->category = sg_alloc(g->inputs, sizeof *g->category);
    if (st == SG_OK && (!g->y || !g->weight || !g->low || !g->category)) st = no_memory();
    st = sg_team_agree(of->team, st);
    if (st == SG_OK) {
        g->high = g->low + g->outputs;
        g->variance = g->high + g->outputs;
        st = read_all(g);
    }
    for (size_t i = 0; st == SG_OK && i < g->inputs; i++) {
        g->category[i] = sg_is_category(o, of, g->roles.input[i]);
        g->features += levels_of(g, i);
    }
    if (st == SG_OK) take_targets(g, o);
    else sg_ground_release(g);
    return st;
}

/* --- parts --- */

static sg_status make_part(sg_ground *g, const sg_folds *f, size_t k, sg_part *p)
{
    size_t n = g->rows, out = 0, in = 0;
    size_t *others = sg_alloc(n, sizeof *others);
    p->row = sg_alloc(n, sizeof *p->row);
    sg_status st = others && p->row ? SG_OK : no_memory();
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        if (sg_folds_of(f, i) == k) p->row[out++] = i;
        else others[in++] = i;
    }
    if (st == SG_OK) st = sg_subset_new(&g->desk.rows, others, in, &p->in);
    if (st == SG_OK) st = sg_subset_new(&g->desk.rows, p->row, out, &p->out);
    free(others);
    if (st != SG_OK) return st;
    p->train = sg_subset_source(p->in);
    p->valid = sg_subset_source(p->out);
    return SG_OK;
}

sg_status sg_ground_fold(sg_ground *g, const sg_options *o, size_t folds, uint64_t seed)
{
    sg_folds *f = NULL;
    size_t group;
    sg_status st = sg_group_column(o, &g->desk.rows, &group);
    if (st != SG_OK) return st;
    bool named = group != SG_NO_COLUMN;
    st = sg_folds_alike(&g->desk.rows, named ? &group : g->roles.input, named ? 1 : g->roles.inputs, folds, seed, &f);
    if (st != SG_OK) return st;
    g->part = sg_alloc(folds, sizeof *g->part);
    g->parts = folds;
    if (!g->part) st = no_memory();
    for (size_t k = 0; st == SG_OK && k < folds; k++) st = make_part(g, f, k, &g->part[k]);
    sg_folds_free(f);
    return st;
}

/* --- scores --- */

void sg_ground_clip(const sg_ground *g, double *y, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t o = 0; o < g->outputs; o++) {
            double *v = &y[i * g->outputs + o];
            *v = *v < g->low[o] ? g->low[o] : *v > g->high[o] ? g->high[o] : *v;
        }
}

double sg_ground_error(const sg_ground *g, size_t row, const double *y)
{
    double sum = 0;
    for (size_t o = 0; o < g->outputs; o++) {
        double d = y[o] - g->y[row * g->outputs + o];
        sum += d * d / g->variance[o];
    }
    return g->weight[row] * sum;
}
