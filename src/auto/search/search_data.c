/* search_data.c: see search_data.h. */
#include "auto/search/search_data.h"

#include "base/memory.h"
#include "comm/comm.h"
#include "prep/encoder.h"
#include "train/eval/folds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 65536, MAX_CELLS = 1 << 22, MAX_TARGETS = 1 << 18, MIN_ROWS = 1024 };

void sg_search_data_release(sg_search_data *g)
{
    for (size_t i = 0; g->fold && i < g->folds; i++) {
        sg_subset_free(g->fold[i].train_subset);
        sg_subset_free(g->fold[i].valid_subset);
        free(g->fold[i].valid_row);
    }
    free(g->fold);
    sg_memory_table_release(&g->table);
    free(g->targets);
    free(g->row_weight);
    free(g->is_category);
    free(g->clip_low);
    sg_column_roles_release(&g->roles);
    *g = (sg_search_data){0};
}

static sg_status out_of_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the rows of a search"); }

/* --- reading --- */

/* Few enough to hold them, and what all candidates say of their targets. */
static size_t sample_size(const sg_source *s, size_t targets)
{
    size_t most = MAX_CELLS / s->columns < MAX_ROWS ? MAX_CELLS / s->columns : MAX_ROWS;
    if (most > MAX_TARGETS / targets) most = MAX_TARGETS / targets;
    if (most < MIN_ROWS) most = MIN_ROWS;
    return s->rows < most ? s->rows : most;
}

/* The i-th of n that are spread evenly. */
static size_t sampled_row(const sg_source *s, size_t n, size_t i)
{
    return (size_t)((double)i * ((double)s->rows / (double)n));
}

size_t sg_search_data_source_row(const sg_search_data *g, size_t row)
{
    return sampled_row(&g->table.schema, g->rows, row);
}

/* Those of the ground that are here: [*first, *last). */
static sg_status read_local_rows(sg_search_data *g, size_t *first, size_t *last)
{
    size_t begin, end, n = g->rows, row;
    sg_status st = SG_OK;
    sg_source_local_range(&g->table.schema, &begin, &end);
    for (*first = 0; *first < n && sampled_row(&g->table.schema, n, *first) < begin;) ++*first;
    for (*last = *first; st == SG_OK && *last < n && (row = sampled_row(&g->table.schema, n, *last)) < end; ++*last)
        st = sg_source_gather(&g->table.schema, &row, 1, g->table.values + *last * g->table.rows.columns);
    return st;
}

static sg_status gather_rows(sg_search_data *g)
{
    const sg_comm *team = g->table.schema.comm;
    size_t range[2] = {0, 0}, theirs[2], width = g->table.rows.columns;
    sg_status st = sg_comm_agree_status(team, read_local_rows(g, &range[0], &range[1]));
    for (size_t i = 0; st == SG_OK && team && i < team->ranks; i++) {
        memcpy(theirs, range, sizeof theirs);
        st = sg_comm_bcast(team, i, theirs, sizeof theirs);
        if (st == SG_OK)
            st = sg_comm_bcast(team, i, g->table.values + theirs[0] * width,
                               (theirs[1] - theirs[0]) * width * sizeof *g->table.values);
    }
    return st;
}

/* --- what it knows of its targets --- */

/* clip: how far beyond, in ranges; INFINITY: nothing is too far. */
static void find_target_ranges(sg_search_data *g, double clip)
{
    size_t n = g->rows, outputs = g->outputs;
    for (size_t o = 0; o < outputs; o++) {
        double sum = 0, weight = 0, squares = 0;
        g->clip_low[o] = INFINITY;
        g->clip_high[o] = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            double y = g->targets[i * outputs + o];
            g->clip_low[o] = fmin(g->clip_low[o], y);
            g->clip_high[o] = fmax(g->clip_high[o], y);
            sum += g->row_weight[i] * y;
            weight += g->row_weight[i];
        }
        for (size_t i = 0; i < n; i++) {
            double d = g->targets[i * outputs + o] - sum / weight;
            squares += g->row_weight[i] * d * d;
        }
        g->variance[o] = squares > 0 ? squares / weight : 1;
        double margin = isinf(clip) ? clip : clip * (g->clip_high[o] - g->clip_low[o]);
        g->clip_low[o] -= margin;
        g->clip_high[o] += margin;
    }
}

/* A category of numbers may have as many. */
static size_t count_levels(const sg_search_data *g, size_t input)
{
    const sg_source *s = &g->table.schema;
    size_t n = 0;
    if (!g->is_category[input]) return 1;
    while (s->level && n < SG_ONE_HOT_MAX && s->level(s->self, g->roles.input[input], n)) n++;
    return n ? n : SG_ONE_HOT_MAX;
}

