/* check_levels.c: see check_levels.h. */
#include "predict/check_levels.h"

#include "base/memory.h"
#include "base/text.h"
#include "comm/comm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 5 }; /* of a column */

/* Of one category. */
typedef struct unseen_levels {
    const sg_level_map *map;
    size_t values, different; /* different: SHOWN + 1 says more than SHOWN */
    double first[MAX_SHOWN];
} unseen_levels;

static bool is_unseen(const sg_level_map *l, double number)
{
    return sg_level_map_find(l, number) >= (double)l->input->levels; /* false for NaN */
}

/* Texts say it without a look at the rows. */
static bool may_have_unseen(const sg_level_map *l)
{
    if (l->input->pooled) return false;
    for (size_t i = 0; i < l->codes; i++)
        if (is_unseen(l, (double)i)) return true;
    return l->codes == 0;
}

/* --- counting --- */

static void add_level(unseen_levels *u, double number)
{
    u->values++;
    if (u->different > MAX_SHOWN) return;
    for (size_t i = 0; i < u->different; i++)
        if (u->first[i] == number) return;
    if (u->different < MAX_SHOWN) u->first[u->different] = number;
    u->different++;
}

/* What another member of a team found follows. */
static void merge_unseen(unseen_levels *u, const unseen_levels *more)
{
    size_t values = u->values + more->values;
    for (size_t i = 0; i < more->different && i < MAX_SHOWN; i++) add_level(u, more->first[i]);
    if (more->different > MAX_SHOWN) u->different = MAX_SHOWN + 1;
    u->values = values;
}

typedef struct level_scan {
    const sg_source *of;
    size_t count;
    unseen_levels *column;
} level_scan;

static sg_status scan_rows(void *arg, const double *row, size_t rows)
{
    level_scan *s = arg;
    for (size_t i = 0; i < rows; i++, row += s->of->columns)
        for (size_t k = 0; k < s->count; k++) {
            double x = row[s->column[k].map->column];
            if (is_unseen(s->column[k].map, x)) add_level(&s->column[k], x);
        }
    return SG_OK;
}

/* Members of a team tell each other. */
static sg_status scan_all_ranks(level_scan *s)
{
    const sg_comm *team = s->of->comm;
    sg_status st = sg_comm_agree_status(team, sg_source_for_each_block(s->of, scan_rows, s));
    unseen_levels *all = sg_calloc(sg_comm_ranks(team), sizeof *all);
    if (st == SG_OK && !all) st = sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t k = 0; st == SG_OK && k < s->count; k++) {
        unseen_levels *u = &s->column[k];
        st = sg_comm_allgather(team, u, sizeof *u, all);
        *u = (unseen_levels){.map = u->map};
        for (size_t i = 0; st == SG_OK && i < sg_comm_ranks(team); i++) merge_unseen(u, &all[i]);
    }
    free(all);
    return st;
}

/* --- the sentence --- */

static void add_column(sg_text *t, const sg_source *of, const unseen_levels *u)
{
    char buf[SG_NUMBER_BUFFER_SIZE], shown[64];
    sg_text_append_format(t, "%zu %s\"%s\" (", u->values,
                          t->length        ? "of "
                          : u->values == 1 ? "value of "
                                           : "values of ",
                          u->map->input->name);
    for (size_t i = 0; i < u->different && i < MAX_SHOWN; i++) {
        const char *text = sg_level_map_text(u->map, of, u->first[i], buf);
        sg_text_append_format(t, "%s%s", i ? ", " : "", sg_quote_excerpt(text, strlen(text), shown, sizeof shown));
    }
    sg_text_append(t, u->different > MAX_SHOWN ? ", ...)" : ")");
}

static sg_status notify_unseen(const sg_options *o, const level_scan *s, bool validation)
{
    sg_text list = {0};
    size_t all = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!s->column[i].values) continue;
        if (all) sg_text_append(&list, ", ");
        add_column(&list, s->of, &s->column[i]);
        all += s->column[i].values;
    }
    if (all && !list.failed)
        sg_notice(o, "%s%s %s not seen in training: %s", list.bytes, validation ? " in the validation rows" : "",
                  all == 1 ? "was" : "were",
                  all == 1 ? "it counts as none of the levels" : "they count as none of the levels");
    sg_status st = list.failed ? sg_fail(SG_ENOMEM, "out of memory for a notice") : SG_OK;
    sg_text_release(&list);
    return st;
}

sg_status sg_check_levels(const sg_options *o, const sg_encoded_source *e, bool validation)
{
    level_scan s = {.of = sg_encoded_source_base(e)};
    size_t categories = 0;
    const sg_level_map *l;
    while (sg_encoded_source_level_map(e, categories)) categories++;
    s.column = sg_calloc(categories, sizeof *s.column);
    if (!s.column) return sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t i = 0; (l = sg_encoded_source_level_map(e, i)); i++)
        if (may_have_unseen(l)) s.column[s.count++].map = l;
    sg_status st = s.count ? scan_all_ranks(&s) : SG_OK;
    if (st == SG_OK) st = notify_unseen(o, &s, validation);
    free(s.column);
    return st;
}
