/* additive_part_json.c: writes the curves and pairs of a model as JSON, with all knots and values. */
#include "base/json_append.h"
#include "explain/additive/additive_text.h"
#include "explain/additive/curve_shape.h"
#include "explain/additive/curve_term_names.h"

#include <stdlib.h>

/* Appends `, "name": ` and, for each output, an array of the values of the n cells, or nothing if the values are
 * unknown. */
static void add_by_output(sg_text *t, const char *name, const double *value, size_t n, size_t outputs)
{
    if (!value) return;
    sg_text_append_format(t, ", \"%s\": [", name);
    for (size_t o = 0; o < outputs; o++) {
        if (o) sg_text_append(t, ", ");
        sg_json_append_numbers(t, value + o, n, outputs);
    }
    sg_text_append(t, "]");
}

static void add_levels(sg_text *t, const sg_model *m, const sg_curve *c)
{
    sg_text_append(t, ", \"levels\": [");
    for (size_t k = 0; k < c->cells; k++) {
        char *name = sg_encoded_input_level_name(&m->encoder->input[c->input], k);
        if (k) sg_text_append(t, ", ");
        if (name) sg_text_append_json(t, name);
        else t->failed = true;
        free(name);
    }
    sg_text_append(t, "]");
}

static void add_knots(sg_text *t, const sg_curve *c)
{
    sg_json_append_list(t, "knots", c->knot, c->cells);
    if (!sg_curve_cell_name(c, 0)) return;
    sg_text_append(t, ", \"terms\": [");
    for (size_t k = 0; k < c->cells; k++) sg_json_append(t, k ? ", %s" : "%s", sg_curve_cell_name(c, k));
    sg_text_append(t, "]");
}

/* "values" has one array of cell values per target, and "missing" the value for missing inputs per target; likewise for
 * the standard errors. */
static void add_curve(sg_text *t, const sg_model *m, const sg_curve *c)
{
    static const char *const monotone[] = {"falls", NULL, "rises"};
    const size_t outputs = m->outputs;
    const char *constraint = monotone[c->monotone + 1];
    sg_json_append(t, "{\"input\": %s", sg_model_input_name(m, c->input));
    if (c->is_category) add_levels(t, m, c);
    else add_knots(t, c);
    add_by_output(t, "values", c->value, c->cells, outputs);
    sg_json_append_list(t, "missing", c->value + c->cells * outputs, outputs);
    add_by_output(t, "standard_errors", c->band, c->cells, outputs);
    if (c->band) sg_json_append_list(t, "missing_standard_error", c->band + c->cells * outputs, outputs);
    if (c->share) sg_json_append_list(t, "shares", c->share, c->cells);
    if (c->share) sg_json_append(t, ", \"missing_share\": %g", c->share[c->cells]);
    if (c->deviation) sg_json_append_list(t, "importance", c->deviation, outputs);
    if (constraint) sg_json_append(t, ", \"monotone\": %s", constraint);
    sg_text_append(t, "}");
}

/* Writes the positions, or the levels, of the terms of an input. */
static void add_axis(sg_text *t, const sg_model *m, const sg_curve *c)
{
    sg_json_append(t, "{\"input\": %s, \"at\": [", sg_model_input_name(m, c->input));
    for (size_t k = 0; k < c->terms; k++) {
        char *name = c->is_category ? sg_encoded_input_level_name(&m->encoder->input[c->input], c->term[k]) : NULL;
        if (k) sg_text_append(t, ", ");
        if (name) sg_text_append_json(t, name);
        else if (c->is_category) t->failed = true;
        else sg_json_append(t, "%g", sg_curve_term_knot(c, k));
        free(name);
    }
    sg_text_append(t, "]");
    if (sg_curve_cell_name(c, 0)) {
        sg_text_append(t, ", \"terms\": [");
        for (size_t k = 0; k < c->terms; k++) sg_json_append(t, k ? ", %s" : "%s", sg_curve_cell_name(c, c->term[k]));
        sg_text_append(t, "]");
    }
    sg_text_append(t, "}");
}

/* "values" has a table per target, with one row per term of "down". */
static void add_pair(sg_text *t, const sg_model *m, const sg_pair *p)
{
    const sg_curve *down = &m->additive->curve[p->curve[0]], *across = &m->additive->curve[p->curve[1]];
    sg_text_append(t, "{\"down\": ");
    add_axis(t, m, down);
    sg_text_append(t, ", \"across\": ");
    add_axis(t, m, across);
    sg_text_append(t, ", \"values\": [");
    for (size_t o = 0; o < m->outputs; o++) {
        sg_text_append(t, o ? ", [" : "[");
        for (size_t r = 0; r < down->terms; r++) {
            if (r) sg_text_append(t, ", ");
            sg_json_append_numbers(t, p->value + r * across->terms * m->outputs + o, across->terms, m->outputs);
        }
        sg_text_append(t, "]");
    }
    sg_text_append(t, "]");
    if (p->deviation) sg_json_append_list(t, "importance", p->deviation, m->outputs);
    sg_text_append(t, "}");
}

sg_status sg_additive_json(sg_text *t, const sg_model *m)
{
    const sg_additive *s = m->additive;
    if (!s) return SG_OK;
    size_t *order = sg_curve_order(s, 0);
    if (!order) return sg_fail_out_of_memory("the description of curves");
    sg_text_append(t, "  \"curves\": [");
    for (size_t i = 0; i < s->curves; i++) {
        sg_text_append(t, i ? ",\n    " : "\n    ");
        add_curve(t, m, &s->curve[order[i]]);
    }
    free(order);
    sg_text_append(t, s->curves ? "\n  ],\n" : "],\n");
    if (!(order = sg_pair_order(s, 0))) return sg_fail_out_of_memory("the description of pairs");
    sg_text_append(t, "  \"pairs\": [");
    for (size_t i = 0; i < s->pairs; i++) {
        sg_text_append(t, i ? ",\n    " : "\n    ");
        add_pair(t, m, &s->pair[order[i]]);
    }
    free(order);
    sg_text_append(t, s->pairs ? "\n  ],\n" : "],\n");
    return SG_OK;
}
