/* effects_shown.c: see effects_shown.h. */
#include "explain/effects_shown.h"

enum { DIGITS = 4, LINES = 8 };

/* --- in words --- */

/* The mean effect of bins [first, last), which hold about as many training rows each. */
static void line(sg_text *t, const sg_effect *e, const char *name, size_t first, size_t last)
{
    double sum = 0;
    bool end = last == e->bins;
    for (size_t i = first; i < last; i++) sum += e->bin[i] / (double)(last - first);
    sg_text_add(t, "    ");
    sg_text_shown(t, name);
    sg_text_add(t, " ");
    if (first == 0 && end) sg_text_add(t, "anything");
    else sg_text_add(t, end ? "above " : "up to ");
    if (first || !end) sg_text_rounded(t, e->edge[(end ? first : last) - 1], DIGITS);
    sg_text_add(t, ": ");
    sg_text_rounded(t, sum, DIGITS);
    sg_text_add(t, "\n");
}

static void shape(sg_text *t, const sg_model *m, size_t number)
{
    const sg_effect *e = &m->coding->effect[number];
    const char *name = m->coding->input[e->input].name;
    size_t lines = e->bins < LINES ? e->bins : LINES;
    sg_text_add(t, "  effect of ");
    sg_text_shown(t, name);
    if (e->values)
        sg_text_format(t, " (and %zu value%s with one of %s own)", e->values, e->values == 1 ? "" : "s",
                       e->values == 1 ? "its" : "their");
    sg_text_add(t, "\n");
    for (size_t i = 0; i < lines; i++) line(t, e, name, e->bins * i / lines, e->bins * (i + 1) / lines);
}

void sg_effects_words(sg_text *t, const sg_model *m)
{
    if (!m->coding || !m->coding->effects) return;
    sg_text_add(t, "\nEffects: what an input adds beyond a straight line, here in a few steps\n");
    for (size_t i = 0; i < m->coding->effects; i++) shape(t, m, i);
}

/* --- as JSON --- */

static void list(sg_text *t, const char *name, const double *x, size_t n)
{
    sg_text_format(t, ", \"%s\": [", name);
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_add(t, ", ");
        sg_text_number(t, x[i]);
    }
    sg_text_add(t, "]");
}

void sg_effects_json(sg_text *t, const sg_model *m)
{
    if (!m->coding || !m->coding->effects) return;
    sg_text_add(t, "  \"effects\": [");
    for (size_t i = 0; i < m->coding->effects; i++) {
        const sg_effect *e = &m->coding->effect[i];
        sg_text_add(t, i ? ",\n    {\"of\": " : "\n    {\"of\": ");
        sg_text_json(t, m->coding->input[e->input].name);
        list(t, "edges", e->edge, e->bins - 1);
        list(t, "bins", e->bin, e->bins);
        list(t, "values", e->value, e->values);
        list(t, "effects", e->own, e->values);
        sg_text_add(t, "}");
    }
    sg_text_add(t, "\n  ],\n");
}
