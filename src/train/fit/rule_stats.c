/* rule_stats.c: samples training rows and computes the statistics of rules from them. */
#include "train/fit/rule_stats.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/reference_eval.h"
#include "prep/quantile_transform.h"
#include "rows/feature_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_ROWS = 64, MAX_CELLS = 1 << 20, DIGITS = 6 };
static const double max_work = 1e8; /* rows times conditions; this takes a fraction of a second */

/* --- sampling --- */

static sg_status alloc_sample(sg_row_sample *f, const sg_source *s, const sg_model *m, size_t most)
{
    size_t rows = sg_train_sample_size(s, m->features, MAX_CELLS, MIN_ROWS);
    *f = (sg_row_sample){.model = m, .rows = rows < most ? rows : most};
    f->x = sg_calloc(f->rows, m->features * sizeof *f->x);
    return f->x ? SG_OK : sg_fail_out_of_memory("a sample of rows");
}

static void copy_inputs(void *arg, const sg_chunk_loader *l, double *x)
{
    const sg_column_roles *c = l->columns;
    (void)arg;
    for (size_t i = 0; i < c->inputs; i++) x[i] = l->rows.raw[c->input[i]];
}

sg_status sg_rule_stats_sample(sg_row_sample *f, const sg_source *s, const sg_preprocessed *p)
{
    sg_status st = sg_comm_agree_status(s->comm, alloc_sample(f, s, p->model, SG_RULE_STATS_ROWS));
    if (st == SG_OK) st = sg_train_sample_gather(s, p, copy_inputs, NULL, f->rows, p->model->features, f->x);
    if (st != SG_OK) sg_row_sample_release(f);
    return st;
}

typedef struct raw_reader {
    const sg_feature_source *features;
    double *raw; /* (columns) */
} raw_reader;

static sg_status read_inputs(void *arg, size_t row, double *x)
{
    const raw_reader *r = arg;
    const sg_source *s = &r->features->source;
    const sg_column_roles *c = &r->features->columns;
    sg_status st = s->read(s->self, row, 1, r->raw);
    for (size_t i = 0; st == SG_OK && i < c->inputs; i++) x[i] = r->raw[c->input[i]];
    return st;
}

sg_status sg_rule_stats_sample_raw(sg_row_sample *f, const sg_source *s, const sg_model *m)
{
    sg_feature_source features;
    *f = (sg_row_sample){0};
    sg_status st = sg_feature_source_open(&features, m, s, false, NULL);
    if (st != SG_OK) return st;
    raw_reader r = {&features, sg_calloc(features.source.columns, sizeof *r.raw)};
    st = r.raw ? alloc_sample(f, &features.source, m, SG_RULE_STATS_MAX_ROWS) : sg_fail_out_of_memory("a row");
    if (st == SG_OK) st = sg_even_sample_gather(&features.source, f->rows, read_inputs, &r, m->features, f->x);
    if (st != SG_OK) sg_row_sample_release(f);
    free(r.raw);
    sg_feature_source_close(&features);
    return st;
}

/* --- statistics --- */

/* Returns the value rounded to DIGITS significant digits, or to more if it is large compared with the range. */
static double round_to_range(double value, double range)
{
    char buf[SG_NUMBER_BUFFER_SIZE];
    double out = value, larger = fabs(value) / range;
    int digits = DIGITS;
    while (larger > 1 && larger <= SG_MODEL_MAX_ABS && digits < 17) {
        larger /= 10;
        digits++;
    }
    sg_number_format_rounded(value, digits, buf);
    sg_number_parse(buf, strlen(buf), &out);
    return out + 0.0; /* no -0 */
}

double sg_round_digits(double value) { return round_to_range(value, INFINITY); }

static double round_input(const sg_model *m, size_t i, double value)
{
    return round_to_range(value, m->high[i] - m->low[i]);
}

static void store_quantiles(const sg_row_sample *f, double *column, sg_model *m)
{
    static const double share[SG_QUANTILE_COUNT] = {0.05, 0.25, 0.5, 0.75, 0.95};
    for (size_t i = 0; i < m->features; i++) {
        size_t n = 0;
        if (!sg_model_is_numeric_feature(m, i)) continue;
        for (size_t r = 0; r < f->rows; r++)
            if (!isnan(f->x[r * m->features + i])) column[n++] = f->x[r * m->features + i];
        sg_sort_doubles(column, n);
        for (size_t k = 0; k < SG_QUANTILE_COUNT; k++)
            m->quantile[i * SG_QUANTILE_COUNT + k] =
                round_input(m, i, n ? sg_quantile_sorted(column, n, share[k]) : m->feature_mean[i]);
    }
}

