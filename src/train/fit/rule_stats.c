/* rule_stats.c: see rule_stats.h. */
#include "train/fit/rule_stats.h"

#include "base/memory.h"
#include "base/text.h"
#include "comm/comm.h"
#include "model/reference_eval.h"
#include "predict/feature_encode.h"
#include "prep/quantile_transform.h"
#include "train/fit/train_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_ROWS = 64, MAX_CELLS = 1 << 20, DIGITS = 6 };
static const double max_work = 1e8; /* rows times conditions: a fraction of a second */

/* --- the rows --- */

static sg_status alloc_rows(sg_rule_stats *f, const sg_source *s, size_t inputs, size_t most)
{
    size_t rows = sg_train_sample_size(s, inputs, MAX_CELLS, MIN_ROWS);
    *f = (sg_rule_stats){.rows = rows < most ? rows : most, .inputs = inputs};
    f->x = sg_calloc(f->rows, inputs * sizeof *f->x);
    return f->x ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a sample of rows");
}

void sg_rule_stats_release(sg_rule_stats *f)
{
    free(f->x);
    *f = (sg_rule_stats){0};
}

static void copy_inputs(void *arg, const sg_transformed_rows *rows, double *x)
{
    const sg_column_roles *c = rows->columns;
    (void)arg;
    for (size_t i = 0; i < c->inputs; i++) x[i] = rows->raw[c->input[i]];
}

sg_status sg_rule_stats_sample(sg_rule_stats *f, const sg_source *s, const sg_preprocessed *p)
{
    sg_status st = sg_comm_agree_status(s->comm, alloc_rows(f, s, p->columns.inputs, SG_RULE_STATS_ROWS));
    if (st == SG_OK) st = sg_train_sample_gather(s, p, copy_inputs, NULL, f->rows, f->inputs, f->x);
    if (st != SG_OK) sg_rule_stats_release(f);
    return st;
}

static sg_status read_even_sample(sg_rule_stats *f, const sg_source *s, const sg_column_roles *c)
{
    double *raw = sg_calloc(s->columns, sizeof *raw);
    sg_status st = raw ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a row");
    for (size_t i = 0; st == SG_OK && i < f->rows; i++) {
        size_t row = (size_t)((double)i * ((double)s->rows / (double)f->rows));
        st = s->read(s->self, row, 1, raw);
        for (size_t k = 0; st == SG_OK && k < f->inputs; k++) f->x[i * f->inputs + k] = raw[c->input[k]];
    }
    free(raw);
    return st;
}

sg_status sg_rule_stats_sample_raw(sg_rule_stats *f, const sg_source *s, const sg_model *m)
{
    sg_column_roles columns;
    sg_source features = *s;
    sg_encoded_source *expanded = NULL;
    *f = (sg_rule_stats){0};
    sg_status st = sg_features_find_columns(m, s, false, NULL, &columns);
    if (st != SG_OK) return st;
    st = sg_features_encode_source(m->encoder, &features, &columns, &expanded);
    if (st == SG_OK) st = alloc_rows(f, &features, m->features, SG_RULE_STATS_MAX_ROWS);
    if (st == SG_OK) st = read_even_sample(f, &features, &columns);
    if (st != SG_OK) sg_rule_stats_release(f);
    sg_encoded_source_free(expanded);
    sg_column_roles_release(&columns);
    return st;
}

/* --- what is told of them --- */

/* With as many more as it takes to tell values apart in a range that is small beside them. */
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

static void store_quantiles(const sg_rule_stats *f, double *column, sg_model *m)
{
    static const double share[SG_QUANTILE_COUNT] = {0.05, 0.25, 0.5, 0.75, 0.95};
    for (size_t i = 0; i < m->features; i++) {
        size_t n = 0;
        if (!sg_model_is_numeric_feature(m, i)) continue;
        for (size_t r = 0; r < f->rows; r++)
            if (!isnan(f->x[r * f->inputs + i])) column[n++] = f->x[r * f->inputs + i];
        sg_sort_doubles(column, n);
        for (size_t k = 0; k < SG_QUANTILE_COUNT; k++)
            m->quantile[i * SG_QUANTILE_COUNT + k] =
                round_input(m, i, n ? sg_quantile_sorted(column, n, share[k]) : m->feature_mean[i]);
    }
}

