/* clip_text.c: see clip_text.h. */
#include "explain/rules/clip_text.h"

#include "explain/text/text_writer.h"
#include "explain/text/wrap_word.h"

/* --- of inputs --- */

/* The step that limits them, which comes before all others; the last clamp is there for the sake of arithmetic. */
static const sg_transform *clamp_step(const sg_model *m)
{
    return m->a.steps > 1 && m->a.step->kind == &sg_transform_clamp ? m->a.step : NULL;
}

/* The feature of an input of numbers. */
static size_t first_feature(const sg_model *m, size_t input)
{
    return m->encoder ? m->encoder->input[input].first_feature : input;
}

static bool is_training_range(const sg_model *m, const sg_transform *s)
{
    size_t n = m->encoder ? sg_encoder_base_features(m->encoder) : m->features;
    for (size_t i = 0; i < n; i++)
        if (s->parameter[0][i] != m->low[i] || s->parameter[1][i] != m->high[i]) return false;
    return true;
}

static void add_range(sg_text *t, double low, double high)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    sg_text_append(t, sg_format_to_resolution(low, high - low, x));
    sg_text_append(t, " to ");
    sg_text_append(t, sg_format_to_resolution(high, high - low, x));
}

static void list_input_limits(sg_text *t, const sg_model *m, const sg_transform *s)
{
    size_t start = t->length, left = 0;
    for (size_t i = 0; i < sg_model_inputs(m); i++) left += sg_model_levels(m, i) == 0;
    sg_text_append(t, "Inputs beyond these limits count as the limits:");
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        sg_text one = {0};
        if (sg_model_levels(m, i)) continue;
        sg_text_append(&one, " ");
        sg_text_append_escaped(&one, sg_model_input_name(m, i));
        sg_text_append(&one, " from ");
        add_range(&one, s->parameter[0][first_feature(m, i)], s->parameter[1][first_feature(m, i)]);
        sg_text_append(&one, --left ? "," : ".");
        if (!one.failed) sg_wrap_word(t, &start, one.bytes, " ");
        sg_text_release(&one);
    }
    sg_text_append(t, "\n");
}

/* --- of predictions --- */

static bool any_clipped(const sg_model *m)
{
    for (size_t o = 0; o < m->outputs; o++)
        if (sg_model_is_clipped(m, o)) return true;
    return false;
}

static void write_output_clip(sg_text *t, const sg_model *m, size_t o)
{
    if (m->outputs == 1) sg_text_append(t, "Predictions are kept from ");
    else sg_text_append(t, "Predictions of ");
    if (m->outputs > 1) sg_text_append_escaped(t, m->output_name[o]);
    if (m->outputs > 1) sg_text_append(t, " are kept from ");
    add_range(t, m->clip_low[o], m->clip_high[o]);
    sg_text_append(t, ".\n");
}

void sg_clip_text(sg_text *t, const sg_model *m)
{
    const sg_transform *s = clamp_step(m);
    if (s || any_clipped(m)) sg_text_append(t, "\n");
    if (s && is_training_range(m, s))
        sg_text_append(t, "Inputs beyond the range of the training rows count as its end.\n");
    else if (s) list_input_limits(t, m, s);
    for (size_t o = 0; o < m->outputs; o++)
        if (sg_model_is_clipped(m, o)) write_output_clip(t, m, o);
}

/* --- as JSON --- */

static void add_json_pair(sg_text *t, double low, double high)
{
    sg_text_append(t, "[");
    sg_text_append_number(t, low);
    sg_text_append(t, ", ");
    sg_text_append_number(t, high);
    sg_text_append(t, "]");
}

static void inputs_json(sg_text *t, const sg_model *m, const sg_transform *s)
{
    size_t n = 0;
    sg_text_append(t, "  \"inputs_within\": {");
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        if (sg_model_levels(m, i)) continue;
        if (n++) sg_text_append(t, ", ");
        sg_text_append_json(t, sg_model_input_name(m, i));
        sg_text_append(t, ": ");
        add_json_pair(t, s->parameter[0][first_feature(m, i)], s->parameter[1][first_feature(m, i)]);
    }
    sg_text_append(t, "},\n");
}

static void outputs_json(sg_text *t, const sg_model *m)
{
    sg_text_append(t, "  \"predictions_within\": [");
    for (size_t o = 0; o < m->outputs; o++) {
        if (o) sg_text_append(t, ", ");
        if (sg_model_is_clipped(m, o)) add_json_pair(t, m->clip_low[o], m->clip_high[o]);
        else sg_text_append(t, "null");
    }
    sg_text_append(t, "],\n");
}

void sg_clip_json(sg_text *t, const sg_model *m)
{
    const sg_transform *s = clamp_step(m);
    if (s) inputs_json(t, m, s);
    if (any_clipped(m)) outputs_json(t, m);
}