/* Adds a row to the firing shares and, weighted by firing levels, to centroids and mean predictions. y: scratch
 * (outputs). */
static void accumulate_row(sg_reference_eval *eval, const double *x, sg_model *m, double *y)
{
    sg_reference_eval_set_row(eval, x);
    sg_reference_eval_predict(eval, y);
    for (size_t i = 0; i < m->blocks; i++) {
        sg_block *b = &m->block[i];
        const double *firing = sg_reference_eval_firing(eval, i);
        for (size_t r = 0; r < b->rules; r++) {
            double *centroid = b->centroid + r * m->features;
            if (firing[r] == 0) continue;
            b->firing_share[r] += firing[r];
            for (size_t k = 0; k < m->features; k++) centroid[k] += firing[r] * eval->imputed[k];
            for (size_t o = 0; o < m->outputs; o++) b->mean_prediction[r * m->outputs + o] += firing[r] * y[o];
        }
    }
}

/* Returns sum / weight, or the fallback if that is undefined, clamped to the limits of model files, which predictions
 * may exceed. */
static double mean_of(double sum, double weight, double fallback)
{
    double mean = sum / weight;
    return fmax(-SG_MODEL_MAX_ABS, fmin(SG_MODEL_MAX_ABS, weight > 0 && isfinite(mean) ? mean : fallback));
}

/* Turns sums into means. A rule that never fired gets the means of the inputs and targets. */
static void finish_block(sg_block *b, const sg_model *m, size_t rows)
{
    for (size_t r = 0; r < b->rules; r++) {
        double *centroid = b->centroid + r * m->features, *mean = b->mean_prediction + r * m->outputs;
        for (size_t k = 0; k < m->features; k++)
            centroid[k] = round_input(m, k, mean_of(centroid[k], b->firing_share[r], m->feature_mean[k]));
        for (size_t o = 0; o < m->outputs; o++)
            mean[o] = round_to_range(mean_of(mean[o], b->firing_share[r], m->mean[o]), m->scale[o]);
        b->firing_share[r] = fmin(1, sg_round_digits(b->firing_share[r] / (double)rows));
    }
}

/* Returns the step between the rows to use, which is more than 1 if using every row would take too long. */
static size_t row_step(const sg_row_sample *f, const sg_model *m)
{
    double work = 0;
    size_t most = f->rows / MIN_ROWS;
    for (size_t b = 0; b < m->blocks; b++)
        work += (double)f->rows * (double)m->block[b].rules *
                (double)(m->block[b].inputs * (m->block[b].rank + 1) + m->features);
    size_t step = 1 + (size_t)(work / max_work);
    return most > 1 && step > most ? most : most > 1 ? step : 1;
}

sg_status sg_rule_stats_store(const sg_row_sample *f, sg_model *m)
{
    sg_reference_eval eval;
    size_t step = row_step(f, m), rows = 0;
    double *column = sg_calloc(f->rows, sizeof *column), *y = sg_calloc(m->outputs, sizeof *y);
    bool ok = column && y && sg_model_alloc_quantiles(m);
    for (size_t b = 0; ok && b < m->blocks; b++)
        ok = sg_block_alloc_firing_shares(&m->block[b], m->features) && sg_block_alloc_mean_predictions(&m->block[b]);
    sg_status st = ok ? sg_reference_eval_init(&eval, m) : sg_fail_out_of_memory("the statistics of rules");
    if (st == SG_OK) store_quantiles(f, column, m);
    free(column);
    for (size_t i = 0; st == SG_OK && i < f->rows; i += step, rows++)
        accumulate_row(&eval, f->x + i * m->features, m, y);
    free(y);
    if (st != SG_OK) return st;
    for (size_t b = 0; b < m->blocks; b++) finish_block(&m->block[b], m, rows);
    sg_reference_eval_release(&eval);
    return SG_OK;
}
