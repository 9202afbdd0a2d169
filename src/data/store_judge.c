/* store_judge.c: what a column holds. A word in a column of words is what it is made of, in any other a
 * mistake in the file. Which of the two a column is shows at the end only. */
#include "data/store.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "data/names.h"
#include "data/team_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *name_of(const sg_store *s, size_t k, char *buf, size_t size)
{
    const char *name = s->columns.names[s->columns.reads[k]];
    return sg_quotable(name, strlen(name), buf, size);
}

/* Its column in the file, from 1. */
static size_t place_of(const sg_store *s, size_t k)
{
    size_t column = s->columns.reads[k];
    return 1 + (s->columns.place ? s->columns.place[column] : column);
}

/* What stands behind the file: `:17:3`, or `: row 17`. */
static const char *cell_at(const sg_store *s, const sg_cell_place *at, size_t k, char *buf, size_t size)
{
    if (s->columns.by_row) snprintf(buf, size, ": row %zu", at->line);
    else snprintf(buf, size, ":%zu:%zu", at->line, place_of(s, k));
    return buf;
}

static sg_kind kind_of(const sg_store *s, size_t k) { return s->columns.kind[s->columns.reads[k]]; }

/* --- mistakes --- */

sg_status sg_store_complain(const sg_store *s, size_t k)
{
    const sg_column_tally *t = &s->tally[k];
    char name[64], at[64];
    return sg_fail(SG_EDATA, "%s%s: \"%s\" is %s (column \"%s\")%s", t->at.file, cell_at(s, &t->at, k, at, sizeof at),
                   t->at.shown, t->bad == SG_CELL_RANGE ? "out of range" : "not a number",
                   name_of(s, k, name, sizeof name),
                   t->bad == SG_CELL_COMMAS ? "; the decimal sign must be a point" : "");
}

/* Of all columns of numbers the first cell that is none. */
static sg_status check_numbers(const sg_store *s)
{
    size_t first = s->columns.read_count;
    for (size_t k = 0; k < s->columns.read_count; k++) {
        const sg_column_tally *t = &s->tally[k];
        if (t->fate != SG_FATE_NUMBERS || !t->at.shown) continue;
        if (first == s->columns.read_count || t->at.order < s->tally[first].at.order) first = k;
    }
    return first < s->columns.read_count ? sg_store_complain(s, first) : SG_OK;
}

/* Levels are printed, and written into models. */
static sg_status check_words(const sg_store *s)
{
    char name[64], at[64];
    for (size_t k = 0; k < s->columns.read_count; k++) {
        const sg_column_tally *t = &s->tally[k];
        if (t->fate != SG_FATE_WORDS) continue;
        name_of(s, k, name, sizeof name);
        if (t->crowded)
            return sg_fail(SG_EDATA,
                           "%s: column \"%s\" has more than %d different words, or too long ones, for categories",
                           s->columns.file, name, SG_LEVELS_MOST);
        if (t->coded.shown)
            return sg_fail(SG_EDATA, "%s%s: \"%s\" is not UTF-8 (column \"%s\")%s", t->coded.file,
                           cell_at(s, &t->coded, k, at, sizeof at), t->coded.shown, name,
                           s->columns.by_row ? "" : "; convert the file, for example with: iconv -f latin1 -t utf-8");
    }
    return SG_OK;
}

/* --- fates --- */

/* Most words occur once, and there are many: they say which row it is, not what it is like. */
int sg_words_identify(size_t words, size_t levels)
{
    enum { FEW = 20 };
    return levels > FEW && levels > words / 2;
}

static bool identifies(const sg_facts *f) { return f->crowded || sg_words_identify(f->words, f->levels); }

/* The first column is a numbering of the rows, as some programs write it in front. Who reads without options gets
 * all numbers there are: nobody could say otherwise. */
static bool numbers_rows(const sg_store *s)
{
    enum { MANY = 20 };
    const sg_csv_how *how = s->columns.how;
    const sg_numbering *n = &s->numbering;
    return how->notify && !how->wanted && n->is && (n->from == 0 || n->from == 1) && s->facts->rows > MANY &&
           kind_of(s, 0) == SG_KIND_JUDGED;
}

sg_facts sg_facts_of(const sg_column_tally *t, size_t rows)
{
    return (sg_facts){.rows = rows,
                      .missing = t->missing,
                      .texts = t->texts,
                      .words = t->words,
                      .dates = t->dates,
                      .levels = t->levels.count,
                      .bytes = sg_levels_bytes(&t->levels),
                      .crowded = t->crowded};
}

sg_fate sg_fate_of_words(const sg_facts *f, bool kept)
{
    if (kept) return SG_FATE_WORDS;
    if (f->dates > f->words / 2) return SG_FATE_DATES;
    return identifies(f) ? SG_FATE_IDENTIFIERS : SG_FATE_WORDS;
}

static sg_fate fate_of(const sg_store *s, size_t k)
{
    const sg_facts *f = &s->facts[k];
    sg_kind kind = kind_of(s, k);
    bool wanted = s->columns.how->wanted || kind == SG_KIND_KEPT;
    if (kind == SG_KIND_DATES && !wanted) return SG_FATE_DATES;
    if (kind == SG_KIND_SPARE && !wanted) return SG_FATE_SPARE;
    if (f->missing == f->rows && !wanted) return SG_FATE_EMPTY;
    if (kind == SG_KIND_WORDS || kind == SG_KIND_DECLARED || kind == SG_KIND_DATES) return SG_FATE_WORDS;
    if (kind == SG_KIND_NUMBERS || f->texts <= (f->rows - f->missing) / 2) return SG_FATE_NUMBERS;
    return sg_fate_of_words(f, wanted);
}

