/* model_effects.c: see model_effects.h. */
#include "io/model_effects.h"

#include "io/model_inputs.h"
#include "io/model_text.h"

#include <string.h>

bool sg_effects_there(const sg_json *root) { return sg_json_has(root, "effects"); }

/* --- reading --- */

/* An input of numbers that has no other. */
static sg_status find_input(const sg_json *item, const sg_coding *c, size_t *out)
{
    const char *name;
    sg_status st = sg_json_text(item, "of", &name);
    if (st != SG_OK) return st;
    for (*out = 0; *out < c->inputs && strcmp(c->input[*out].name, name) != 0;) ++*out;
    if (*out == c->inputs || c->input[*out].levels)
        return sg_fail(SG_EDATA, "%s.of: expected the name of an input of numbers", item->where);
    for (size_t i = 0; i < c->effects; i++)
        if (c->effect[i].input == *out)
            return sg_fail(SG_EDATA, "%s.of: this input has an effect already", item->where);
    return SG_OK;
}

static sg_status list_of(const sg_json *item, const char *key, size_t least, size_t most, sg_json *out)
{
    sg_status st = sg_json_member(item, key, JSON_ARRAY, out);
    if (st != SG_OK) return st;
    size_t n = sg_json_size(out);
    return n >= least && n <= most
               ? SG_OK
               : sg_fail(SG_EDATA, "%s: expected %zu to %zu numbers, not %zu", out->where, least, most, n);
}

static sg_status read_effect(const sg_json *item, sg_coding *c)
{
    sg_json edges, bins, values, own;
    sg_effect e;
    size_t input;
    sg_status st = find_input(item, c, &input);
    if (st == SG_OK) st = list_of(item, "edges", 0, SG_EFFECT_BINS - 1, &edges);
    if (st == SG_OK) st = sg_json_member(item, "bins", JSON_ARRAY, &bins);
    if (st == SG_OK) st = list_of(item, "values", 0, SG_EFFECT_VALUES, &values);
    if (st == SG_OK) st = sg_json_member(item, "effects", JSON_ARRAY, &own);
    if (st != SG_OK) return st;
    size_t n = sg_json_size(&values), k = sg_json_size(&edges);
    if (!sg_effect_init(&e, input, k + 1, n)) return sg_fail(SG_ENOMEM, "%s: out of memory", item->where);
    st = sg_json_numbers(&edges, k, e.edge, 1);
    if (st == SG_OK) st = sg_json_numbers(&bins, k + 1, e.bin, 1);
    if (st == SG_OK) st = sg_json_numbers(&values, n, e.value, 1);
    if (st == SG_OK) st = sg_json_numbers(&own, n, e.own, 1);
    const char *wrong = st == SG_OK ? sg_effect_wrong(&e) : NULL;
    if (wrong) st = sg_fail(SG_EDATA, "%s: %s", item->where, wrong);
    if (st == SG_OK) return sg_coding_effect(c, &e);
    sg_effect_release(&e);
    return st;
}

sg_status sg_effects_read(const sg_json *root, sg_coding *c)
{
    sg_json list, item;
    sg_status st = sg_effects_there(root) ? sg_json_member(root, "effects", JSON_ARRAY, &list) : SG_OK;
    for (size_t i = 0; st == SG_OK && sg_effects_there(root) && i < sg_json_size(&list); i++) {
        st = sg_json_item(&list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_effect(&item, c);
    }
    return st;
}

sg_status sg_effects_ranges(const sg_json *root, sg_model *m)
{
    sg_json list, item;
    size_t n = m->coding ? m->coding->effects : 0;
    sg_status st = n ? sg_json_member(root, "effects", JSON_ARRAY, &list) : SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        size_t at = sg_coding_plain(m->coding) + i;
        st = sg_json_item(&list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = sg_inputs_range(&item, &m->low[at], &m->high[at]);
        if (st == SG_OK) st = sg_json_number(&item, "mean", &m->input_mean[at]);
    }
    return st;
}

/* --- writing --- */

static void write_list(sg_text *t, const char *name, const double *x, size_t n)
{
    sg_text_format(t, ",\n     \"%s\": ", name);
    sg_model_numbers(t, x, n, 1);
}

static void write_effect(sg_text *t, const sg_model *m, size_t i)
{
    const sg_effect *e = &m->coding->effect[i];
    size_t at = sg_coding_plain(m->coding) + i;
    sg_text_add(t, "    {\"of\": ");
    sg_text_json(t, m->coding->input[e->input].name);
    sg_model_number(t, "low", m->low[at]);
    sg_model_number(t, "high", m->high[at]);
    sg_model_number(t, "mean", m->input_mean[at]);
    write_list(t, "edges", e->edge, e->bins - 1);
    write_list(t, "bins", e->bin, e->bins);
    write_list(t, "values", e->value, e->values);
    write_list(t, "effects", e->own, e->values);
    sg_text_add(t, "}");
}

void sg_effects_write(sg_text *t, const sg_model *m)
{
    if (!m->coding || !m->coding->effects) return;
    sg_text_add(t, "  \"effects\": [\n");
    for (size_t i = 0; i < m->coding->effects; i++) {
        write_effect(t, m, i);
        sg_text_add(t, i + 1 < m->coding->effects ? ",\n" : "\n");
    }
    sg_text_add(t, "  ],\n");
}
