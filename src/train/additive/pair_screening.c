/* pair_screening.c: sums residuals over the cells of all pairs of inputs in one pass. */
#include "train/additive/pair_screening.h"

#include "base/memory.h"
#include "rows/chunk_loader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tables of pairs are tested for at most this many curves: those with the largest deviations. */
enum { MAX_CURVES = 64 };
/* The number of rows by which a mean of residuals is shrunk. */
static const double shrinkage = 5;

typedef struct screening {
    const sg_additive_plan *plan;
    const sg_additive_fit *fit;
    const sg_additive_grouping *grouping;
    size_t curves;
    size_t *curve; /* (curves): indices of curves of the fine layout                             */
    size_t *cells; /* (curves)                                                                  */
    size_t *first; /* (pairs): the first cell of a pair's table                                 */
    double *table; /* (2, all cells, outputs + 1): weight and weighted residuals of both halves */
    size_t all_cells;
    size_t outputs;
    size_t *bin; /* (curves): the current row's cells, or SIZE_MAX */
    sg_regressor *regressor;
    double *residual; /* (outputs) */
} screening;

static size_t count_terms(const sg_additive_plan *plan, size_t curve)
{
    size_t n = 0;
    for (size_t k = 0; k < plan->fine->curve[curve].cells; k++) n += plan->curve[curve].term[k];
    return n;
}

/* Returns the term nearest to the row's value, or SIZE_MAX if it is missing or not listed. */
static size_t find_bin(const sg_additive_plan *plan, size_t curve, const sg_feature_columns *rows, size_t i)
{
    const sg_curve *c = &plan->fine->curve[curve];
    const bool *term = plan->curve[curve].term;
    size_t n = 0, best = SIZE_MAX;
    double x = rows->x[c->feature * rows->pitch + i], least = INFINITY;
    if (rows->missing && rows->missing[c->feature * rows->pitch + i] > 0) return SIZE_MAX;
    for (size_t k = 0; c->is_category && k < c->cells; k++)
        if (rows->x[(c->feature + k) * rows->pitch + i] > 0.5) return k;
    for (size_t k = 0; !c->is_category && k < c->cells; k++) {
        if (!term[k]) continue;
        double distance = fabs(x - c->knot[k]);
        if (distance < least) {
            least = distance;
            best = n;
        }
        n++;
    }
    return best;
}

static size_t half_of(const sg_additive_grouping *g, const double *row) { return sg_additive_fold(g, row) & 1; }

static void find_residual(const screening *w, const sg_chunk_loader *l, size_t i)
{
    const size_t outputs = w->outputs;
    size_t n = sg_additive_regressors(w->fit->layout, &l->chunk.features, i, w->regressor);
    for (size_t o = 0; o < outputs; o++) {
        w->residual[o] = l->rows.t[i * outputs + o];
        for (size_t k = 0; k < n; k++)
            w->residual[o] -= w->regressor[k].value * w->fit->coefficients[w->regressor[k].column * outputs + o];
    }
}

static void add_to_cell(const screening *w, double *cell, double weight)
{
    cell[0] += weight;
    for (size_t o = 0; o < w->outputs; o++) cell[o + 1] += weight * w->residual[o];
}

static void add_row(const screening *w, const sg_chunk_loader *l, size_t i)
{
    const size_t width = w->outputs + 1;
    double *half = w->table + half_of(w->grouping, l->rows.raw + i * l->source->columns) * w->all_cells * width;
    find_residual(w, l, i);
    for (size_t k = 0; k < w->curves; k++) w->bin[k] = find_bin(w->plan, w->curve[k], &l->chunk.features, i);
    for (size_t a = 0, pair = 0; a < w->curves; a++)
        for (size_t b = a + 1; b < w->curves; b++, pair++) {
            if (w->bin[a] == SIZE_MAX || w->bin[b] == SIZE_MAX) continue;
            size_t cell = w->first[pair] + w->bin[a] * w->cells[b] + w->bin[b];
            add_to_cell(w, half + cell * width, l->rows.w[i]);
        }
}

static void add_rows(void *arg, sg_chunk_loader *l)
{
    for (size_t i = 0; i < l->rows.n; i++) add_row(arg, l, i);
}

/* Returns the estimated part of the squared residuals that the table of a pair explains, relative to their variance. */
static double score_pair(const screening *w, size_t first, size_t cells)
{
    const size_t width = w->outputs + 1;
    double score = 0;
    for (size_t k = first; k < first + cells; k++) {
        const double *a = w->table + k * width, *b = a + w->all_cells * width;
        double rows = a[0] + b[0], scale = rows / ((a[0] + shrinkage) * (b[0] + shrinkage));
        for (size_t o = 0; o < w->outputs; o++) score += scale * a[o + 1] * b[o + 1] / w->fit->noise[o];
    }
    return score;
}

/* --- which curves --- */

typedef struct ranked {
    size_t curve;
    double deviation;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->deviation != y->deviation) return x->deviation > y->deviation ? -1 : 1;
    return x->curve < y->curve ? -1 : x->curve > y->curve;
}

