/* expanded.c: see expanded.h. */
#include "data/expanded.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 }; /* numbers of the source on a thread's stack */

struct sg_expanded {
    sg_source of;
    const sg_coding *coding;
    const sg_effect_folds *folds; /* or NULL                               */
    size_t columns, categories, more_count;
    char **name;           /* (columns)                             */
    size_t *column, *more; /* (inputs), (more_count): in the source */
    sg_level_map *levels;  /* (categories)                          */
    double *wide;          /* one row of a source that has more than BLOCK columns, for who holds the lock */
    pthread_mutex_t lock;
};

void sg_expanded_free(sg_expanded *e)
{
    if (!e) return;
    for (size_t i = 0; e->name && i < e->columns; i++) free(e->name[i]);
    for (size_t i = 0; e->levels && i < e->categories; i++) free(e->levels[i].level);
    free(e->name);
    free(e->column);
    free(e->more);
    free(e->levels);
    free(e->wide);
    pthread_mutex_destroy(&e->lock);
    free(e);
}

/* --- levels --- */

const char *sg_source_level(const sg_source *s, size_t column, size_t i)
{
    return s->level ? s->level(s->self, column, i) : NULL;
}

double sg_level_map_find(const sg_level_map *l, double number)
{
    if (isnan(number)) return number;
    if (!l->level) return (double)sg_coded_value(l->input, number);
    if (!(number >= 0 && number < (double)l->codes) || number != floor(number)) return SG_CODED_MOST;
    return l->level[(size_t)number];
}

const char *sg_level_map_text(const sg_level_map *l, const sg_source *s, double number, char buf[32])
{
    const char *text = NULL;
    if (l->level && number >= 0 && number < (double)l->codes) text = sg_source_level(s, l->column, (size_t)number);
    return text ? text : sg_number_shortest(number, buf);
}

/* Texts are compared here, once; rows bring numbers. */
static sg_status map_levels(const sg_source *s, sg_level_map *l)
{
    const char *text;
    while (sg_source_level(s, l->column, l->codes)) l->codes++;
    if (l->codes == 0) return SG_OK;
    l->level = sg_alloc(l->codes, 1);
    if (!l->level) return sg_fail(SG_ENOMEM, "out of memory for the levels of \"%s\"", l->input->name);
    for (size_t i = 0; i < l->codes && (text = sg_source_level(s, l->column, i)); i++)
        l->level[i] = (unsigned char)sg_coded_text(l->input, text);
    return SG_OK;
}

sg_status sg_source_numbers(const sg_source *s, size_t column)
{
    const char *word = sg_source_level(s, column, 0);
    char shown[64];
    if (!word) return SG_OK;
    return sg_fail(SG_EDATA, "%s: column \"%s\" holds words (\"%s\"); expected numbers", sg_source_name(s),
                   s->names[column], sg_quotable(word, strlen(word), shown, sizeof shown));
}

static sg_status find_levels(sg_expanded *e)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < e->coding->inputs; i++) {
        const sg_coded *in = &e->coding->input[i];
        sg_level_map *l = &e->levels[e->categories];
        if (!in->levels) {
            st = sg_source_numbers(&e->of, e->column[i]);
            continue;
        }
        *l = (sg_level_map){.input = in, .column = e->column[i]};
        e->categories++;
        st = map_levels(&e->of, l);
    }
    return st;
}

void sg_expanded_by_folds(sg_expanded *e, const sg_effect_folds *f) { e->folds = f; }

const sg_source *sg_expanded_of(const sg_expanded *e) { return &e->of; }

const sg_level_map *sg_expanded_levels(const sg_expanded *e, size_t i)
{
    return i < e->categories ? &e->levels[i] : NULL;
}

/* --- making one --- */

static sg_status fill(sg_expanded *e, const size_t *column, const size_t *more)
{
    bool ok = e->name && e->column && e->more && e->levels && (e->wide || e->of.columns <= BLOCK);
    if (ok) memcpy(e->column, column, e->coding->inputs * sizeof *column);
    if (ok && e->more_count) memcpy(e->more, more, e->more_count * sizeof *more);
    for (size_t i = 0; ok && i < e->columns; i++) {
        size_t k = i - e->coding->features;
        e->name[i] = i < e->coding->features ? sg_coding_feature(e->coding, i) : sg_copy(e->of.names[more[k]]);
        ok = e->name[i];
    }
    return ok ? find_levels(e) : sg_fail(SG_ENOMEM, "out of memory for the columns of %s", sg_source_name(&e->of));
}

