/* simplify_additive.c: removes pairs, curves and terms of additive models at little loss of accuracy.
 *
 * First, each removal is scored alone. Then the removals are tried in order of the increase of the squared error per
 * unit of reading cost saved, each in addition to those already accepted. Nothing is refitted. */
#include "explain/simplify/simplify_additive.h"

#include "base/memory.h"
#include "explain/simplify/prune_and_merge.h"
#include "explain/simplify/thin_additive.h"
#include "train/fit/even_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_ROWS = 10000, MAX_POINTS = 12 };

typedef struct additive_search {
    const sg_simplify_options *options;
    sg_thinning thinning;
    sg_model *trial; /* has the structure of the original model */
    sg_scorer *scorer;
    sg_metrics *metrics; /* (outputs) */
    sg_removal *removal;
    size_t removals;
    sg_simplify_point *point; /* after each accepted removal; the first is the original */
    size_t points;
} additive_search;

/* --- scoring --- */

/* Computes the RMSE of the thinned model over all outputs. */
static sg_status score(additive_search *s, double *rmse)
{
    double sum = 0;
    sg_thinning_apply(&s->thinning, s->trial);
    sg_status st = sg_scorer_run(s->scorer, s->metrics);
    for (size_t o = 0; o < s->trial->outputs; o++) sum += s->metrics[o].rmse * s->metrics[o].rmse;
    *rmse = sqrt(sum / (double)s->trial->outputs);
    return st;
}

static sg_status score_removals(additive_search *s)
{
    double original = s->point[0].rmse, rmse = 0;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < s->removals; i++) {
        sg_removal *r = &s->removal[i];
        sg_thinning_set(&s->thinning, r, false);
        st = score(s, &rmse);
        r->cost = rmse * rmse - original * original;
        sg_thinning_set(&s->thinning, r, true);
    }
    return st;
}

/* Orders removals by the increase of the squared error per unit of reading cost saved; those that reduce the error, by
 * this change alone. */
