/* features.c: see features.h. */
#include "train/features.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- counting --- */

static sg_status no_level(const sg_source *s, size_t column, double value)
{
    return sg_fail(SG_EDATA, "%s: column \"%s\" of categories holds %g, which is none of its levels", sg_source_name(s),
                   s->names[column], value);
}

static sg_status too_many(const sg_source *s, size_t column)
{
    return sg_fail(SG_EDATA,
                   "%s: column \"%s\" has more than %d different values, too many for a category; --ignore it",
                   sg_source_name(s), s->names[column], SG_TALLY_MOST);
}

static sg_status add_value(const sg_source *s, size_t column, double value, size_t rows, sg_tally *tally)
{
    if (sg_tally_add(tally, value, rows)) return SG_OK;
    if (tally->values >= SG_TALLY_MOST) return too_many(s, column);
    return sg_fail(SG_ENOMEM, "out of memory for the levels of categories");
}

static sg_status count_block(const sg_source *s, const size_t *column, size_t columns, const double *row, size_t n,
                             sg_tally *tally)
{
    sg_status st = SG_OK;
    for (size_t i = 0; i < n; i++, row += s->columns)
        for (size_t k = 0; st == SG_OK && k < columns; k++)
            if (!isnan(row[column[k]])) st = add_value(s, column[k], row[column[k]], 1, &tally[k]);
    return st;
}

sg_status sg_features_count(const sg_source *s, const size_t *column, size_t columns, size_t first, size_t last,
                            sg_tally *tally)
{
    enum { ROWS = 64 };
    double *block = sg_alloc(s->columns, ROWS * sizeof *block);
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t n; st == SG_OK && first < last; first += n) {
        n = last - first < ROWS ? last - first : ROWS;
        st = s->read(s->self, first, n, block);
        if (st == SG_OK) st = count_block(s, column, columns, block, n, tally);
    }
    free(block);
    return st;
}

/* What one member of a team counted, told to all: codes are the same with all of them. */
static sg_status tell_tally(const sg_source *s, size_t column, size_t from, const sg_tally *mine, sg_tally *all)
{
    const sg_team *team = s->team;
    size_t n = mine->values;
    sg_status st = sg_team_share(team, from, &n, sizeof n);
    sg_tallied *list = st == SG_OK ? sg_alloc(n, sizeof *list) : NULL;
    if (st != SG_OK || !list)
        return st == SG_OK ? sg_fail(SG_ENOMEM, "out of memory for the levels of categories") : st;
    for (size_t i = 0, k = 0; sg_team_rank(team) == from && i < mine->places; i++)
        if (mine->place[i].rows) list[k++] = mine->place[i];
    st = sg_team_share(team, from, list, n * sizeof *list);
    for (size_t i = 0; st == SG_OK && i < n; i++) st = add_value(s, column, list[i].value, list[i].rows, all);
    free(list);
    return st;
}

static sg_status count_together(const sg_source *s, const size_t *category, size_t n, sg_tally *tally)
{
    sg_status st = SG_OK;
    for (size_t k = 0; st == SG_OK && k < n; k++) {
        sg_tally all = {0};
        for (size_t i = 0; st == SG_OK && i < sg_team_ranks(s->team); i++)
            st = tell_tally(s, category[k], i, &tally[k], &all);
        sg_tally_release(&tally[k]);
        tally[k] = all;
    }
    return st;
}

static sg_status count_all(const sg_source *s, const size_t *category, size_t n, sg_tally *tally)
{
    size_t first, last;
    sg_source_range(s, &first, &last);
    sg_status st = sg_team_agree(s->team, sg_features_count(s, category, n, first, last, tally));
    return st == SG_OK && s->team ? count_together(s, category, n, tally) : st;
}

/* --- from counts to a coding --- */

/* The text of a value: that of the source, or the number itself, which needs buf. */
static sg_status text_of(const sg_source *s, size_t column, double value, char buf[SG_NUMBER_SIZE], const char **out)
{
    bool code = value >= 0 && value < (double)SIZE_MAX / 2 && value == floor(value);
    if (!sg_source_level(s, column, 0)) *out = sg_number_shortest(value, buf);
    else *out = code ? sg_source_level(s, column, (size_t)value) : NULL;
    return *out ? SG_OK : no_level(s, column, value);
}

static sg_status add_category(const sg_source *s, size_t column, const sg_tally *t, sg_coding *c)
{
    size_t n = 0;
    sg_level_count *count = sg_alloc(t->values, sizeof *count);
    char(*numbers)[SG_NUMBER_SIZE] = sg_alloc(t->values, sizeof *numbers);
    sg_status st = count && numbers ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for the levels of categories");
    for (size_t i = 0; st == SG_OK && i < t->places; i++) {
        if (!t->place[i].rows) continue;
        st = text_of(s, column, t->place[i].value, numbers[n], &count[n].text);
        count[n++].rows = t->place[i].rows;
    }
    if (st == SG_OK) st = sg_coding_counted(c, s->names[column], count, n);
    free(count);
    free(numbers);
    return st;
}

