/* effects_text.c: see effects_text.h. */
#include "explain/rules/effects_text.h"

enum { DIGITS = 4, LINES = 8 };

/* --- in words --- */

/* The mean effect of bins [first, last), which hold about as many training rows each. */
static void add_bin_line(sg_text *t, const sg_effect *e, const char *name, size_t first, size_t last)
{
    double sum = 0;
    bool end = last == e->bins;
    for (size_t i = first; i < last; i++) sum += e->bin_effect[i] / (double)(last - first);
    sg_text_append(t, "    ");
    sg_text_append_escaped(t, name);
    sg_text_append(t, " ");
    if (first == 0 && end) sg_text_append(t, "anything");
    else sg_text_append(t, end ? "above " : "up to ");
    if (first || !end) sg_text_append_rounded(t, e->edge[(end ? first : last) - 1], DIGITS);
    sg_text_append(t, ": ");
    sg_text_append_rounded(t, sum, DIGITS);
    sg_text_append(t, "\n");
}

static void add_effect_shape(sg_text *t, const sg_model *m, size_t number)
{
    const sg_effect *e = &m->encoder->effect[number];
    const char *name = m->encoder->input[e->input].name;
    size_t lines = e->bins < LINES ? e->bins : LINES;
    sg_text_append(t, "  effect of ");
    sg_text_append_escaped(t, name);
    if (e->values)
        sg_text_append_format(t, " (and %zu value%s with one of %s own)", e->values, e->values == 1 ? "" : "s",
                              e->values == 1 ? "its" : "their");
    sg_text_append(t, "\n");
    for (size_t i = 0; i < lines; i++) add_bin_line(t, e, name, e->bins * i / lines, e->bins * (i + 1) / lines);
}

void sg_effects_text(sg_text *t, const sg_model *m)
{
    if (!m->encoder || !m->encoder->effects) return;
    sg_text_append(t, "\nEffects: what an input adds beyond a straight line, here in a few steps\n");
    for (size_t i = 0; i < m->encoder->effects; i++) add_effect_shape(t, m, i);
}

/* --- as JSON --- */

static void add_json_list(sg_text *t, const char *name, const double *x, size_t n)
{
    sg_text_append_format(t, ", \"%s\": [", name);
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_append(t, ", ");
        sg_text_append_number(t, x[i]);
    }
    sg_text_append(t, "]");
}

void sg_effects_json(sg_text *t, const sg_model *m)
{
    if (!m->encoder || !m->encoder->effects) return;
    sg_text_append(t, "  \"effects\": [");
    for (size_t i = 0; i < m->encoder->effects; i++) {
        const sg_effect *e = &m->encoder->effect[i];
        sg_text_append(t, i ? ",\n    {\"of\": " : "\n    {\"of\": ");
        sg_text_append_json(t, m->encoder->input[e->input].name);
        add_json_list(t, "edges", e->edge, e->bins - 1);
        add_json_list(t, "bins", e->bin_effect, e->bins);
        add_json_list(t, "values", e->value, e->values);
        add_json_list(t, "effects", e->value_effect, e->values);
        sg_text_append(t, "}");
    }
    sg_text_append(t, "\n  ],\n");
}
