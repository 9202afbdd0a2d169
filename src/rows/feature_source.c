/* feature_source.c: fits the encoder of categories and opens sources of features. */
#include "rows/feature_source.h"

#include "base/memory.h"
#include "base/text.h"
#include "comm/collectives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- counting values --- */

static sg_status fail_unknown_level(const sg_source *s, size_t column, double value)
{
    return sg_fail(SG_EDATA, "%s: categorical column \"%s\" contains %g, which is not a level index", sg_source_name(s),
                   s->names[column], value);
}

static sg_status fail_too_many_levels(const sg_source *s, size_t column)
{
    return sg_fail(
        SG_EDATA, "%s: column \"%s\" has more than %d distinct values, too many for a categorical column; use --ignore",
        sg_source_name(s), s->names[column], SG_VALUE_COUNTS_MAX);
}

static sg_status add_value(const sg_source *s, size_t column, double value, size_t rows, sg_value_counts *counts)
{
    if (sg_value_counts_add(counts, value, rows)) return SG_OK;
    if (counts->values >= SG_VALUE_COUNTS_MAX) return fail_too_many_levels(s, column);
    return sg_fail_out_of_memory("the levels of categories");
}

static sg_status count_block(const sg_source *s, const size_t *column, size_t columns, const double *row, size_t n,
                             sg_value_counts *counts)
{
    sg_status st = SG_OK;
    for (size_t i = 0; i < n; i++, row += s->columns)
        for (size_t k = 0; st == SG_OK && k < columns; k++)
            if (!isnan(row[column[k]])) st = add_value(s, column[k], row[column[k]], 1, &counts[k]);
    return st;
}

sg_status sg_features_count_values(const sg_source *s, const size_t *column, size_t columns, size_t first, size_t last,
                                   sg_value_counts *counts)
{
    enum { READ_ROWS = 64 };
    double *block = sg_calloc(s->columns, READ_ROWS * sizeof *block);
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while reading rows");
    for (size_t n; st == SG_OK && first < last; first += n) {
        n = last - first < READ_ROWS ? last - first : READ_ROWS;
        st = s->read(s->self, first, n, block);
        if (st == SG_OK) st = count_block(s, column, columns, block, n, counts);
    }
    free(block);
    return st;
}

/* Adds the counts of rank `from` to `all` on all ranks. Level codes are the same on all ranks. */
static sg_status bcast_counts(const sg_source *s, size_t column, size_t from, const sg_value_counts *mine,
                              sg_value_counts *all)
{
    const sg_comm *comm = s->comm;
    size_t n = mine->values;
    sg_status st = sg_comm_bcast(comm, from, &n, sizeof n);
    sg_value_count *list = st == SG_OK ? sg_calloc(n, sizeof *list) : NULL;
    if (st != SG_OK || !list) return st == SG_OK ? sg_fail_out_of_memory("the levels of categories") : st;
    for (size_t i = 0, k = 0; sg_comm_rank(comm) == from && i < mine->slots; i++)
        if (mine->slot[i].rows) list[k++] = mine->slot[i];
    st = sg_comm_bcast(comm, from, list, n * sizeof *list);
    for (size_t i = 0; st == SG_OK && i < n; i++) st = add_value(s, column, list[i].value, list[i].rows, all);
    free(list);
    return st;
}

static sg_status allgather_counts(const sg_source *s, const size_t *category, size_t n, sg_value_counts *counts)
{
    sg_status st = SG_OK;
    for (size_t k = 0; st == SG_OK && k < n; k++) {
        sg_value_counts all = {0};
        for (size_t i = 0; st == SG_OK && i < sg_comm_ranks(s->comm); i++)
            st = bcast_counts(s, category[k], i, &counts[k], &all);
        sg_value_counts_release(&counts[k]);
        counts[k] = all;
    }
    return st;
}

static sg_status count_all(const sg_source *s, const size_t *category, size_t n, sg_value_counts *counts)
{
    size_t first, last;
    sg_source_local_range(s, &first, &last);
    sg_status st = sg_comm_agree_status(s->comm, sg_features_count_values(s, category, n, first, last, counts));
    return st == SG_OK && s->comm ? allgather_counts(s, category, n, counts) : st;
}

