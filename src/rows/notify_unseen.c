/* notify_unseen.c: counts levels and values that did not occur in training, and sends notices about them. */
#include "rows/feature_source.h"

#include "base/memory.h"
#include "base/text.h"
#include "comm/collectives.h"

#include <stdlib.h>
#include <string.h>

/* --- levels --- */

enum { MAX_SHOWN = 5 }; /* maximum number of levels of each column that the notice lists */

/* Unknown levels of one category. */
typedef struct unseen_levels {
    const sg_level_map *map;
    size_t values, distinct; /* `distinct` stops counting at MAX_SHOWN + 1 */
    double first[MAX_SHOWN];
} unseen_levels;

typedef struct level_scan {
    const sg_source *source;
    size_t count;
    unseen_levels *column;
} level_scan;

static bool is_unseen(const sg_level_map *l, double number)
{
    return sg_level_map_find(l, number) >= (double)l->input->levels; /* false for NaN */
}

/* Returns whether the rows may contain unseen levels. The source's level texts are checked; a numeric column has none,
 * so its rows may contain any level. */
static bool may_have_unseen(const sg_level_map *l)
{
    if (l->input->pooled) return false;
    for (size_t i = 0; i < l->codes; i++)
        if (is_unseen(l, (double)i)) return true;
    return l->codes == 0;
}

static void add_level(unseen_levels *u, double number)
{
    u->values++;
    if (u->distinct > MAX_SHOWN) return;
    for (size_t i = 0; i < u->distinct; i++)
        if (u->first[i] == number) return;
    if (u->distinct < MAX_SHOWN) u->first[u->distinct] = number;
    u->distinct++;
}

static void merge_levels(unseen_levels *u, const unseen_levels *more)
{
    size_t values = u->values + more->values;
    for (size_t i = 0; i < more->distinct && i < MAX_SHOWN; i++) add_level(u, more->first[i]);
    if (more->distinct > MAX_SHOWN) u->distinct = MAX_SHOWN + 1;
    u->values = values;
}

static sg_status scan_rows(void *arg, const double *row, size_t rows)
{
    level_scan *s = arg;
    for (size_t i = 0; i < rows; i++, row += s->source->columns)
        for (size_t k = 0; k < s->count; k++) {
            double x = row[s->column[k].map->column];
            if (is_unseen(s->column[k].map, x)) add_level(&s->column[k], x);
        }
    return SG_OK;
}

static sg_status scan_all_ranks(level_scan *s)
{
    const sg_comm *comm = s->source->comm;
    sg_status st = sg_comm_agree_status(comm, sg_source_for_each_block(s->source, scan_rows, s));
    unseen_levels *all = sg_calloc(sg_comm_ranks(comm), sizeof *all);
    if (st == SG_OK && !all) st = sg_fail_out_of_memory("unseen values");
    for (size_t k = 0; st == SG_OK && k < s->count; k++) {
        unseen_levels *u = &s->column[k];
        st = sg_comm_allgather(comm, u, sizeof *u, all);
        *u = (unseen_levels){.map = u->map};
        for (size_t i = 0; st == SG_OK && i < sg_comm_ranks(comm); i++) merge_levels(u, &all[i]);
    }
    free(all);
    return st;
}

/* Appends, for example: 3 values of "colour" (red, blue, green) */
static void append_column(sg_text *t, const sg_source *s, const unseen_levels *u)
{
    char buf[SG_NUMBER_BUFFER_SIZE], shown[64];
    const char *what = t->length ? "of " : u->values == 1 ? "value of " : "values of ";
    sg_text_append_format(t, "%s%zu %s\"%s\" (", t->length ? ", " : "", u->values, what, u->map->input->name);
    for (size_t i = 0; i < u->distinct && i < MAX_SHOWN; i++) {
        const char *text = sg_level_map_text(u->map, s, u->first[i], buf);
        sg_text_append_format(t, "%s%s", i ? ", " : "", sg_quote_excerpt(text, strlen(text), shown, sizeof shown));
    }
    sg_text_append(t, u->distinct > MAX_SHOWN ? ", ...)" : ")");
}

