/* additive_terms.c: what each curve and each pair of a model adds to the prediction of a row. */
#include "explain/row/additive_terms.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- terms --- */

/* Appends "age and water" with its NUL. */
static void append_pair_name(sg_text *t, const sg_model *m, const sg_pair *p)
{
    sg_text_append(t, sg_model_input_name(m, m->additive->curve[p->curve[0]].input));
    sg_text_append(t, " and ");
    sg_text_append(t, sg_model_input_name(m, m->additive->curve[p->curve[1]].input));
    sg_text_append_bytes(t, "", 1);
}

sg_status sg_additive_terms_init(sg_explainer *e)
{
    const sg_additive *s = e->model->additive;
    sg_text names = {0};
    e->parts = s ? s->curves + s->pairs : 0;
    for (size_t i = 0; s && i < s->pairs; i++) append_pair_name(&names, e->model, &s->pair[i]);
    e->part_names = names.bytes;
    return names.failed ? sg_fail_out_of_memory("an explanation") : SG_OK;
}

size_t sg_additive_terms_append(sg_explainer *e, sg_grouping by, size_t n)
{
    const sg_additive *s = e->model->additive;
    const char *name = e->part_names;
    for (size_t i = 0; s && i < s->curves; i++) {
        size_t input = s->curve[i].input;
        e->term[by][n++] =
            (sg_term){.kind = SG_TERM_CURVE, .name = sg_model_input_name(e->model, input), .input = input, .part = i};
    }
    for (size_t i = 0; s && i < s->pairs; i++) {
        e->term[by][n++] =
            (sg_term){.kind = SG_TERM_PAIR, .name = name, .input = s->curve[s->pair[i].curve[0]].input, .part = i};
        name += strlen(name) + 1;
    }
    return n;
}

/* --- values --- */

void sg_additive_terms_compute(sg_explainer *e)
{
    const sg_additive *s = e->model->additive;
    const sg_feature_columns row = {.n = 1, .pitch = 1, .x = e->x, .missing = e->missing};
    if (!s) return;
    memset(e->part, 0, e->parts * s->outputs * sizeof *e->part);
    for (size_t i = 0; i < s->curves; i++) sg_curve_add(s, &s->curve[i], &row, e->part + i * s->outputs);
    for (size_t i = 0; i < s->pairs; i++) sg_pair_add(s, &s->pair[i], &row, e->part + (s->curves + i) * s->outputs);
}

void sg_additive_terms_get(const sg_explainer *e, size_t o, double *term)
{
    for (size_t i = 0; i < e->parts; i++) term[i] = sg_clamp_finite(e->part[i * e->model->outputs + o]);
}

static double curve_level(const sg_curve *c, const double *x)
{
    for (size_t k = 0; k < c->cells; k++)
        if (!(x[c->feature + k] < 0.5)) return isnan(x[c->feature + k]) ? (double)NAN : (double)k;
    return (double)c->cells;
}

void sg_additive_terms_values(const sg_explainer *e, const double *x, double *value, double *effective)
{
    const sg_additive *s = e->model->additive;
    for (size_t i = 0; s && i < s->curves; i++) {
        const sg_curve *c = &s->curve[i];
        value[i] = c->is_category ? curve_level(c, x) : x[c->feature];
        effective[i] =
            c->is_category || isnan(value[i]) ? value[i] : fmin(fmax(value[i], c->knot[0]), c->knot[c->cells - 1]);
    }
}