/* --- fitting the encoder --- */

/* Stores the text of a level in *out. In a numeric column, that is the number itself, formatted in buf. */
static sg_status level_text(const sg_source *s, size_t column, double value, char buf[SG_NUMBER_BUFFER_SIZE],
                            const char **out)
{
    bool code = value >= 0 && value < (double)SIZE_MAX / 2 && value == floor(value);
    if (!sg_source_level(s, column, 0)) *out = sg_number_format_shortest(value, buf);
    else *out = code ? sg_source_level(s, column, (size_t)value) : NULL;
    return *out ? SG_OK : fail_unknown_level(s, column, value);
}

static sg_status add_category(const sg_source *s, size_t column, const sg_value_counts *t, sg_encoder *c)
{
    size_t n = 0;
    sg_level_count *count = sg_calloc(t->values, sizeof *count);
    char(*numbers)[SG_NUMBER_BUFFER_SIZE] = sg_calloc(t->values, sizeof *numbers);
    sg_status st = count && numbers ? SG_OK : sg_fail_out_of_memory("the levels of categories");
    for (size_t i = 0; st == SG_OK && i < t->slots; i++) {
        if (!t->slot[i].rows) continue;
        st = level_text(s, column, t->slot[i].value, numbers[n], &count[n].text);
        count[n++].rows = t->slot[i].rows;
    }
    if (st == SG_OK) st = sg_encoder_add_counted_category(c, s->names[column], count, n);
    free(count);
    free(numbers);
    return st;
}

/* counts holds one table for each category, in the order of the inputs. */
static sg_status make_encoder(const sg_options *o, const sg_source *s, sg_column_roles *roles,
                              const sg_value_counts *counts, sg_encoder *c)
{
    size_t kept = 0;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < roles->inputs; i++) {
        size_t column = roles->input[i];
        const sg_value_counts *t = sg_column_is_category(o, s, column) ? counts++ : NULL;
        if (t && t->values == 0) {
            sg_notice(o, "column \"%s\" has no values, so the model does not use it", s->names[column]);
            continue;
        }
        roles->input[kept++] = column;
        st = t ? add_category(s, column, t, c) : sg_encoder_add_number(c, s->names[column]);
    }
    roles->inputs = kept; /* roles->target keeps its place behind the original inputs */
    if (st == SG_OK && kept == 0)
        st = sg_fail(SG_EDATA, "%s: no input column has values, so there is nothing to learn from", sg_source_name(s));
    return st;
}

static sg_status fit_encoder(const sg_options *o, const sg_source *s, sg_column_roles *roles, const size_t *category,
                             size_t n, sg_encoder **out)
{
    sg_value_counts *counts = sg_calloc(n, sizeof *counts);
    sg_encoder *c = sg_encoder_new();
    sg_status st = counts && c ? SG_OK : sg_fail_out_of_memory("the levels of categories");
    if (st == SG_OK) st = count_all(s, category, n, counts);
    if (st == SG_OK) st = make_encoder(o, s, roles, counts, c);
    for (size_t i = 0; counts && i < n; i++) sg_value_counts_release(&counts[i]);
    free(counts);
    if (st == SG_OK) *out = c;
    else sg_encoder_free(c);
    return st;
}

sg_status sg_features_fit_encoder(const sg_options *o, const sg_source *s, sg_column_roles *roles, sg_encoder **out)
{
    size_t n = 0, *category = sg_calloc(roles->inputs, sizeof *category);
    if (!category) return sg_fail_out_of_memory("the list of columns");
    for (size_t i = 0; i < roles->inputs; i++)
        if (sg_column_is_category(o, s, roles->input[i])) category[n++] = roles->input[i];
    *out = NULL;
    sg_status st = n ? fit_encoder(o, s, roles, category, n, out) : SG_OK;
    free(category);
    return st;
}

/* --- columns of a model --- */