sg_status sg_expanded_new(const sg_source *of, const sg_coding *c, const size_t *column, const size_t *more,
                          size_t more_count, sg_expanded **out)
{
    sg_expanded *e = sg_alloc(1, sizeof *e);
    if (!e) return sg_fail(SG_ENOMEM, "out of memory for the columns of %s", sg_source_name(of));
    pthread_mutex_init(&e->lock, NULL);
    e->of = *of;
    e->coding = c;
    e->more_count = more_count;
    e->columns = c->features + more_count;
    e->name = sg_alloc(e->columns, sizeof *e->name);
    e->column = sg_alloc(c->inputs, sizeof *e->column);
    e->more = sg_alloc(more_count, sizeof *e->more);
    e->levels = sg_alloc(c->inputs, sizeof *e->levels);
    if (of->columns > BLOCK) e->wide = sg_alloc(of->columns, sizeof *e->wide);
    sg_status st = fill(e, column, more);
    if (st == SG_OK) *out = e;
    else sg_expanded_free(e);
    return st;
}

/* --- as a source: called from several threads, so nothing is allocated --- */

/* Of the row with this number. */
static void put_effects(const sg_expanded *e, const double *from, size_t row, double *to)
{
    const sg_coding *c = e->coding;
    const sg_effect *effect = c->effect;
    if (e->folds && c->effects) effect = e->folds->effect + sg_effect_fold(e->folds->seed, row) * c->effects;
    for (size_t i = 0; i < c->effects; i++) to[i] = sg_effect_at(&effect[i], from[e->column[effect[i].input]]);
}

static void expand(const sg_expanded *e, const double *from, size_t row, double *to)
{
    const sg_coding *c = e->coding;
    const sg_level_map *l = e->levels;
    for (size_t i = 0; i < c->inputs; i++) {
        const sg_coded *in = &c->input[i];
        double x = from[e->column[i]];
        if (in->levels) sg_coded_put(in, sg_level_map_find(l++, x), to + in->first);
        else to[in->first] = x;
    }
    put_effects(e, from, row, to + sg_coding_plain(c));
    for (size_t i = 0; i < e->more_count; i++) to[c->features + i] = from[e->more[i]];
}

/* n rows: those of index, or from `first` on where it is NULL. */
static sg_status fetch(const sg_expanded *e, const size_t *index, size_t first, size_t n, double *to)
{
    return index ? sg_source_gather(&e->of, index, n, to) : e->of.read(e->of.self, first, n, to);
}

static sg_status expand_wide(sg_expanded *e, const size_t *index, size_t first, size_t n, double *out)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        pthread_mutex_lock(&e->lock);
        st = fetch(e, index ? index + i : NULL, first + i, 1, e->wide);
        if (st == SG_OK) expand(e, e->wide, index ? index[i] : first + i, out + i * e->columns);
        pthread_mutex_unlock(&e->lock);
    }
    return st;
}

static sg_status expand_rows(sg_expanded *e, const size_t *index, size_t first, size_t n, double *out)
{
    double block[BLOCK];
    if (e->wide) return expand_wide(e, index, first, n, out);
    size_t most = BLOCK / e->of.columns;
    for (size_t i = 0, now; i < n; i += now) {
        now = n - i < most ? n - i : most;
        sg_status st = fetch(e, index ? index + i : NULL, first + i, now, block);
        if (st != SG_OK) return st;
        for (size_t k = i; k < i + now; k++)
            expand(e, block + (k - i) * e->of.columns, index ? index[k] : first + k, out + k * e->columns);
    }
    return SG_OK;
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    return expand_rows(self, NULL, first, n, out);
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    return expand_rows(self, rows, 0, n, out);
}

sg_source sg_expanded_source(const sg_expanded *e)
{
    sg_source s = e->of; /* its name, its rows, and with whom they lie */
    s.self = (void *)e;
    s.columns = e->columns;
    s.names = (const char *const *)e->name;
    s.read = read_rows;
    s.look = NULL;
    s.gather = gather_rows;
    s.level = NULL;
    return s;
}