/* tally: one for each category, in the order of the inputs. */
static sg_status make_coding(const sg_options *o, const sg_source *s, sg_roles *roles, const sg_tally *tally,
                             sg_coding *c)
{
    size_t kept = 0;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < roles->inputs; i++) {
        size_t column = roles->input[i];
        const sg_tally *t = sg_is_category(o, s, column) ? tally++ : NULL;
        if (t && t->values == 0) {
            sg_notice(o, "column \"%s\" has no values: trained without it", s->names[column]);
            continue;
        }
        roles->input[kept++] = column;
        st = t ? add_category(s, column, t, c) : sg_coding_number(c, s->names[column]);
    }
    roles->inputs = kept; /* the targets stay where they are, further on */
    if (st == SG_OK && kept == 0)
        st = sg_fail(SG_EDATA, "%s: no input column has values: there is nothing to learn from", sg_source_name(s));
    return st;
}

static sg_status count_and_make(const sg_options *o, const sg_source *s, sg_roles *roles, const size_t *category,
                                size_t n, sg_coding **out)
{
    sg_tally *tally = sg_alloc(n, sizeof *tally);
    sg_coding *c = sg_coding_new();
    sg_status st = tally && c ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for the levels of categories");
    if (st == SG_OK) st = count_all(s, category, n, tally);
    if (st == SG_OK) st = make_coding(o, s, roles, tally, c);
    for (size_t i = 0; tally && i < n; i++) sg_tally_release(&tally[i]);
    free(tally);
    if (st == SG_OK) *out = c;
    else sg_coding_free(c);
    return st;
}

sg_status sg_features_fit(const sg_options *o, const sg_source *s, sg_roles *roles, sg_coding **out)
{
    size_t n = 0, *category = sg_alloc(roles->inputs, sizeof *category);
    if (!category) return sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t i = 0; i < roles->inputs; i++)
        if (sg_is_category(o, s, roles->input[i])) category[n++] = roles->input[i];
    *out = NULL;
    sg_status st = n ? count_and_make(o, s, roles, category, n, out) : SG_OK;
    free(category);
    return st;
}

/* --- for a model --- */

sg_status sg_features_find(const sg_model *m, const sg_source *s, bool targets, const char *weights, sg_roles *out)
{
    size_t n = sg_model_inputs(m), outputs = targets ? m->outputs : 0;
    if (!m->coding) return sg_roles_named(s, m->input_name, n, m->output_name, outputs, weights, out);
    char **name = sg_alloc(n, sizeof *name);
    if (!name) return sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t i = 0; i < n; i++) name[i] = m->coding->input[i].name;
    sg_status st = sg_roles_named(s, name, n, m->output_name, outputs, weights, out);
    free(name);
    return st;
}

/* --- as a source --- */

/* Features, targets, weight. */
static sg_status roles_of_features(const sg_coding *c, sg_roles *roles)
{
    size_t count = c->features + roles->targets, *input = sg_alloc(count, sizeof *input);
    if (!input) return sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t i = 0; i < count; i++) input[i] = i;
    free(roles->input);
    roles->input = input;
    roles->inputs = c->features;
    roles->target = input + c->features;
    if (roles->weight != SG_NO_COLUMN) roles->weight = count;
    return SG_OK;
}

static sg_status expect_numbers(const sg_source *s, const sg_roles *roles)
{
    sg_status st = SG_OK;
    for (size_t i = 0; s->level && st == SG_OK && i < roles->inputs; i++) st = sg_source_numbers(s, roles->input[i]);
    return st;
}

sg_status sg_features_open(const sg_coding *c, sg_source *s, sg_roles *roles, sg_expanded **out)
{
    *out = NULL;
    if (!c) return expect_numbers(s, roles);
    size_t n = roles->targets, *more = sg_alloc(n + 1, sizeof *more);
    if (!more) return sg_fail(SG_ENOMEM, "out of memory for columns");
    if (n) memcpy(more, roles->target, n * sizeof *more);
    if (roles->weight != SG_NO_COLUMN) more[n++] = roles->weight;
    sg_status st = sg_expanded_new(s, c, roles->input, more, n, out);
    free(more);
    if (st == SG_OK) st = roles_of_features(c, roles);
    if (st == SG_OK) *s = sg_expanded_source(*out);
    return st;
}
