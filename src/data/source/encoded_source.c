/* encoded_source.c: encodes the rows of a source with an encoder as they are read. */
#include "data/source/encoded_source.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_DOUBLES = 4096 }; /* size of the buffer for rows of the base source, on the stack */

struct sg_encoded_source {
    sg_source base;
    const sg_encoder *encoder;
    const sg_effect_folds *folds; /* or NULL */
    size_t columns, categories, extra_count;
    char **name;             /* (columns)                                                                          */
    size_t *column, *extra;  /* (inputs) and (extra_count) column indices in the base source                       */
    sg_level_map *level_map; /* (categories)                                                                       */
    double *wide_row;        /* one row, if the base source has more than STACK_DOUBLES columns; protected by lock */
    pthread_mutex_t lock;
};

void sg_encoded_source_free(sg_encoded_source *e)
{
    if (!e) return;
    for (size_t i = 0; e->name && i < e->columns; i++) free(e->name[i]);
    for (size_t i = 0; e->level_map && i < e->categories; i++) free(e->level_map[i].level);
    sg_free_all(e->name, e->column, e->extra, e->level_map, e->wide_row);
    pthread_mutex_destroy(&e->lock);
    free(e);
}

/* --- levels --- */

double sg_level_map_find(const sg_level_map *l, double cell)
{
    if (isnan(cell)) return cell;
    if (!l->level) return (double)sg_encoded_input_find_value(l->input, cell);
    if (!(cell >= 0 && cell < (double)l->codes) || cell != floor(cell)) return SG_ONE_HOT_MAX;
    return l->level[(size_t)cell];
}

const char *sg_level_map_text(const sg_level_map *l, const sg_source *s, double cell, char buf[32])
{
    const char *text = NULL;
    if (l->level && cell >= 0 && cell < (double)l->codes) text = sg_source_level(s, l->column, (size_t)cell);
    return text ? text : sg_number_format_shortest(cell, buf);
}

/* Maps the codes of a column to levels. Level names are compared only here; rows contain level indices. */
static sg_status map_levels(const sg_source *s, sg_level_map *l)
{
    const char *text;
    while (sg_source_level(s, l->column, l->codes)) l->codes++;
    if (l->codes == 0) return SG_OK;
    l->level = sg_calloc(l->codes, 1);
    if (!l->level) return sg_fail(SG_ENOMEM, "out of memory while reading the levels of \"%s\"", l->input->name);
    for (size_t i = 0; i < l->codes && (text = sg_source_level(s, l->column, i)); i++)
        l->level[i] = (unsigned char)sg_encoded_input_find_text(l->input, text);
    return SG_OK;
}

static sg_status map_all_levels(sg_encoded_source *e)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < e->encoder->inputs; i++) {
        const sg_encoded_input *in = &e->encoder->input[i];
        sg_level_map *l = &e->level_map[e->categories];
        if (!in->levels) {
            st = sg_source_require_numeric(&e->base, e->column[i]);
            continue;
        }
        *l = (sg_level_map){.input = in, .column = e->column[i]};
        e->categories++;
        st = map_levels(&e->base, l);
    }
    return st;
}

void sg_encoded_source_set_folds(sg_encoded_source *e, const sg_effect_folds *f) { e->folds = f; }

const sg_source *sg_encoded_source_base(const sg_encoded_source *e) { return &e->base; }

const sg_level_map *sg_encoded_source_level_map(const sg_encoded_source *e, size_t i)
{
    return i < e->categories ? &e->level_map[i] : NULL;
}

/* --- creation --- */

static sg_status init_columns(sg_encoded_source *e, const size_t *column, const size_t *extra)
{
    bool ok = e->name && e->column && e->extra && e->level_map && (e->wide_row || e->base.columns <= STACK_DOUBLES);
    if (ok) memcpy(e->column, column, e->encoder->inputs * sizeof *column);
    if (ok && e->extra_count) memcpy(e->extra, extra, e->extra_count * sizeof *extra);
    for (size_t i = 0; ok && i < e->columns; i++) {
        size_t k = i - e->encoder->features;
        e->name[i] =
            i < e->encoder->features ? sg_encoder_feature_name(e->encoder, i) : sg_strdup(e->base.names[extra[k]]);
        ok = e->name[i];
    }
    return ok ? map_all_levels(e) : sg_fail(SG_ENOMEM, "out of memory while encoding %s", sg_source_name(&e->base));
}

