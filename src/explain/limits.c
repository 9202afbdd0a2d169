/* limits.c: see limits.h. */
#include "explain/limits.h"

#include "explain/flow.h"
#include "explain/pen.h"

/* --- of inputs --- */

/* The step that limits them, which comes before all others; the last clamp is there for the sake of arithmetic. */
static const sg_step *limit_of(const sg_model *m)
{
    return m->a.steps > 1 && m->a.step->kind == &sg_step_clamp ? m->a.step : NULL;
}

/* The feature of an input of numbers. */
static size_t feature_of(const sg_model *m, size_t input) { return m->coding ? m->coding->input[input].first : input; }

static bool is_range(const sg_model *m, const sg_step *s)
{
    size_t n = m->coding ? sg_coding_plain(m->coding) : m->inputs;
    for (size_t i = 0; i < n; i++)
        if (s->number[0][i] != m->low[i] || s->number[1][i] != m->high[i]) return false;
    return true;
}

static void range(sg_text *t, double low, double high)
{
    char x[SG_NUMBER_SIZE];
    sg_text_add(t, sg_pen_near(low, high - low, x));
    sg_text_add(t, " to ");
    sg_text_add(t, sg_pen_near(high, high - low, x));
}

static void list_limits(sg_text *t, const sg_model *m, const sg_step *s)
{
    size_t start = t->length, left = 0;
    for (size_t i = 0; i < sg_model_inputs(m); i++) left += sg_model_levels(m, i) == 0;
    sg_text_add(t, "Inputs beyond these limits count as the limits:");
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        sg_text one = {0};
        if (sg_model_levels(m, i)) continue;
        sg_text_add(&one, " ");
        sg_text_shown(&one, sg_model_input_name(m, i));
        sg_text_add(&one, " from ");
        range(&one, s->number[0][feature_of(m, i)], s->number[1][feature_of(m, i)]);
        sg_text_add(&one, --left ? "," : ".");
        if (!one.failed) sg_flow(t, &start, one.bytes, " ");
        sg_text_release(&one);
    }
    sg_text_add(t, "\n");
}

/* --- of predictions --- */

static bool any_clipped(const sg_model *m)
{
    for (size_t o = 0; o < m->outputs; o++)
        if (sg_model_is_clipped(m, o)) return true;
    return false;
}

static void clip_words(sg_text *t, const sg_model *m, size_t o)
{
    if (m->outputs == 1) sg_text_add(t, "Predictions are kept from ");
    else sg_text_add(t, "Predictions of ");
    if (m->outputs > 1) sg_text_shown(t, m->output_name[o]);
    if (m->outputs > 1) sg_text_add(t, " are kept from ");
    range(t, m->least[o], m->most[o]);
    sg_text_add(t, ".\n");
}

void sg_limits_words(sg_text *t, const sg_model *m)
{
    const sg_step *s = limit_of(m);
    if (s || any_clipped(m)) sg_text_add(t, "\n");
    if (s && is_range(m, s)) sg_text_add(t, "Inputs beyond the range of the training rows count as its end.\n");
    else if (s) list_limits(t, m, s);
    for (size_t o = 0; o < m->outputs; o++)
        if (sg_model_is_clipped(m, o)) clip_words(t, m, o);
}

/* --- as JSON --- */

static void pair(sg_text *t, double low, double high)
{
    sg_text_add(t, "[");
    sg_text_number(t, low);
    sg_text_add(t, ", ");
    sg_text_number(t, high);
    sg_text_add(t, "]");
}

static void inputs_json(sg_text *t, const sg_model *m, const sg_step *s)
{
    size_t n = 0;
    sg_text_add(t, "  \"inputs_within\": {");
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        if (sg_model_levels(m, i)) continue;
        if (n++) sg_text_add(t, ", ");
        sg_text_json(t, sg_model_input_name(m, i));
        sg_text_add(t, ": ");
        pair(t, s->number[0][feature_of(m, i)], s->number[1][feature_of(m, i)]);
    }
    sg_text_add(t, "},\n");
}

static void outputs_json(sg_text *t, const sg_model *m)
{
    sg_text_add(t, "  \"predictions_within\": [");
    for (size_t o = 0; o < m->outputs; o++) {
        if (o) sg_text_add(t, ", ");
        if (sg_model_is_clipped(m, o)) pair(t, m->least[o], m->most[o]);
        else sg_text_add(t, "null");
    }
    sg_text_add(t, "],\n");
}

void sg_limits_json(sg_text *t, const sg_model *m)
{
    const sg_step *s = limit_of(m);
    if (s) inputs_json(t, m, s);
    if (any_clipped(m)) outputs_json(t, m);
}
