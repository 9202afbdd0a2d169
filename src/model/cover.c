/* cover.c: see cover.h. */
#include "model/cover.h"

#include "base/memory.h"
#include "prep/gaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sg_status sg_cover_init(sg_cover *c, const sg_model *m)
{
    size_t a = sg_view_scratch(&m->a), z = sg_view_scratch(&m->z);
    size_t n = 3 * m->inputs + m->a.out + m->z.out + (a > z ? a : z);
    *c = (sg_cover){.model = m, .work = sg_alloc(m->blocks, sizeof *c->work), .memory = sg_alloc(n, sizeof *c->memory)};
    bool room = c->work && c->memory;
    for (size_t b = 0; room && b < m->blocks; b++) room = sg_work_of_block(&c->work[b], &m->block[b]);
    if (!room) {
        sg_cover_release(c);
        return sg_fail(SG_ENOMEM, "out of memory for the firing of rules");
    }
    c->row = c->memory;
    c->x = c->row + m->inputs;
    c->missing = c->x + m->inputs;
    c->a = c->missing + m->inputs;
    c->z = c->a + m->a.out;
    c->scratch = c->z + m->z.out;
    for (size_t b = 0; b < m->blocks; b++) c->sees_z |= m->block[b].sees_z;
    return SG_OK;
}

void sg_cover_release(sg_cover *c)
{
    for (size_t b = 0; c->work && b < c->model->blocks; b++) sg_work_release(&c->work[b]);
    free(c->work);
    free(c->memory);
    *c = (sg_cover){0};
}

size_t sg_cover_cost(const sg_model *m)
{
    size_t cost = 1;
    for (size_t b = 0; b < m->blocks; b++) cost += m->block[b].rules * (m->block[b].inputs + 1) + 4 * m->block[b].mfs;
    return cost;
}

/* --- how strongly a row fires --- */

/* What conditions see of the row in c->x, whose gaps were filled. */
static void see(sg_cover *c, const sg_view *v, bool gaps, double *to)
{
    sg_view_apply(v, c->x, to, c->scratch);
    if (gaps && sg_gaps_pass(v)) sg_gaps_open(c->model->inputs, c->missing, to);
}

/* Of the row in c->x, which is changed. */
static double fire(sg_cover *c)
{
    const sg_model *m = c->model;
    double sum = 0, weight = 0;
    bool gaps = sg_gaps_fill(m->inputs, 1, 1, m->input_mean, c->x, c->missing);
    see(c, &m->a, gaps, c->a);
    if (c->sees_z) see(c, &m->z, gaps, c->z);
    for (size_t b = 0; b < m->blocks; b++) {
        double top = sg_top_firing(&m->block[b], m->block[b].sees_z ? c->z : c->a, &c->work[b]),
               w = fabs(m->block[b].weight);
        sum += w * (top < -SG_LARGEST ? -SG_LARGEST : top);
        weight += w;
    }
    return weight > 0 ? fmax(sum / weight, -SG_LARGEST) : 0;
}

double sg_cover_firing(sg_cover *c, const double *feature)
{
    memcpy(c->x, feature, c->model->inputs * sizeof *feature);
    return fire(c);
}

/* --- input by input --- */

static size_t first_of(const sg_model *m, size_t input) { return m->coding ? m->coding->input[input].first : input; }

static size_t width_of(const sg_model *m, size_t input)
{
    return m->coding ? sg_coded_features(&m->coding->input[input]) : 1;
}

/* A number beyond its range; a level that is none of those listed, and no pooled one takes. */
static bool is_beyond(const sg_model *m, size_t input, const double *feature)
{
    size_t first = first_of(m, input);
    double sum = 0;
    if (!sg_model_levels(m, input)) return feature[first] < m->low[first] || feature[first] > m->high[first];
    for (size_t i = 0; i < width_of(m, input); i++) sum += feature[first + i];
    return sum == 0;
}

/* As it would fire were the input missing, and so what is derived from it. */
static double fire_without(sg_cover *c, size_t input, const double *feature)
{
    const sg_model *m = c->model;
    memcpy(c->x, feature, m->inputs * sizeof *feature);
    for (size_t i = 0; i < width_of(m, input); i++) c->x[first_of(m, input) + i] = NAN;
    for (size_t e = 0; m->coding && e < m->coding->effects; e++)
        if (m->coding->effect[e].input == input) c->x[sg_coding_plain(m->coding) + e] = NAN;
    return fire(c);
}

/* The one that the row fires most without. */
static size_t blame(sg_cover *c, const double *feature)
{
    double most = -INFINITY;
    size_t who = 0;
    for (size_t i = 0; i < sg_model_inputs(c->model); i++) {
        double firing = fire_without(c, i, feature);
        if (firing <= most) continue;
        most = firing;
        who = i;
    }
    return who;
}

void sg_cover_row(sg_cover *c, const double *feature, double *outside)
{
    const sg_model *m = c->model;
    bool any = false;
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        outside[i] = is_beyond(m, i, feature);
        any = any || outside[i] > 0;
    }
    if (any || m->sure.seen == 0 || sg_cover_firing(c, feature) >= m->sure.firing) return;
    outside[blame(c, feature)] = 1;
}
