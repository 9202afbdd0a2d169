/* store.c: rows are appended here, and become a table at the end. See store.h. */
#include "data/store.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/date.h"
#include "data/names.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>

static void release_place(sg_cell_place *p)
{
    free(p->shown);
    free(p->file);
}

void sg_store_release(sg_store *s)
{
    for (size_t k = 0; s->tally && k < s->columns.read_count; k++) {
        sg_levels_release(&s->tally[k].levels);
        free(s->tally[k].is);
        release_place(&s->tally[k].at);
        release_place(&s->tally[k].coded);
    }
    free(s->tally);
    free(s->facts);
    free(s->values);
    sg_spool_free(s->spool);
    free(s->code);
    sg_columns_release(&s->columns);
    *s = (sg_store){0};
}

static sg_status no_memory(const sg_store *s)
{
    return sg_fail(SG_ENOMEM, "can't read %s: out of memory after %zu rows", s->columns.file, s->count);
}

static sg_status list_codes(sg_store *s)
{
    double code;
    while (sg_cell_code(s->columns.how->missing, s->codes, &code)) {
        if (!sg_grow(&s->code, &s->code_room, s->codes + 1, sizeof *s->code)) return no_memory(s);
        s->code[s->codes++] = code;
    }
    return SG_OK;
}

sg_status sg_store_start(sg_store *s, const char *file, const sg_csv_how *how, const sg_field *header, size_t count)
{
    sg_status st = sg_columns_choose(&s->columns, file, how, header, count);
    if (st != SG_OK) return st;
    s->numbering.is = s->columns.read_count && s->columns.reads[0] == 0;
    s->tally = sg_alloc(s->columns.read_count, sizeof *s->tally);
    s->word_limit = SG_LEVELS_BYTES;
    return s->tally ? list_codes(s) : no_memory(s);
}

void sg_store_drop(sg_store *s, size_t k)
{
    sg_columns *c = &s->columns;
    if (c->reads[k] == 0) s->numbering.is = false;
    c->used[c->reads[k]] = false;
    memmove(&c->reads[k], &c->reads[k + 1], (--c->read_count - k) * sizeof *c->reads);
}

/* --- rows --- */

/* The numbers of the whole file, if its rows are as long as those so far; 0: no idea. */
static size_t foreseen(const sg_store *s, double share)
{
    if (s->count < 1000 || !(share > 0)) return 0;
    double numbers = 1.05 * (double)s->count / share * (double)s->columns.read_count;
    return numbers < 1e15 ? (size_t)numbers : 0;
}

/* At once, where the file's size tells how much it will be: pages that are never touched cost
 * nothing, those that are moved do. */
static bool make_room(sg_store *s, size_t need, double share)
{
    size_t all = foreseen(s, share);
    if (all > need && sg_grow(&s->values, &s->room, all, sizeof *s->values)) return true;
    return sg_grow(&s->values, &s->room, need ? need : 1, sizeof *s->values);
}

/* Whether rows, as many as there are or will be, take more memory than they may. Room doubles. */
static bool is_too_much(const sg_store *s, size_t need, double share)
{
    size_t most = s->columns.how->memory / sizeof *s->values, all = foreseen(s, share);
    return s->columns.how->memory && (all > most || need > most / 2);
}

/* The names of the columns that are read. */
static sg_status open_spool(sg_store *s)
{
    const sg_columns *c = &s->columns;
    const char **names = sg_alloc(c->read_count, sizeof *names);
    for (size_t k = 0; names && k < c->read_count; k++) names[k] = c->names[c->reads[k]];
    sg_status st = names ? sg_spool_new(c->file, c->how->beside, names, c->read_count, &s->spool) : no_memory(s);
    free(names);
    return st;
}