sg_status sg_features_find_columns(const sg_model *m, const sg_source *s, bool targets, const char *weights,
                                   sg_column_roles *out)
{
    size_t n = sg_model_inputs(m), outputs = targets ? m->outputs : 0;
    if (!m->encoder) return sg_column_roles_by_name(s, m->feature_name, n, m->output_name, outputs, weights, out);
    char **name = sg_calloc(n, sizeof *name);
    if (!name) return sg_fail_out_of_memory("the list of columns");
    for (size_t i = 0; i < n; i++) name[i] = m->encoder->input[i].name;
    sg_status st = sg_column_roles_by_name(s, name, n, m->output_name, outputs, weights, out);
    free(name);
    return st;
}

/* --- sources of features --- */

/* Sets the roles of the encoded columns, which are the features, the targets and the weight. */
static sg_status set_feature_roles(const sg_encoder *c, sg_column_roles *roles)
{
    size_t count = c->features + roles->targets, *input = sg_calloc(count, sizeof *input);
    if (!input) return sg_fail_out_of_memory("the list of columns");
    for (size_t i = 0; i < count; i++) input[i] = i;
    free(roles->input);
    roles->input = input;
    roles->inputs = c->features;
    roles->target = input + c->features;
    if (roles->weight != SG_NO_COLUMN) roles->weight = count;
    return SG_OK;
}

static sg_status check_numeric(const sg_source *s, const sg_column_roles *roles)
{
    sg_status st = SG_OK;
    for (size_t i = 0; s->level && st == SG_OK && i < roles->inputs; i++)
        st = sg_source_require_numeric(s, roles->input[i]);
    return st;
}

sg_status sg_features_encode_source_and(const sg_encoder *c, sg_source *s, sg_column_roles *roles, const size_t *extra,
                                        size_t count, sg_encoded_source **out)
{
    *out = NULL;
    if (!c) return check_numeric(s, roles);
    size_t n = roles->targets, *more = sg_calloc(n + 1 + count, sizeof *more);
    if (!more) return sg_fail_out_of_memory("the list of columns");
    if (n) memcpy(more, roles->target, n * sizeof *more);
    if (roles->weight != SG_NO_COLUMN) more[n++] = roles->weight;
    for (size_t i = 0; i < count; i++) more[n++] = extra[i];
    sg_status st = sg_encoded_source_new(s, c, roles->input, more, n, out);
    free(more);
    if (st == SG_OK) st = set_feature_roles(c, roles);
    if (st == SG_OK) *s = sg_encoded_source_rows(*out);
    return st;
}

sg_status sg_features_encode_source(const sg_encoder *c, sg_source *s, sg_column_roles *roles, sg_encoded_source **out)
{
    return sg_features_encode_source_and(c, s, roles, NULL, 0, out);
}

sg_status sg_feature_source_open(sg_feature_source *f, const sg_model *m, const sg_source *rows, bool targets,
                                 const char *weights)
{
    *f = (sg_feature_source){.source = *rows};
    sg_status st = sg_features_find_columns(m, rows, targets, weights, &f->columns);
    if (st != SG_OK) return st;
    st = sg_features_encode_source(m->encoder, &f->source, &f->columns, &f->encoded);
    if (st != SG_OK) sg_feature_source_close(f);
    return st;
}

void sg_feature_source_close(sg_feature_source *f)
{
    sg_encoded_source_free(f->encoded);
    sg_column_roles_release(&f->columns);
    *f = (sg_feature_source){0};
}

sg_status sg_feature_source_read(const sg_feature_source *f, size_t first, size_t n, double *x)
{
    enum { READ_ROWS = 64 };
    const size_t columns = f->source.columns;
    double *raw = sg_calloc(columns, READ_ROWS * sizeof *raw);
    sg_status st = raw ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while reading rows");
    for (size_t now; st == SG_OK && n > 0; first += now, n -= now) {
        now = n < READ_ROWS ? n : READ_ROWS;
        st = f->source.read(f->source.self, first, now, raw);
        for (size_t i = 0; st == SG_OK && i < now; i++)
            for (size_t k = 0; k < f->columns.inputs; k++) *x++ = raw[i * columns + f->columns.input[k]];
    }
    free(raw);
    return st;
}