sg_status sg_encoded_source_new(const sg_source *base, const sg_encoder *encoder, const size_t *column,
                                const size_t *extra, size_t extra_count, sg_encoded_source **out)
{
    sg_encoded_source *e = sg_calloc(1, sizeof *e);
    if (!e) return sg_fail(SG_ENOMEM, "out of memory while encoding %s", sg_source_name(base));
    pthread_mutex_init(&e->lock, NULL);
    e->base = *base;
    e->encoder = encoder;
    e->extra_count = extra_count;
    e->columns = encoder->features + extra_count;
    e->name = sg_calloc(e->columns, sizeof *e->name);
    e->column = sg_calloc(encoder->inputs, sizeof *e->column);
    e->extra = sg_calloc(extra_count, sizeof *e->extra);
    e->level_map = sg_calloc(encoder->inputs, sizeof *e->level_map);
    if (base->columns > STACK_DOUBLES) e->wide_row = sg_calloc(base->columns, sizeof *e->wide_row);
    sg_status st = init_columns(e, column, extra);
    if (st == SG_OK) *out = e;
    else sg_encoded_source_free(e);
    return st;
}

/* --- source: called from several threads, so nothing is allocated --- */

/* Computes the effect features of a row. */
static void eval_effects(const sg_encoded_source *e, const double *from, size_t row, double *to)
{
    const sg_encoder *c = e->encoder;
    const sg_effect *effect = c->effect;
    if (e->folds && c->effects) effect = e->folds->effect + sg_effect_fold_of_row(e->folds->seed, row) * c->effects;
    for (size_t i = 0; i < c->effects; i++) to[i] = sg_effect_eval(&effect[i], from[e->column[effect[i].input]]);
}

static void encode_row(const sg_encoded_source *e, const double *from, size_t row, double *to)
{
    const sg_encoder *c = e->encoder;
    const sg_level_map *l = e->level_map;
    for (size_t i = 0; i < c->inputs; i++) {
        const sg_encoded_input *in = &c->input[i];
        double x = from[e->column[i]];
        if (in->levels) sg_encoded_input_one_hot(in, sg_level_map_find(l++, x), to + in->first_feature);
        else to[in->first_feature] = x;
    }
    eval_effects(e, from, row, to + sg_encoder_base_features(c));
    for (size_t i = 0; i < e->extra_count; i++) to[c->features + i] = from[e->extra[i]];
}

/* Reads the n rows listed in `index` or, if it is NULL, n rows from `first`. */
static sg_status read_base_rows(const sg_encoded_source *e, const size_t *index, size_t first, size_t n, double *to)
{
    return index ? sg_source_gather(&e->base, index, n, to) : e->base.read(e->base.self, first, n, to);
}

static sg_status encode_wide_rows(sg_encoded_source *e, const size_t *index, size_t first, size_t n, double *out)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        pthread_mutex_lock(&e->lock);
        st = read_base_rows(e, index ? index + i : NULL, first + i, 1, e->wide_row);
        if (st == SG_OK) encode_row(e, e->wide_row, index ? index[i] : first + i, out + i * e->columns);
        pthread_mutex_unlock(&e->lock);
    }
    return st;
}

static sg_status encode_rows(sg_encoded_source *e, const size_t *index, size_t first, size_t n, double *out)
{
    double block[STACK_DOUBLES];
    if (e->wide_row) return encode_wide_rows(e, index, first, n, out);
    size_t block_rows = STACK_DOUBLES / e->base.columns;
    for (size_t i = 0, now; i < n; i += now) {
        now = n - i < block_rows ? n - i : block_rows;
        sg_status st = read_base_rows(e, index ? index + i : NULL, first + i, now, block);
        if (st != SG_OK) return st;
        for (size_t k = i; k < i + now; k++)
            encode_row(e, block + (k - i) * e->base.columns, index ? index[k] : first + k, out + k * e->columns);
    }
    return SG_OK;
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    return encode_rows(self, NULL, first, n, out);
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    return encode_rows(self, rows, 0, n, out);
}

sg_source sg_encoded_source_rows(const sg_encoded_source *e)
{
    sg_source s = e->base; /* keeps name, rows and distribution */
    s.self = (void *)e;
    s.columns = e->columns;
    s.names = (const char *const *)e->name;
    s.read = read_rows;
    s.view = NULL;
    s.gather = gather_rows;
    s.level = NULL;
    return s;
}