/* All rows go to the file; from the first time on there is room for a few only. */
static sg_status spill(sg_store *s)
{
    enum { NUMBERS = 1 << 17 };
    size_t width = s->columns.read_count;
    bool first = !s->spool;
    sg_status st = first ? open_spool(s) : SG_OK;
    if (st == SG_OK) st = sg_spool_add(s->spool, s->values, s->count - s->spooled);
    if (st != SG_OK) return st;
    s->spooled = s->count;
    if (!first) return SG_OK;
    free(s->values);
    s->values = NULL;
    s->room = 0;
    return sg_grow(&s->values, &s->room, width > NUMBERS ? width : NUMBERS, sizeof *s->values) ? SG_OK : no_memory(s);
}

static bool is_stopped(sg_store *s)
{
    enum { ROWS = 1024 };
    if (s->count < s->ask) return false;
    s->ask = s->count + ROWS;
    return sg_options_stopped(s->columns.how->notify, s->count);
}

sg_status sg_store_row(sg_store *s, double share, double **row)
{
    size_t width = s->columns.read_count, filled = (s->count - s->spooled) * width; /* fits: the room for it is there */
    if (is_stopped(s)) return sg_fail(SG_EIO, "can't read %s: stopped after %zu rows", s->columns.file, s->count);
    if (sg_store_full(s)) {
        sg_status st = SG_OK;
        if (s->spool || (s->count && is_too_much(s, filled + width, share))) st = spill(s);
        else if (!make_room(s, filled + width, share)) st = no_memory(s);
        if (st != SG_OK) return st;
        filled = (s->count - s->spooled) * width;
    }
    *row = s->values + filled;
    return SG_OK;
}

sg_status sg_store_rows(sg_store *s, size_t n, double share, double **rows, size_t *got)
{
    size_t width = s->columns.read_count;
    sg_status st = sg_store_row(s, share, rows);
    if (st != SG_OK) return st;
    size_t fit = width ? s->room / width - (s->count - s->spooled) : n;
    *got = fit < n ? fit : n;
    return SG_OK;
}

/* Whether the rows are numbered by their first column is seen while they pass. */
static void count_rows(sg_store *s, const double *row)
{
    sg_numbering *n = &s->numbering;
    if (s->count == 0) n->from = row[0];
    n->is = s->count == 0 ? !isnan(row[0]) : row[0] == n->to + 1;
    n->to = row[0];
}

void sg_store_take(sg_store *s, double *row)
{
    for (size_t i = 0; i < s->codes; i++)
        for (size_t k = 0; k < s->columns.read_count; k++)
            if (row[k] == s->code[i]) {
                row[k] = NAN;
                s->tally[k].missing++;
            }
    if (s->numbering.is) count_rows(s, row);
    s->count++;
}

void sg_store_take_rows(sg_store *s, double *rows, size_t n)
{
    size_t i = 0, width = s->columns.read_count;
    for (; i < n && (s->codes || s->numbering.is); i++) sg_store_take(s, rows + i * width);
    s->count += n - i;
}

/* --- cells that are no numbers --- */

static sg_status note(sg_store *s, const sg_field *cell, sg_cell_place *p)
{
    char shown[48];
    p->shown = sg_copy(sg_quotable(cell->text, cell->length, shown, sizeof shown));
    p->file = sg_copy(s->columns.file);
    if (!p->shown || !p->file) return no_memory(s);
    p->order = ++s->noted;
    p->line = cell->line;
    return SG_OK;
}

static bool is_plain(const sg_field *cell)
{
    for (size_t i = 0; i < cell->length; i++)
        if ((unsigned char)cell->text[i] < 0x20 || cell->text[i] == 0x7f) return false;
    return true;
}

static sg_leveled level_of(sg_store *s, size_t k, const sg_field *cell, uint32_t *code)
{
    if (is_plain(cell)) return sg_store_level(s, k, cell->text, cell->length, code);
    sg_text text = {0};
    sg_level_plain(&text, cell->text, cell->length);
    sg_leveled got = text.failed ? SG_LEVEL_NO_MEMORY : sg_store_level(s, k, text.bytes, text.length, code);
    sg_text_release(&text);
    return got;
}