/* Adds a row: to shares, and to places and predictions by how much each rule fires. y: (outputs) */
static void accumulate_row(sg_reference_eval *l, const double *x, sg_model *m, double *y)
{
    sg_reference_eval_set_row(l, x);
    sg_reference_eval_predict(l, y);
    for (size_t i = 0; i < m->blocks; i++) {
        sg_block *b = &m->block[i];
        const double *firing = sg_reference_eval_firing(l, i);
        for (size_t r = 0; r < b->rules; r++) {
            double *place = b->centroid + r * m->features;
            if (firing[r] == 0) continue;
            b->firing_share[r] += firing[r];
            for (size_t k = 0; k < m->features; k++) place[k] += firing[r] * l->imputed[k];
            for (size_t o = 0; o < m->outputs; o++) b->mean_prediction[r * m->outputs + o] += firing[r] * y[o];
        }
    }
}

/* A mean, or what stands in its place; no larger than numbers of a model may be, which predictions are not held to. */
static double mean_of(double sum, double weight, double other)
{
    double mean = sum / weight;
    return fmax(-SG_MODEL_MAX_ABS, fmin(SG_MODEL_MAX_ABS, weight > 0 && isfinite(mean) ? mean : other));
}

/* A rule that never fired is nowhere: at the mean. */
static void finish_block(sg_block *b, const sg_model *m, size_t rows)
{
    for (size_t r = 0; r < b->rules; r++) {
        double *place = b->centroid + r * m->features, *about = b->mean_prediction + r * m->outputs;
        for (size_t k = 0; k < m->features; k++)
            place[k] = round_input(m, k, mean_of(place[k], b->firing_share[r], m->feature_mean[k]));
        for (size_t o = 0; o < m->outputs; o++)
            about[o] = round_to_range(mean_of(about[o], b->firing_share[r], m->mean[o]), m->scale[o]);
        b->firing_share[r] = fmin(1, sg_round_digits(b->firing_share[r] / (double)rows));
    }
}

/* Every so many rows, where a row takes long. */
static size_t row_step(const sg_rule_stats *f, const sg_model *m)
{
    double work = 0;
    size_t most = f->rows / MIN_ROWS;
    for (size_t b = 0; b < m->blocks; b++)
        work += (double)f->rows * (double)m->block[b].rules *
                (double)(m->block[b].inputs * (m->block[b].rank + 1) + m->features);
    size_t step = 1 + (size_t)(work / max_work);
    return most > 1 && step > most ? most : most > 1 ? step : 1;
}

sg_status sg_rule_stats_store(const sg_rule_stats *f, sg_model *m)
{
    sg_reference_eval look;
    size_t step = row_step(f, m), rows = 0;
    double *column = sg_calloc(f->rows, sizeof *column), *y = sg_calloc(m->outputs, sizeof *y);
    bool ok = column && y && sg_model_alloc_quantiles(m);
    for (size_t b = 0; ok && b < m->blocks; b++)
        ok = sg_block_alloc_firing_shares(&m->block[b], m->features) && sg_block_alloc_mean_predictions(&m->block[b]);
    sg_status st = ok ? sg_reference_eval_init(&look, m) : sg_fail(SG_ENOMEM, "out of memory for shares of rules");
    if (st == SG_OK) store_quantiles(f, column, m);
    free(column);
    for (size_t i = 0; st == SG_OK && i < f->rows; i += step, rows++) accumulate_row(&look, f->x + i * f->inputs, m, y);
    free(y);
    if (st != SG_OK) return st;
    for (size_t b = 0; b < m->blocks; b++) finish_block(&m->block[b], m, rows);
    sg_reference_eval_release(&look);
    return SG_OK;
}