/* --- numbers among words --- */

static bool has_numbers(const sg_store *s, const sg_column_tally *t)
{
    return t->fate == SG_FATE_WORDS && t->words + t->missing < s->count;
}

static sg_status add_number(sg_store *s, size_t k, double cell)
{
    uint32_t code;
    char text[SG_NUMBER_SIZE];
    if (s->tally[k].crowded || isnan(cell)) return SG_OK;
    sg_level_number(cell, text);
    if (sg_store_level(s, k, text, strlen(text), &code) != SG_LEVEL_NO_MEMORY) return SG_OK;
    return sg_fail(SG_ENOMEM, "can't read %s: out of memory", s->columns.file);
}

static sg_status see_rows(void *arg, const double *values, size_t rows)
{
    sg_store *s = arg;
    sg_status st = SG_OK;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; st == SG_OK && k < s->columns.read_count; k++, values++)
            if (has_numbers(s, &s->tally[k])) st = add_number(s, k, *values);
    return st;
}

/* Numbers of a column of words are levels like the others; only now they are known to be. Rows may lie in a file. */
static sg_status add_all_numbers(sg_store *s)
{
    bool any = false;
    for (size_t k = 0; k < s->columns.read_count; k++) any = any || has_numbers(s, &s->tally[k]);
    if (!any) return SG_OK;
    sg_status st = s->spool ? sg_spool_walk(s->spool, see_rows, s) : SG_OK;
    return st == SG_OK ? see_rows(s, s->values, s->count - s->spooled) : st;
}

/* With these there may be too many of them. */
static void judge_crowded(sg_store *s)
{
    for (size_t k = 0; k < s->columns.read_count; k++) {
        sg_column_tally *t = &s->tally[k];
        bool judged = kind_of(s, k) == SG_KIND_JUDGED && !s->columns.how->wanted;
        if (t->fate == SG_FATE_WORDS && t->crowded && judged) t->fate = SG_FATE_IDENTIFIERS;
    }
}

/* --- notices --- */

static sg_status tell(const sg_store *s, const char *what, sg_fate fate)
{
    const sg_columns *c = &s->columns;
    sg_text list = {0};
    bool *which = calloc(c->count + 1, sizeof *which);
    if (!which) return sg_fail(SG_ENOMEM, "can't read %s: out of memory", c->file);
    for (size_t k = 0; k < c->read_count; k++) which[c->reads[k]] = s->tally[k].fate == fate;
    sg_names_list(c->names, which, c->count, &list);
    if (list.length && !list.failed) sg_notice(c->how->notify, "left out %s: %s", what, list.bytes);
    sg_text_release(&list);
    free(which);
    return SG_OK;
}

static const struct {
    sg_fate fate;
    const char *what;
} notices[] = {
    {SG_FATE_DATES, "dates"},
    {SG_FATE_IDENTIFIERS, "identifiers"},
    {SG_FATE_EMPTY, "columns without values"},
};

static size_t kept(const sg_store *s)
{
    size_t n = 0;
    for (size_t k = 0; k < s->columns.read_count; k++) n += sg_store_keeps(s, k);
    return n;
}

static sg_status find_facts(sg_store *s)
{
    size_t n = s->columns.read_count;
    const sg_team *team = s->columns.how->team;
    s->facts = sg_alloc(n, sizeof *s->facts);
    for (size_t k = 0; s->facts && k < n; k++) s->facts[k] = sg_facts_of(&s->tally[k], s->count);
    sg_status st = s->facts ? SG_OK : sg_fail(SG_ENOMEM, "can't read %s: out of memory", s->columns.file);
    st = sg_team_agree(team, st);
    return st == SG_OK && team ? sg_team_facts(team, s) : st;
}

/* What a team's members find each in their own rows, all know afterwards. */
static sg_status check_cells(sg_store *s)
{
    const sg_team *team = s->columns.how->team;
    sg_status st = check_numbers(s);
    if (st == SG_OK) st = add_all_numbers(s);
    st = sg_team_agree(team, st);
    if (st == SG_OK && team) st = sg_team_crowded(team, s);
    if (st != SG_OK) return st;
    judge_crowded(s);
    return sg_team_agree(team, check_words(s));
}

sg_status sg_store_judge(sg_store *s)
{
    sg_status st = find_facts(s);
    for (size_t k = 0; st == SG_OK && k < s->columns.read_count; k++) s->tally[k].fate = fate_of(s, k);
    if (st == SG_OK) st = check_cells(s);
    if (st != SG_OK) return st;
    /* A numbering of the rows is left out where there is something else to learn from. */
    if (kept(s) > 2 && numbers_rows(s)) s->tally[0].fate = SG_FATE_IDENTIFIERS;
    if (kept(s) == 0 && !s->columns.how->wanted)
        return sg_fail(SG_EDATA, "%s: no column of numbers or categories is left", s->columns.file);
    for (size_t i = 0; st == SG_OK && i < sizeof notices / sizeof *notices; i++)
        st = tell(s, notices[i].what, notices[i].fate);
    return st;
}