/* What a word counts as: found out for the first of its kind, and remembered with its level. */
enum { IS_NOTED = 1, IS_TEXT = 2, IS_DATE = 4 };

static void count_word(sg_column_tally *t, unsigned is)
{
    t->words++;
    t->texts += (is & IS_TEXT) != 0;
    t->dates += (is & IS_DATE) != 0;
}

/* A word that was there before: most are. */
static bool take_known(sg_column_tally *t, const sg_field *cell, double *to)
{
    double code = sg_levels_find(&t->levels, cell->text, cell->length);
    if (isnan(code) || code >= (double)t->is_room || !(t->is[(size_t)code] & IS_NOTED)) return false;
    count_word(t, t->is[(size_t)code]);
    *to = sg_word_box((uint32_t)code);
    return true;
}

static sg_status remember(sg_store *s, sg_column_tally *t, uint32_t code, unsigned is)
{
    size_t room = t->is_room;
    if (!sg_grow(&t->is, &t->is_room, code + 1, 1)) return no_memory(s);
    memset(t->is + room, 0, t->is_room - room);
    t->is[code] = (unsigned char)(is | IS_NOTED);
    return SG_OK;
}

/* A column of too many words holds no categories: its words need not be known any more. */
static sg_status take_word(sg_store *s, size_t k, const sg_field *cell, unsigned is, double *to)
{
    sg_column_tally *t = &s->tally[k];
    uint32_t code = 0;
    sg_status st = SG_OK;
    if (t->crowded) return SG_OK;
    sg_leveled got = level_of(s, k, cell, &code);
    if (got == SG_LEVEL_NO_MEMORY) return no_memory(s);
    if (got == SG_LEVEL_FULL) return SG_OK;
    if (got == SG_LEVEL_NEW && !t->coded.shown && !sg_is_utf8(cell->text, cell->length)) st = note(s, cell, &t->coded);
    if (st == SG_OK && is_plain(cell)) st = remember(s, t, code, is);
    *to = sg_word_box(code);
    return st;
}

sg_status sg_store_odd(sg_store *s, size_t k, const sg_field *cell, double *row)
{
    sg_column_tally *t = &s->tally[k];
    if (t->is && take_known(t, cell, &row[k])) return SG_OK;
    sg_cell what = sg_cell_kind(cell, s->columns.how->missing);
    row[k] = NAN;
    t->missing += what == SG_CELL_MISSING;
    if (what == SG_CELL_MISSING) return SG_OK;
    unsigned is = (what == SG_CELL_TEXT ? IS_TEXT : 0) | (sg_looks_like_date(cell->text, cell->length) ? IS_DATE : 0);
    sg_status st = SG_OK;
    count_word(t, is);
    if (!t->at.shown) {
        t->bad = what;
        st = note(s, cell, &t->at);
    }
    if (st != SG_OK) return st;
    if (s->columns.kind[s->columns.reads[k]] == SG_KIND_NUMBERS) return sg_store_complain(s, k);
    return take_word(s, k, cell, is, &row[k]);
}

/* --- the table --- */

static double code_in(const sg_levels *levels, double cell)
{
    uint32_t code;
    if (sg_word_is(cell, &code)) return (double)code;
    return isnan(cell) ? cell : sg_levels_find_number(levels, cell);
}

void sg_store_map(const sg_store *s, const double *row, double *to)
{
    for (size_t k = 0; k < s->columns.read_count; k++) {
        const sg_column_tally *t = &s->tally[k];
        if (!sg_store_keeps(s, k)) continue;
        *to++ = t->fate == SG_FATE_WORDS ? code_in(&t->levels, row[k]) : row[k];
    }
}

