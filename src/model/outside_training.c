/* outside_training.c: firing strength of rows, and the inputs that put a row outside the training region. */
#include "model/outside_training.h"

#include <math.h>
#include <string.h>

size_t sg_support_cost(const sg_model *m)
{
    size_t cost = 1;
    for (size_t b = 0; b < m->blocks; b++) cost += m->block[b].rules * (m->block[b].inputs + 1) + 4 * m->block[b].mfs;
    return cost;
}

double sg_support_log_firing(sg_reference_eval *l, const double *feature)
{
    const sg_model *m = l->model;
    double sum = 0, weight = 0;
    sg_reference_eval_set_row(l, feature);
    for (size_t b = 0; b < m->blocks; b++) {
        double top = sg_max_log_firing(&m->block[b], sg_reference_eval_antecedents(l, b), &l->work[b]),
               w = fabs(m->block[b].weight);
        sum += w * (top < -SG_MODEL_MAX_ABS ? -SG_MODEL_MAX_ABS : top);
        weight += w;
    }
    return weight > 0 ? fmax(sum / weight, -SG_MODEL_MAX_ABS) : 0;
}

/* --- inputs outside the training region --- */

static size_t first_feature(const sg_model *m, size_t input)
{
    return m->encoder ? m->encoder->input[input].first_feature : input;
}

static size_t feature_count(const sg_model *m, size_t input)
{
    return m->encoder ? sg_encoded_input_features(&m->encoder->input[input]) : 1;
}

/* Returns whether the value of an input is a number outside the training range of the input, or a level that is neither
 * listed nor pooled. */
static bool is_outside_range(const sg_model *m, size_t input, const double *feature)
{
    size_t first = first_feature(m, input);
    double sum = 0;
    if (!sg_model_levels(m, input)) return feature[first] < m->low[first] || feature[first] > m->high[first];
    for (size_t i = 0; i < feature_count(m, input); i++) sum += feature[first + i];
    return sum == 0;
}

/* Returns the firing strength that the row would have if the input and the effects derived from it were missing. */
static double log_firing_without(sg_reference_eval *l, size_t input, const double *feature, double *scratch)
{
    const sg_model *m = l->model;
    memcpy(scratch, feature, m->features * sizeof *feature);
    for (size_t i = 0; i < feature_count(m, input); i++) scratch[first_feature(m, input) + i] = NAN;
    for (size_t e = 0; m->encoder && e < m->encoder->effects; e++)
        if (m->encoder->effect[e].input == input) scratch[sg_encoder_base_features(m->encoder) + e] = NAN;
    return sg_support_log_firing(l, scratch);
}

/* Returns the input whose removal raises the firing strength most. */
static size_t find_outside_input(sg_reference_eval *l, const double *feature, double *scratch)
{
    double most = -INFINITY;
    size_t worst = 0;
    for (size_t i = 0; i < sg_model_inputs(l->model); i++) {
        double firing = log_firing_without(l, i, feature, scratch);
        if (firing <= most) continue;
        most = firing;
        worst = i;
    }
    return worst;
}

void sg_support_mark_outside(sg_reference_eval *l, const double *feature, double *scratch, double *outside)
{
    const sg_model *m = l->model;
    bool any = false;
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        outside[i] = is_outside_range(m, i, feature);
        any = any || outside[i] > 0;
    }
    if (any || m->blocks == 0 || m->calibration.support_rows == 0 ||
        sg_support_log_firing(l, feature) >= m->calibration.min_log_firing)
        return;
    outside[find_outside_input(l, feature, scratch)] = 1;
}