static int compare_cost(const void *a, const void *b)
{
    const sg_removal *x = a, *y = b;
    double cx = x->cost > 0 ? x->cost / (double)(x->saves + 1) : x->cost,
           cy = y->cost > 0 ? y->cost / (double)(y->saves + 1) : y->cost;
    if (cx != cy) return cx < cy ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

/* --- points --- */

/* Counts what remains: a cell of a curve is a rule with one condition, and a cell of a table is a rule with two
 * conditions. */
static sg_simplify_point make_point(const additive_search *s, double rmse)
{
    const sg_model *m = s->thinning.model;
    const sg_additive *a = m->additive;
    sg_simplify_point p = {.rmse = rmse};
    size_t cells = 0, pair_cells = 0;
    for (size_t i = 0; i < a->curves; i++)
        for (size_t k = 0; s->thinning.curve[i] && k < a->curve[i].cells; k++) cells += s->thinning.cell[i][k];
    for (size_t i = 0; i < a->pairs; i++)
        if (s->thinning.pair[i]) pair_cells += sg_pair_cells(a, &a->pair[i]);
    p.rules = cells + pair_cells;
    p.conditions = cells + 2 * pair_cells;
    p.mfs = cells;
    for (size_t b = 0; b < m->blocks; b++) {
        p.rules += m->block[b].rules;
        p.conditions += sg_block_conditions(&m->block[b]);
        p.mfs += m->block[b].mfs;
    }
    return p;
}

/* Removes what the tolerance allows, and then as much more as max_rules requires. */
static sg_status remove_parts(additive_search *s)
{
    const double most = s->point[0].rmse * (1 + s->options->tolerance);
    const size_t max_rules = s->options->max_rules;
    sg_status st = SG_OK;
    for (int forced = 0; forced < 2; forced++)
        for (size_t i = 0; st == SG_OK && i < s->removals; i++) {
            const sg_removal *r = &s->removal[i];
            double rmse = 0;
            if (!sg_thinning_allows(&s->thinning, r)) continue;
            if (forced && (max_rules == 0 || s->point[s->points - 1].rules <= max_rules)) return SG_OK;
            sg_thinning_set(&s->thinning, r, false);
            st = score(s, &rmse);
            if (forced || rmse <= most) s->point[s->points++] = make_point(s, rmse);
            else sg_thinning_set(&s->thinning, r, true);
        }
    return st;
}

/* Reports the original, some points on the way, and the chosen one. */
static void report_points(additive_search *s)
{
    size_t last = s->points - 1, lines = last < MAX_POINTS ? last : MAX_POINTS;
    s->point[last].chosen = 1;
    if (!s->options->on_point) return;
    for (size_t i = 0; i <= lines; i++)
        s->options->on_point(s->options->arg, &s->point[lines ? last * i / lines : last]);
}

/* --- set-up and result --- */

static void release_search(additive_search *s)
{
    if (s->thinning.model) sg_thinning_release(&s->thinning);
    sg_scorer_free(s->scorer);
    sg_model_free(s->trial);
    free(s->metrics);
    free(s->removal);
    free(s->point);
}

static sg_status init_search(additive_search *s, const sg_model *m, const sg_source *rows)
{
    sg_status st = sg_thinning_init(&s->thinning, m);
    if (st == SG_OK) st = sg_model_copy(m, &s->trial);
    if (st == SG_OK) st = sg_scorer_new(s->trial, rows, NULL, 1, &s->scorer);
    if (st != SG_OK) return st;
    s->removals = sg_thinning_list(&s->thinning, NULL);
    s->metrics = sg_calloc(m->outputs, sizeof *s->metrics);
    s->removal = sg_calloc(s->removals, sizeof *s->removal);
    s->point = sg_calloc(2 * s->removals + 1, sizeof *s->point);
    if (!s->metrics || !s->removal || !s->point) return sg_fail_out_of_memory("simplification");
    sg_thinning_list(&s->thinning, s->removal);
    return SG_OK;
}

static sg_status finish_model(const additive_search *s, sg_model **out)
{
    const sg_simplify_point *first = &s->point[0], *last = &s->point[s->points - 1];
    char text[160];
    sg_model *m;
    sg_status st = sg_thinning_build(&s->thinning, &m);
    if (st != SG_OK || s->points == 1) {
        if (st == SG_OK) *out = m;
        return st;
    }
    sg_calibration_clear_errors(&m->calibration);
    snprintf(text, sizeof text, "from %zu rules and an RMSE of %.6g to %zu rules and %.6g, on %zu rows", first->rules,
             first->rmse, last->rules, last->rmse, s->metrics->rows);
    if (sg_record_set(&m->record, "simplified", text)) {
        *out = m;
        return SG_OK;
    }
    sg_model_free(m);
    return sg_fail_out_of_memory("simplification");
}

static sg_status simplify_on(const sg_model *m, const sg_source *rows, const sg_simplify_options *options,
                             sg_model **out)
{
    additive_search s = {.options = options};
    double rmse = 0;
    sg_status st = init_search(&s, m, rows);
    if (st == SG_OK) st = score(&s, &rmse);
    if (st == SG_OK && s.metrics->rows == 0)
        st = sg_fail(SG_EDATA, "%s: no rows with targets for simplification", rows->name ? rows->name : "the data");
    if (st == SG_OK) {
        s.point[s.points++] = make_point(&s, rmse);
        st = score_removals(&s);
    }
    if (st == SG_OK) {
        if (s.removals) qsort(s.removal, s.removals, sizeof *s.removal, compare_cost);
        st = remove_parts(&s);
    }
    if (st == SG_OK) {
        report_points(&s);
        st = finish_model(&s, out);
    }
    release_search(&s);
    return st;
}

/* Uses evenly spaced rows if there are many. */
sg_status sg_simplify_additive(const sg_model *m, const sg_source *rows, const sg_simplify_options *options,
                               sg_model **out)
{
    if (rows->rows <= MAX_ROWS) return simplify_on(m, rows, options, out);
    size_t *index = sg_calloc(MAX_ROWS, sizeof *index);
    sg_subset *some = NULL;
    if (!index) return sg_fail_out_of_memory("simplification");
    for (size_t i = 0; i < MAX_ROWS; i++) index[i] = sg_even_sample_row(rows, MAX_ROWS, i);
    sg_status st = sg_subset_new(rows, index, MAX_ROWS, &some);
    free(index);
    if (st != SG_OK) return st;
    sg_source sample = sg_subset_source(some);
    st = simplify_on(m, &sample, options, out);
    sg_subset_free(some);
    return st;
}
