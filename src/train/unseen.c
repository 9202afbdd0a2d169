/* unseen.c: see unseen.h. */
#include "train/unseen.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 5 }; /* of a column */

/* Of one category. */
typedef struct unseen {
    const sg_level_map *map;
    size_t values, different; /* different: SHOWN + 1 says more than SHOWN */
    double first[SHOWN];
} unseen;

static bool is_unseen(const sg_level_map *l, double number)
{
    return sg_level_map_find(l, number) >= (double)l->input->levels; /* false for NaN */
}

/* Texts say it without a look at the rows. */
static bool may_be(const sg_level_map *l)
{
    if (l->input->pooled) return false;
    for (size_t i = 0; i < l->codes; i++)
        if (is_unseen(l, (double)i)) return true;
    return l->codes == 0;
}

/* --- counting --- */

static void note(unseen *u, double number)
{
    u->values++;
    if (u->different > SHOWN) return;
    for (size_t i = 0; i < u->different; i++)
        if (u->first[i] == number) return;
    if (u->different < SHOWN) u->first[u->different] = number;
    u->different++;
}

/* What another member of a team found follows. */
static void add(unseen *u, const unseen *more)
{
    size_t values = u->values + more->values;
    for (size_t i = 0; i < more->different && i < SHOWN; i++) note(u, more->first[i]);
    if (more->different > SHOWN) u->different = SHOWN + 1;
    u->values = values;
}

typedef struct search {
    const sg_source *of;
    size_t count;
    unseen *column;
} search;

static sg_status look(void *arg, const double *row, size_t rows)
{
    search *s = arg;
    for (size_t i = 0; i < rows; i++, row += s->of->columns)
        for (size_t k = 0; k < s->count; k++) {
            double x = row[s->column[k].map->column];
            if (is_unseen(s->column[k].map, x)) note(&s->column[k], x);
        }
    return SG_OK;
}

/* Members of a team tell each other. */
static sg_status look_together(search *s)
{
    const sg_team *team = s->of->team;
    sg_status st = sg_team_agree(team, sg_source_walk(s->of, look, s));
    unseen *all = sg_alloc(sg_team_ranks(team), sizeof *all);
    if (st == SG_OK && !all) st = sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t k = 0; st == SG_OK && k < s->count; k++) {
        unseen *u = &s->column[k];
        st = sg_team_all(team, u, sizeof *u, all);
        *u = (unseen){.map = u->map};
        for (size_t i = 0; st == SG_OK && i < sg_team_ranks(team); i++) add(u, &all[i]);
    }
    free(all);
    return st;
}

/* --- the sentence --- */

static void add_column(sg_text *t, const sg_source *of, const unseen *u)
{
    char buf[SG_NUMBER_SIZE], shown[64];
    sg_text_format(t, "%zu %s\"%s\" (", u->values,
                   t->length        ? "of "
                   : u->values == 1 ? "value of "
                                    : "values of ",
                   u->map->input->name);
    for (size_t i = 0; i < u->different && i < SHOWN; i++) {
        const char *text = sg_level_map_text(u->map, of, u->first[i], buf);
        sg_text_format(t, "%s%s", i ? ", " : "", sg_quotable(text, strlen(text), shown, sizeof shown));
    }
    sg_text_add(t, u->different > SHOWN ? ", ...)" : ")");
}

static sg_status tell(const sg_options *o, const search *s, bool validation)
{
    sg_text list = {0};
    size_t all = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!s->column[i].values) continue;
        if (all) sg_text_add(&list, ", ");
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

sg_status sg_tell_unseen(const sg_options *o, const sg_expanded *e, bool validation)
{
    search s = {.of = sg_expanded_of(e)};
    size_t categories = 0;
    const sg_level_map *l;
    while (sg_expanded_levels(e, categories)) categories++;
    s.column = sg_alloc(categories, sizeof *s.column);
    if (!s.column) return sg_fail(SG_ENOMEM, "out of memory for columns");
    for (size_t i = 0; (l = sg_expanded_levels(e, i)); i++)
        if (may_be(l)) s.column[s.count++].map = l;
    sg_status st = s.count ? look_together(&s) : SG_OK;
    if (st == SG_OK) st = tell(o, &s, validation);
    free(s.column);
    return st;
}
