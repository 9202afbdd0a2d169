/* data_for.c: files for a model: what it needs of them, each column as the kind that the model takes. */
#include "base/memory.h"
#include "data/data.h"
#include "train/features.h"
#include "train/unlisted.h"
#include "train/unseen.h"

#include <stdlib.h>

typedef struct columns {
    const char **name;
    bool *words;
    size_t count;
} columns;

static void add(columns *c, const char *name, bool words)
{
    c->name[c->count] = name;
    c->words[c->count++] = words;
}

static sg_status list_columns(const sg_model *m, bool targets, const char *weights, columns *c)
{
    size_t inputs = sg_model_inputs(m), outputs = targets ? m->outputs : 0;
    *c =
        (columns){sg_alloc(inputs + outputs + 1, sizeof *c->name), sg_alloc(inputs + outputs + 1, sizeof *c->words), 0};
    if (!c->name || !c->words) return sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t i = 0; i < inputs; i++) add(c, sg_model_input_name(m, i), sg_model_levels(m, i) > 0);
    for (size_t i = 0; i < outputs; i++) add(c, m->output_name[i], false);
    if (weights && *weights) add(c, weights, false);
    return SG_OK;
}

static sg_status tell(const sg_options *o, const sg_model *m, const sg_data *d)
{
    sg_source s = sg_data_source(d);
    sg_roles roles;
    sg_expanded *e = NULL;
    sg_status st = sg_features_find(m, &s, false, NULL, &roles);
    if (st != SG_OK) return st;
    st = sg_tell_unlisted(o, &s, m->coding, roles.input);
    if (st == SG_OK) st = sg_features_open(m->coding, &s, &roles, &e);
    if (st == SG_OK) st = sg_tell_unseen(o, e, false);
    sg_expanded_free(e);
    sg_roles_release(&roles);
    return st;
}

/* The notice about levels. Takes d over, where it fails. */
static sg_status hand_out(sg_status st, const sg_options *o, const sg_model *m, columns *c, sg_data *d, sg_data **out)
{
    if (st == SG_OK && m->coding) st = tell(o, m, d);
    free(c->name);
    free(c->words);
    if (st == SG_OK) *out = d;
    else sg_data_free(d);
    return st;
}

sg_status sg_data_open_for(const char *const *paths, size_t count, const sg_options *o, const sg_model *m, int targets,
                           const char *weights, sg_data **out)
{
    columns c;
    sg_data *d = NULL;
    sg_status st = list_columns(m, targets, weights, &c);
    if (st == SG_OK)
        st = sg_data_open_kinds(paths, count, o, c.name, c.words, c.count, targets && !(weights && *weights), &d);
    return hand_out(st, o, m, &c, d, out);
}

sg_status sg_data_open_arrow_for(struct ArrowArrayStream *stream, const sg_source *beside, const sg_options *o,
                                 const sg_model *m, int targets, const char *weights, sg_data **out)
{
    columns c;
    sg_data *d = NULL;
    if (targets && beside && !(weights && *weights)) weights = beside->weights;
    sg_status st = list_columns(m, targets, weights, &c);
    if (st == SG_OK) st = sg_data_open_arrow_kinds(stream, beside, o, c.name, c.words, c.count, &d);
    else sg_arrow_release(stream);
    return hand_out(st, o, m, &c, d, out);
}