static void extract_targets(sg_search_data *g, const sg_options *o)
{
    for (size_t i = 0; i < g->rows; i++) {
        const double *row = g->table.values + i * g->table.rows.columns;
        for (size_t t = 0; t < g->outputs; t++) g->targets[i * g->outputs + t] = row[g->roles.target[t]];
        g->row_weight[i] = g->roles.weight == SG_NO_COLUMN ? 1 : row[g->roles.weight];
    }
    find_target_ranges(g, sg_options_equals(o, "clip", "none") ? (double)INFINITY : sg_options_real(o, "clip"));
}

sg_status sg_search_data_init(sg_search_data *g, const sg_options *o, const sg_source *of)
{
    *g = (sg_search_data){0};
    sg_status st = sg_column_roles_from_options(o, of, &g->roles);
    if (st != SG_OK) return sg_comm_agree_status(of->comm, st);
    g->inputs = g->roles.inputs;
    g->outputs = g->roles.targets;
    size_t n = g->rows = sample_size(of, g->outputs);
    g->has_all_rows = n == of->rows;
    st = sg_memory_table_init(&g->table, of, n);
    g->targets = sg_calloc(n, g->outputs * sizeof *g->targets);
    g->row_weight = sg_calloc(n, sizeof *g->row_weight);
    g->clip_low = sg_calloc(3 * g->outputs, sizeof *g->clip_low);
    g->is_category = sg_calloc(g->inputs, sizeof *g->is_category);
    if (st == SG_OK && (!g->targets || !g->row_weight || !g->clip_low || !g->is_category)) st = out_of_memory();
    st = sg_comm_agree_status(of->comm, st);
    if (st == SG_OK) {
        g->clip_high = g->clip_low + g->outputs;
        g->variance = g->clip_high + g->outputs;
        st = gather_rows(g);
    }
    for (size_t i = 0; st == SG_OK && i < g->inputs; i++) {
        g->is_category[i] = sg_column_is_category(o, of, g->roles.input[i]);
        g->features += count_levels(g, i);
    }
    if (st == SG_OK) extract_targets(g, o);
    else sg_search_data_release(g);
    return st;
}

/* --- parts --- */

static sg_status make_fold(sg_search_data *g, const sg_folds *f, size_t k, sg_cv_fold *p)
{
    size_t n = g->rows, out = 0, in = 0;
    size_t *others = sg_calloc(n, sizeof *others);
    p->valid_row = sg_calloc(n, sizeof *p->valid_row);
    sg_status st = others && p->valid_row ? SG_OK : out_of_memory();
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        if (sg_folds_find(f, i) == k) p->valid_row[out++] = i;
        else others[in++] = i;
    }
    if (st == SG_OK) st = sg_subset_new(&g->table.rows, others, in, &p->train_subset);
    if (st == SG_OK) st = sg_subset_new(&g->table.rows, p->valid_row, out, &p->valid_subset);
    free(others);
    if (st != SG_OK) return st;
    p->train = sg_subset_source(p->train_subset);
    p->valid = sg_subset_source(p->valid_subset);
    return SG_OK;
}

sg_status sg_search_data_split(sg_search_data *g, const sg_options *o, size_t folds, uint64_t seed)
{
    sg_folds *f = NULL;
    size_t group;
    sg_status st = sg_group_column(o, &g->table.rows, &group);
    if (st != SG_OK) return st;
    bool named = group != SG_NO_COLUMN;
    st =
        sg_folds_grouped(&g->table.rows, named ? &group : g->roles.input, named ? 1 : g->roles.inputs, folds, seed, &f);
    if (st != SG_OK) return st;
    g->fold = sg_calloc(folds, sizeof *g->fold);
    g->folds = folds;
    if (!g->fold) st = out_of_memory();
    for (size_t k = 0; st == SG_OK && k < folds; k++) st = make_fold(g, f, k, &g->fold[k]);
    sg_folds_free(f);
    return st;
}

/* --- scores --- */

void sg_search_data_clip(const sg_search_data *g, double *y, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t o = 0; o < g->outputs; o++) {
            double *v = &y[i * g->outputs + o];
            *v = *v < g->clip_low[o] ? g->clip_low[o] : *v > g->clip_high[o] ? g->clip_high[o] : *v;
        }
}

double sg_search_data_row_error(const sg_search_data *g, size_t row, const double *y)
{
    double sum = 0;
    for (size_t o = 0; o < g->outputs; o++) {
        double d = y[o] - g->targets[row * g->outputs + o];
        sum += d * d / g->variance[o];
    }
    return g->row_weight[row] * sum;
}