/* The names of the columns that are kept, then of the others, in file order; how many are kept. */
static size_t list_names(const sg_store *s, const char **names)
{
    const sg_columns *c = &s->columns;
    size_t kept = 0, others = 0;
    for (size_t k = 0; k < c->read_count; k++)
        if (sg_store_keeps(s, k)) names[kept++] = c->names[c->reads[k]];
    for (size_t i = 0, k = 0; i < c->count; i++) {
        bool kept_one = c->used[i] && sg_store_keeps(s, k);
        k += c->used[i];
        if (!kept_one) names[kept + others++] = c->names[i];
    }
    return kept;
}

/* NULL without a failure: no column holds words. */
static sg_levels *hand_over(sg_store *s, size_t kept, bool *failed)
{
    bool any = false;
    *failed = false;
    for (size_t k = 0; k < s->columns.read_count; k++) any |= s->tally[k].fate == SG_FATE_WORDS;
    if (!any) return NULL;
    sg_levels *levels = sg_alloc(kept, sizeof *levels), *to = levels;
    *failed = !levels;
    for (size_t k = 0; levels && k < s->columns.read_count; k++) {
        if (!sg_store_keeps(s, k)) continue;
        if (s->tally[k].fate == SG_FATE_WORDS) {
            *to = s->tally[k].levels;
            s->tally[k].levels = (sg_levels){0};
        }
        to++;
    }
    return levels;
}

/* Where all are numbers and none is left out, the values are those of the table. */
static bool is_same(const sg_store *s, size_t kept)
{
    bool same = kept == s->columns.read_count;
    for (size_t k = 0; k < s->columns.read_count; k++) same &= s->tally[k].fate == SG_FATE_NUMBERS;
    return same;
}

static void map_row(const void *arg, const double *row, double *to) { sg_store_map(arg, row, to); }

static sg_status finish_spool(sg_store *s, const char **names, size_t kept, sg_npy **out)
{
    sg_spool *spool = s->spool;
    sg_status st = spill(s);
    free(s->values);
    s->values = NULL;
    if (st == SG_OK && !is_same(s, kept)) st = sg_spool_rewrite(spool, map_row, s, kept);
    if (st != SG_OK) return st;
    s->spool = NULL;
    st = sg_spool_finish(spool, names, out);
    if (st == SG_OK) sg_npy_keep(*out, s->columns.how->memory); /* it may fit, without the columns that are left out */
    return st;
}

static void fit_values(sg_store *s, size_t kept)
{
    size_t width = s->columns.read_count, bytes = s->count * kept * sizeof *s->values; /* at most what is allocated */
    for (size_t i = 0; !is_same(s, kept) && i < s->count; i++)
        sg_store_map(s, s->values + i * width, s->values + i * kept);
    double *fitted = realloc(s->values, bytes ? bytes : 1);
    if (fitted) s->values = fitted;
}

static sg_status make_table(sg_store *s, const char *file, const char **names, sg_table **out)
{
    bool failed;
    sg_npy *spooled = NULL;
    size_t kept = list_names(s, names), others = s->columns.count - kept;
    if (s->columns.how->beside && !s->spool) {
        sg_status st = open_spool(s);
        if (st != SG_OK) return st;
    }
    if (s->spool) {
        sg_status st = finish_spool(s, names, kept, &spooled);
        if (st != SG_OK) return st;
    } else fit_values(s, kept);
    sg_levels *levels = hand_over(s, kept, &failed);
    if (failed) {
        sg_npy_free(spooled);
        return no_memory(s);
    }
    if (spooled) return sg_table_adopt_file(file, names, kept, others, spooled, levels, out);
    double *values = s->values;
    s->values = NULL;
    return sg_table_adopt(file, names, kept, others, values, levels, s->count, out);
}

sg_status sg_store_finish(sg_store *s, const char *file, sg_table **out)
{
    s->columns.file = file;
    sg_status st = sg_store_judge(s);
    if (st != SG_OK) return st;
    const char **names = sg_alloc(s->columns.count, sizeof *names);
    st = names ? make_table(s, file, names, out) : no_memory(s);
    free(names);
    return st;
}