static int compare_sizes(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Returns the variance of curve k of the fit over the rows, summed over the outputs. */
static double curve_variance(const sg_additive_fit *f, size_t k)
{
    double sum = 0;
    for (size_t o = 0; o < f->sums->outputs; o++) sum += sg_additive_fit_block_variance(f, k, o) / f->variance[o];
    return sum;
}

static sg_status choose_curves(screening *w)
{
    const sg_additive *fine = w->plan->fine;
    ranked *r = sg_calloc(fine->curves, sizeof *r);
    size_t n = 0;
    if (!r) return sg_fail_out_of_memory("pairs");
    for (size_t i = 0, k = 0; i < fine->curves; i++) {
        bool used = k < w->fit->layout->curves && w->fit->layout->curve[k].input == fine->curve[i].input;
        if (count_terms(w->plan, i) >= 2) r[n++] = (ranked){i, used ? curve_variance(w->fit, k) : 0};
        k += used;
    }
    qsort(r, n, sizeof *r, compare_ranked);
    w->curves = n < MAX_CURVES ? n : MAX_CURVES;
    for (size_t i = 0; i < w->curves; i++) w->curve[i] = r[i].curve;
    qsort(w->curve, w->curves, sizeof *w->curve, compare_sizes);
    for (size_t i = 0; i < w->curves; i++) w->cells[i] = count_terms(w->plan, w->curve[i]);
    free(r);
    return SG_OK;
}

/* --- the whole --- */

static void release_screening(screening *w)
{
    free(w->curve);
    free(w->first);
    free(w->table);
    free(w->regressor);
}

static sg_status alloc_tables(screening *w)
{
    size_t pairs = w->curves * (w->curves - (w->curves > 0)) / 2;
    w->first = sg_calloc(pairs, sizeof *w->first);
    if (!w->first) return sg_fail_out_of_memory("pairs");
    for (size_t a = 0, pair = 0; a < w->curves; a++)
        for (size_t b = a + 1; b < w->curves; b++, pair++) {
            w->first[pair] = w->all_cells;
            w->all_cells += w->cells[a] * w->cells[b];
        }
    w->table = sg_calloc(2 * w->all_cells * (w->outputs + 1) + w->outputs, sizeof *w->table);
    w->regressor = sg_calloc(sg_additive_max_regressors(w->fit->layout), sizeof *w->regressor);
    if (!w->table || !w->regressor) return sg_fail_out_of_memory("pairs");
    w->residual = w->table + 2 * w->all_cells * (w->outputs + 1);
    return SG_OK;
}

static int compare_scores(const void *a, const void *b)
{
    const sg_pair_score *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    if (x->curve[0] != y->curve[0]) return x->curve[0] < y->curve[0] ? -1 : 1;
    return x->curve[1] < y->curve[1] ? -1 : x->curve[1] > y->curve[1];
}

static sg_status rank_pairs(const screening *w, size_t most, sg_pair_score *out, size_t *found)
{
    size_t n = 0, pair = 0;
    sg_pair_score *all = sg_calloc(w->curves * w->curves / 2, sizeof *all);
    if (!all) return sg_fail_out_of_memory("pairs");
    for (size_t a = 0; a < w->curves; a++)
        for (size_t b = a + 1; b < w->curves; b++, pair++) {
            double score = score_pair(w, w->first[pair], w->cells[a] * w->cells[b]);
            all[n++] = (sg_pair_score){{w->curve[a], w->curve[b]}, score};
        }
    qsort(all, n, sizeof *all, compare_scores);
    *found = n < most ? n : most;
    memcpy(out, all, *found * sizeof *out);
    free(all);
    return SG_OK;
}

sg_status sg_pairs_screen(const sg_source *s, const sg_preprocessed *p, const sg_additive_plan *plan,
                          const sg_additive_fit *fit, const sg_additive_grouping *grouping, size_t most,
                          sg_pair_score *out, size_t *found)
{
    const size_t curves = plan->fine->curves;
    screening w = {.plan = plan, .fit = fit, .grouping = grouping, .outputs = fit->sums->outputs};
    sg_chunk_loader loader;
    *found = 0;
    w.curve = sg_calloc(3 * curves, sizeof *w.curve);
    if (!w.curve) return sg_fail_out_of_memory("pairs");
    w.cells = w.curve + curves;
    w.bin = w.cells + curves;
    sg_status st = choose_curves(&w);
    if (st == SG_OK) st = alloc_tables(&w);
    if (st == SG_OK) st = sg_chunk_loader_open_rows(&loader, s, &p->columns, p->model, p->weight_scale);
    if (st == SG_OK) {
        st = sg_chunk_loader_for_each(&loader, 0, s->rows, add_rows, &w);
        sg_chunk_loader_release(&loader);
    }
    if (st == SG_OK) st = rank_pairs(&w, most, out, found);
    release_screening(&w);
    return st;
}
