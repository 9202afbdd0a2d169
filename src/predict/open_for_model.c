/* open_for_model.c: files for a model: what it needs of them, each column as the kind that the model takes. */
#include "base/memory.h"
#include "data/dataset.h"
#include "predict/check_effects.h"
#include "predict/check_levels.h"
#include "predict/feature_encode.h"

#include <stdlib.h>

typedef struct columns {
    const char **name;
    bool *words;
    size_t count;
} columns;

static void append_column(columns *c, const char *name, bool words)
{
    c->name[c->count] = name;
    c->words[c->count++] = words;
}

static sg_status list_columns(const sg_model *m, bool targets, const char *weights, columns *c)
{
    size_t inputs = sg_model_inputs(m), outputs = targets ? m->outputs : 0;
    *c = (columns){sg_calloc(inputs + outputs + 1, sizeof *c->name), sg_calloc(inputs + outputs + 1, sizeof *c->words),
                   0};
    if (!c->name || !c->words) return sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t i = 0; i < inputs; i++) append_column(c, sg_model_input_name(m, i), sg_model_levels(m, i) > 0);
    for (size_t i = 0; i < outputs; i++) append_column(c, m->output_name[i], false);
    if (weights && *weights) append_column(c, weights, false);
    return SG_OK;
}

static sg_status notify_unknown_values(const sg_options *o, const sg_model *m, const sg_dataset *d)
{
    sg_source s = sg_dataset_source(d);
    sg_column_roles roles;
    sg_encoded_source *e = NULL;
    sg_status st = sg_features_find_columns(m, &s, false, NULL, &roles);
    if (st != SG_OK) return st;
    st = sg_check_effect_values(o, &s, m->encoder, roles.input);
    if (st == SG_OK) st = sg_features_encode_source(m->encoder, &s, &roles, &e);
    if (st == SG_OK) st = sg_check_levels(o, e, false);
    sg_encoded_source_free(e);
    sg_column_roles_release(&roles);
    return st;
}

/* The notice about levels. Takes d over, where it fails. */
static sg_status finish_open(sg_status st, const sg_options *o, const sg_model *m, columns *c, sg_dataset *d,
                             sg_dataset **out)
{
    if (st == SG_OK && m->encoder) st = notify_unknown_values(o, m, d);
    free(c->name);
    free(c->words);
    if (st == SG_OK) *out = d;
    else sg_dataset_free(d);
    return st;
}

sg_status sg_dataset_open_for_model(const char *const *paths, size_t count, const sg_options *o, const sg_model *m,
                                    int targets, const char *weights, sg_dataset **out)
{
    columns c;
    sg_dataset *d = NULL;
    sg_status st = list_columns(m, targets, weights, &c);
    if (st == SG_OK)
        st = sg_dataset_open_typed(paths, count, o, c.name, c.words, c.count, targets && !(weights && *weights), &d);
    return finish_open(st, o, m, &c, d, out);
}

sg_status sg_dataset_open_arrow_for_model(struct ArrowArrayStream *stream, const sg_source *beside, const sg_options *o,
                                          const sg_model *m, int targets, const char *weights, sg_dataset **out)
{
    columns c;
    sg_dataset *d = NULL;
    if (targets && beside && !(weights && *weights)) weights = beside->weight_column;
    sg_status st = list_columns(m, targets, weights, &c);
    if (st == SG_OK) st = sg_dataset_open_arrow_typed(stream, beside, o, c.name, c.words, c.count, &d);
    else sg_arrow_stream_release(stream);
    return finish_open(st, o, m, &c, d, out);
}
