/* open_for_model.c: opens data files and Arrow streams with the columns of a model, through the public API. */
#include "base/memory.h"
#include "data/dataset_open.h"
#include "rows/feature_source.h"

#include <stdlib.h>

typedef struct column_list {
    const char **name;
    bool *categorical;
    size_t count;
} column_list;

static void append_column(column_list *c, const char *name, bool categorical)
{
    c->name[c->count] = name;
    c->categorical[c->count++] = categorical;
}

static sg_status list_columns(const sg_model *m, bool targets, const char *weights, column_list *c)
{
    size_t inputs = sg_model_inputs(m), outputs = targets ? m->outputs : 0, most = inputs + outputs + 1;
    *c = (column_list){sg_calloc(most, sizeof *c->name), sg_calloc(most, sizeof *c->categorical), 0};
    if (!c->name || !c->categorical) return sg_fail_out_of_memory("the list of columns");
    for (size_t i = 0; i < inputs; i++) append_column(c, sg_model_input_name(m, i), sg_model_levels(m, i) > 0);
    for (size_t i = 0; i < outputs; i++) append_column(c, m->output_name[i], false);
    if (weights && *weights) append_column(c, weights, false);
    return SG_OK;
}

static sg_status notify_unseen(const sg_options *o, const sg_model *m, const sg_dataset *d)
{
    sg_source s = sg_dataset_source(d);
    sg_column_roles roles;
    sg_encoded_source *e = NULL;
    sg_status st = sg_features_find_columns(m, &s, false, NULL, &roles);
    if (st != SG_OK) return st;
    st = sg_notify_unseen_values(o, &s, m->encoder, roles.input);
    if (st == SG_OK) st = sg_features_encode_source(m->encoder, &s, &roles, &e);
    if (st == SG_OK) st = sg_notify_unseen_levels(o, e, false);
    sg_encoded_source_free(e);
    sg_column_roles_release(&roles);
    return st;
}

/* Sends notices about unseen values and frees the lists in c. Stores d in *out, or frees it on failure. */
static sg_status notify_and_return_dataset(sg_status st, const sg_options *o, const sg_model *m, column_list *c,
                                           sg_dataset *d, sg_dataset **out)
{
    if (st == SG_OK && m->encoder) st = notify_unseen(o, m, d);
    free(c->name);
    free(c->categorical);
    if (st == SG_OK) *out = d;
    else sg_dataset_free(d);
    return st;
}

sg_status sg_dataset_open_for_model(const char *const *paths, size_t count, const sg_options *o, const sg_model *m,
                                    int targets, const char *weights, sg_dataset **out)
{
    column_list c;
    sg_dataset *d = NULL;
    bool has_weights = weights && *weights;
    sg_status st = list_columns(m, targets, weights, &c);
    if (st == SG_OK)
        st = sg_dataset_open_typed(paths, count, o, c.name, c.categorical, c.count, targets && !has_weights, &d);
    return notify_and_return_dataset(st, o, m, &c, d, out);
}

sg_status sg_dataset_open_arrow_for_model(struct ArrowArrayStream *stream, const sg_source *extra, const sg_options *o,
                                          const sg_model *m, int targets, const char *weights, sg_dataset **out)
{
    column_list c;
    sg_dataset *d = NULL;
    if (targets && extra && !(weights && *weights)) weights = extra->weight_column;
    sg_status st = list_columns(m, targets, weights, &c);
    if (st == SG_OK) st = sg_dataset_open_arrow_typed(stream, extra, o, c.name, c.categorical, c.count, &d);
    else sg_arrow_stream_release(stream);
    return notify_and_return_dataset(st, o, m, &c, d, out);
}