static sg_status notify_levels(const sg_options *o, const level_scan *s, bool validation)
{
    sg_text list = {0};
    size_t all = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->column[i].values) append_column(&list, s->source, &s->column[i]);
        all += s->column[i].values;
    }
    if (all && !list.failed)
        sg_notice(o, "%s%s %s not seen in training: %s", list.bytes, validation ? " in the validation rows" : "",
                  all == 1 ? "was" : "were",
                  all == 1 ? "it is treated as an unknown level" : "they are treated as unknown levels");
    sg_status st = list.failed ? sg_fail(SG_ENOMEM, "out of memory while counting unseen values") : SG_OK;
    sg_text_release(&list);
    return st;
}

sg_status sg_notify_unseen_levels(const sg_options *o, const sg_encoded_source *e, bool validation)
{
    level_scan s = {.source = sg_encoded_source_base(e)};
    size_t categories = 0;
    const sg_level_map *l;
    while (sg_encoded_source_level_map(e, categories)) categories++;
    s.column = sg_calloc(categories, sizeof *s.column);
    if (!s.column) return sg_fail_out_of_memory("unseen values");
    for (size_t i = 0; (l = sg_encoded_source_level_map(e, i)); i++)
        if (may_have_unseen(l)) s.column[s.count++].map = l;
    sg_status st = s.count ? scan_all_ranks(&s) : SG_OK;
    if (st == SG_OK) st = notify_levels(o, &s, validation);
    free(s.column);
    return st;
}

/* --- values of effects --- */

typedef struct value_scan {
    const sg_source *source;
    const sg_encoder *encoder;
    const size_t *column;
    size_t *rows; /* (effects + 1): number of rows with an unlisted value of each effect, then of any */
} value_scan;

static sg_status count_rows(void *arg, const double *row, size_t rows)
{
    const value_scan *s = arg;
    size_t effects = s->encoder->effects;
    for (size_t i = 0; i < rows; i++, row += s->source->columns) {
        bool any = false;
        for (size_t k = 0; k < effects; k++) {
            const sg_effect *e = &s->encoder->effect[k];
            if (!sg_effect_is_unlisted(e, row[s->column[e->input]])) continue;
            s->rows[k]++;
            any = true;
        }
        s->rows[effects] += any;
    }
    return SG_OK;
}

static sg_status count_all_ranks(value_scan *s)
{
    const sg_comm *comm = s->source->comm;
    size_t n = s->encoder->effects + 1, ranks = sg_comm_ranks(comm), *all = sg_calloc(ranks, n * sizeof *all);
    sg_status st = all ? sg_source_for_each_block(s->source, count_rows, s) : sg_fail_out_of_memory("unseen values");
    st = sg_comm_agree_status(comm, st);
    if (st == SG_OK) st = sg_comm_allgather(comm, s->rows, n * sizeof *all, all);
    for (size_t k = 0; st == SG_OK && all && k < n; k++) {
        s->rows[k] = 0;
        for (size_t i = 0; i < ranks; i++) s->rows[k] += all[i * n + k];
    }
    free(all);
    return st;
}

static sg_status notify_values(const sg_options *o, const value_scan *s)
{
    size_t effects = s->encoder->effects, any = s->rows[effects];
    sg_text names = {0};
    for (size_t k = 0; k < effects; k++)
        if (s->rows[k])
            sg_text_append_format(&names, "%s\"%s\"", names.length ? ", " : "",
                                  s->encoder->input[s->encoder->effect[k].input].name);
    if (any && !names.failed)
        sg_notice(o,
                  "%zu of %zu rows have values of %s that occur in at most one training row: their effects are "
                  "estimated from nearby values and may be far off",
                  any, s->source->rows, names.bytes);
    sg_status st = names.failed ? sg_fail(SG_ENOMEM, "out of memory while counting unseen values") : SG_OK;
    sg_text_release(&names);
    return st;
}

sg_status sg_notify_unseen_values(const sg_options *o, const sg_source *rows, const sg_encoder *c, const size_t *column)
{
    size_t listed = 0;
    for (size_t k = 0; k < c->effects; k++) listed += c->effect[k].values;
    if (listed == 0) return SG_OK;
    value_scan s = {rows, c, column, sg_calloc(c->effects + 1, sizeof *s.rows)};
    if (!s.rows) return sg_fail_out_of_memory("unseen values");
    sg_status st = count_all_ranks(&s);
    if (st == SG_OK) st = notify_values(o, &s);
    free(s.rows);
    return st;
}
