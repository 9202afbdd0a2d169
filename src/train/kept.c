/* kept.c: see kept.h. */
#include "train/kept.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool weighted(const sg_kept *k) { return k->columns->weight != SG_NO_COLUMN; }

/* --- a thread's chunk --- */

sg_status sg_taken_init(sg_taken *t, const sg_kept *k, const sg_tools *tools)
{
    size_t outputs = k->model->outputs;
    *t = (sg_taken){0};
    sg_status st = sg_feed_init(&t->feed, k->model, tools, outputs + weighted(k));
    if (st != SG_OK) return st;
    if (!k->row || k->source->team) t->raw = sg_alloc(k->source->columns, SG_CHUNK * sizeof *t->raw);
    if (!weighted(k)) t->ones = sg_alloc(SG_PITCH, sizeof *t->ones);
    for (size_t i = 0; t->ones && i < SG_PITCH; i++) t->ones[i] = 1;
    t->t = t->feed.more;
    t->w = weighted(k) ? t->feed.more + outputs * SG_PITCH : t->ones;
    if ((t->raw || (k->row && !k->source->team)) && t->w) return SG_OK;
    sg_taken_release(t);
    return sg_fail(SG_ENOMEM, "out of memory for rows");
}

void sg_taken_release(sg_taken *t)
{
    sg_feed_release(&t->feed);
    free(t->raw);
    free(t->ones);
    *t = (sg_taken){0};
}

/* Column o of the targets: the values, the mean and the scale of one output. */
static void take_targets(const sg_taken *t, const sg_kept *k, size_t o, size_t n)
{
    const double *raw = t->raw + k->columns->target[o];
    double *to = t->feed.more + o * SG_PITCH, mean = k->model->mean[o], inverse = 1 / k->model->scale[o];
    for (size_t i = 0; i < n; i++) to[i] = (raw[i * k->source->columns] - mean) * inverse;
}

static void take_weights(const sg_taken *t, const sg_kept *k, size_t n)
{
    const double *raw = t->raw + k->columns->weight;
    double *to = t->feed.more + k->model->outputs * SG_PITCH;
    for (size_t i = 0; i < n; i++) to[i] = raw[i * k->source->columns] * k->weight_scale;
}

static sg_status read_raw(const sg_taken *t, const sg_kept *k, const size_t *rows, size_t first, size_t n)
{
    const sg_source *s = k->source;
    if (s->team) return sg_borrowed_take(&k->borrowed, first, n, t->raw);
    return rows ? sg_source_gather(s, rows + first, n, t->raw) : s->read(s->self, first, n, t->raw);
}

static sg_status read_and_transform(sg_taken *t, const sg_kept *k, const size_t *rows, size_t first, size_t n)
{
    const sg_source *s = k->source;
    sg_status st = read_raw(t, k, rows, first, n);
    if (st != SG_OK) return st;
    sg_feed_rows(&t->feed, t->raw, s->columns, k->columns->input, n);
    for (size_t o = 0; o < k->model->outputs; o++) take_targets(t, k, o, n);
    if (weighted(k)) take_weights(t, k, n);
    return SG_OK;
}

/* The same of rows that are kept; those of a team are numbered from its first member's on. */
static void turn_kept(sg_taken *t, const sg_kept *k, const size_t *rows, size_t first, size_t n)
{
    size_t here[SG_CHUNK];
    for (size_t i = 0; rows && k->first && i < n; i++) here[i] = rows[first + i] - k->first;
    const size_t *index = !rows ? NULL : k->first ? here : rows + first;
    sg_feed_turned(&t->feed, rows ? k->row : k->row + (first - k->first) * t->feed.width, index, n, k->fill);
}

sg_status sg_taken_take(sg_taken *t, const sg_kept *k, const size_t *rows, size_t first, size_t n)
{
    bool kept = k->row && (!k->source->team || first + n <= k->borrowed.from);
    if (!kept) return read_and_transform(t, k, rows, first, n);
    turn_kept(t, k, rows, first, n);
    return SG_OK;
}

/* --- all rows --- */

/* Row i of what was taken; a is NaN where an input is missing. */
static void keep_row(const sg_kept *k, const sg_taken *t, size_t i, double *row)
{
    const double *a = t->feed.a + i, *missing = t->feed.chunk.missing;
    for (size_t c = 0; c < t->feed.width; c++) row[c] = c < k->width ? a[c * SG_PITCH] : 0;
    for (size_t c = 0; missing && c < k->model->a.out; c++)
        if (missing[c * SG_PITCH + i] > 0) row[c] = NAN;
}

/* What a is for the inputs' means. */
static sg_status make_fill(sg_kept *k)
{
    const sg_view *a = &k->model->a;
    double *scratch = sg_alloc(sg_view_scratch(a), sizeof *scratch);
    k->fill = sg_alloc(a->out, sizeof *k->fill);
    if (scratch && k->fill) sg_view_apply(a, k->model->input_mean, k->fill, scratch);
    sg_status st = scratch && k->fill ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    free(scratch);
    return st;
}

/* Rows are read here as if they were a batch of all rows, of which none is borrowed. */
static sg_status keep(sg_kept *k, sg_taken *t, size_t last, double *row)
{
    k->borrowed.from = last;
    for (size_t first = k->first; first < last; first += SG_CHUNK) {
        size_t n = last - first < SG_CHUNK ? last - first : SG_CHUNK;
        sg_status st = sg_taken_take(t, k, NULL, first, n);
        if (st == SG_OK && t->feed.chunk.missing && !k->fill) st = make_fill(k);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < n; i++, row += t->feed.width) keep_row(k, t, i, row);
    }
    return SG_OK;
}

sg_status sg_kept_init(sg_kept *k, const sg_model *m, const sg_source *source, const sg_roles *columns,
                       double weight_scale, const sg_tools *tools, size_t most)
{
    sg_taken t = {0};
    size_t last;
    *k = (sg_kept){.model = m, .source = source, .columns = columns, .weight_scale = weight_scale};
    k->width = m->a.out + (m->one_view ? 0 : m->z.out) + m->outputs + weighted(k);
    sg_source_range(source, &k->first, &last);
    sg_status st = source->team ? sg_borrowed_init(&k->borrowed, source) : SG_OK;
    if (st == SG_OK) st = sg_taken_init(&t, k, tools);
    double *row = NULL;
    if (st == SG_OK && last - k->first <= most / sizeof *row / t.feed.width)
        row = sg_alloc_lines((last - k->first) * t.feed.width * sizeof *row);
    if (row) st = keep(k, &t, last, row);
    k->row = row;
    sg_taken_release(&t);
    st = sg_team_agree(source->team, st);
    if (st != SG_OK) sg_kept_release(k);
    return st;
}

void sg_kept_release(sg_kept *k)
{
    free(k->row);
    free(k->fill);
    sg_borrowed_release(&k->borrowed);
    *k = (sg_kept){0};
}
