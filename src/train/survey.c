/* survey.c: see survey.h. */
#include "train/survey.h"

#include "base/memory.h"
#include "base/mix.h"
#include "data/subset.h"
#include "prep/column_sums.h"
#include "train/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights whose sum is below this can't be scaled to a mean of 1. */
static const double least_weight = 1e-90;

/* --- a block's sum: a head, and moments --- */

typedef struct head {
    uint64_t fingerprint, rows, lacking, zeros;
    double weight;
} head;

typedef struct survey {
    const sg_source *source; /* that is read */
    const sg_roles *roles;
    size_t columns;
    size_t used;    /* columns that have a role                   */
    size_t *column; /* (used): these                              */
    uint64_t *key;  /* (columns): what the fingerprint mixes with */
    uint64_t *hash; /* (workers, columns)                         */
    double *block;  /* (workers, rows of a block, columns)        */
    size_t block_size;
} survey;

static size_t sum_size(size_t columns) { return sizeof(head) + sg_moments_size(columns) * sizeof(double); }

static sg_moments moments_of(const survey *s, void *sum)
{
    return sg_moments_at((double *)((head *)sum + 1), s->columns);
}

/* --- the fingerprint --- */

/* Different for each place. */
static uint64_t key_of(size_t place) { return sg_mix((place + 1) * SG_GOLDEN); }

/* A sum over rows, so that they may be seen in any order by any number of machines. */
static uint64_t hash_rows(const survey *s, size_t worker, const double *x, size_t first, size_t n)
{
    uint64_t *of = s->hash + worker * s->columns, sum = 0;
    sg_column_sums_choose(s->columns)->hash(x, n, s->columns, first, s->key, of);
    for (size_t k = 0; k < s->used; k++) sum += of[s->column[k]];
    return sum;
}

/* A missing value is a missing value. */
static void make_alike(double *x, size_t n)
{
    const double gap = NAN;
    for (size_t i = 0; i < n; i++) x[i] = isnan(x[i]) ? gap : x[i]; /* without a branch */
}

/* Columns in the order of their roles: others do not matter, nor where they stand. */
static bool list_columns(survey *s)
{
    const sg_roles *c = s->roles;
    s->column = sg_alloc(c->inputs + c->targets + 1, sizeof *s->column);
    s->key = sg_alloc(s->columns, sizeof *s->key);
    if (!s->column || !s->key) return false;
    for (size_t i = 0; i < c->inputs; i++) s->column[s->used++] = c->input[i];
    for (size_t i = 0; i < c->targets; i++) s->column[s->used++] = c->target[i];
    if (c->weight != SG_NO_COLUMN) s->column[s->used++] = c->weight;
    for (size_t k = 0; k < s->used; k++) s->key[s->column[k]] = key_of(k);
    return true;
}

/* --- what is wrong with a value --- */

static sg_status check_value(const sg_source *s, size_t row, size_t column, double value)
{
    if (fabs(value) <= SG_LARGEST_VALUE || isnan(value)) return SG_OK;
    return sg_fail(SG_EDATA,
                   "%s: row %zu, column \"%s\": %g is not a number within 1e99, the largest that can be worked with",
                   sg_source_name(s), row + 1, s->names[column], value);
}

static sg_status check_weight(const sg_source *s, size_t row, size_t column, double w)
{
    if ((w >= 0 && w <= SG_LARGEST_VALUE) || isnan(w)) return SG_OK;
    return sg_fail(SG_EDATA, "%s: row %zu, column \"%s\": a weight must be at least 0%s, not %g", sg_source_name(s),
                   row + 1, s->names[column], w > 0 ? " and at most 1e99" : "", w);
}

sg_status sg_check_row(const sg_source *s, const sg_roles *c, bool inputs, const double *x, size_t row)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && inputs && i < c->inputs; i++)
        st = check_value(s, row, c->input[i], x[c->input[i]]);
    for (size_t i = 0; st == SG_OK && i < c->targets; i++) st = check_value(s, row, c->target[i], x[c->target[i]]);
    return st == SG_OK && c->weight != SG_NO_COLUMN ? check_weight(s, row, c->weight, x[c->weight]) : st;
}

static bool within(const sg_moments *m, size_t column)
{
    return m->cells[column] == 0 || (m->low[column] >= -SG_LARGEST_VALUE && m->high[column] <= SG_LARGEST_VALUE);
}

/* Whether the moments of a block say that each of its rows can be used as it is. */
static bool is_plain(const sg_roles *c, const sg_moments *m, size_t n)
{
    if (c->weight != SG_NO_COLUMN) return false; /* rows without one are not in the moments */
    for (size_t i = 0; i < c->inputs; i++)
        if (!within(m, c->input[i])) return false;
    for (size_t i = 0; i < c->targets; i++)
        if (!within(m, c->target[i]) || m->cells[c->target[i]] < (double)n) return false;
    return true;
}

static bool has_gaps(const sg_moments *m, size_t n)
{
    bool any = false;
    for (size_t c = 0; c < m->columns; c++) any = any || m->cells[c] < (double)n;
    return any;
}

/* --- a block --- */

static void see_row(const sg_roles *c, const double *x, head *h)
{
    double w = sg_weight_of(c, x);
    h->lacking += isnan(w);
    h->rows += !isnan(w);
    h->zeros += w == 0;
    h->weight += isnan(w) ? 0 : w;
}

static sg_status see_rows(const survey *s, size_t worker, double *x, size_t first, size_t n, const sg_moments *m,
                          head *h)
{
    sg_status st = SG_OK;
    if (has_gaps(m, n)) make_alike(x, n * s->columns);
    h->fingerprint = hash_rows(s, worker, x, first, n);
    if (is_plain(s->roles, m, n)) {
        h->rows = n;
        h->weight = (double)n;
        return SG_OK;
    }
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        st = sg_check_row(s->source, s->roles, true, x + i * s->columns, first + i);
        see_row(s->roles, x + i * s->columns, h);
    }
    return st;
}

static sg_status add_block(void *arg, size_t worker, size_t first, size_t n, void *sum)
{
    const survey *s = arg;
    const sg_roles *c = s->roles;
    double *x = s->block + worker * s->block_size;
    sg_moments m = moments_of(s, sum);
    memset(sum, 0, sizeof(head));
    sg_status st = s->source->read(s->source->self, first, n, x);
    if (st != SG_OK) return st;
    sg_moments_block(&m, x, c->weight == SG_NO_COLUMN ? NULL : x + c->weight, s->columns, n);
    return see_rows(s, worker, x, first, n, &m, sum);
}

static void merge(const void *arg, void *sum, const void *more)
{
    const survey *s = arg;
    head *h = sum;
    const head *g = more;
    sg_moments a = moments_of(s, sum), b = moments_of(s, (void *)more);
    h->fingerprint += g->fingerprint;
    h->rows += g->rows;
    h->lacking += g->lacking;
    h->zeros += g->zeros;
    h->weight += g->weight;
    sg_moments_merge(&a, &b);
}

/* --- the whole --- */

double sg_weight_of(const sg_roles *c, const double *row)
{
    for (size_t i = 0; i < c->targets; i++)
        if (isnan(row[c->target[i]])) return NAN;
    return c->weight == SG_NO_COLUMN ? 1 : row[c->weight];
}

sg_status sg_judge_rows(const sg_source *s, const sg_roles *c, size_t lacking, double weight)
{
    if (lacking == s->rows)
        return sg_fail(SG_EDATA, "%s: no row has %s", sg_source_name(s),
                       c->weight == SG_NO_COLUMN ? "all targets" : "all targets and a weight");
    if (weight >= least_weight) return SG_OK;
    return sg_fail(SG_EDATA, "%s: the row weights are all zero, or nearly so", sg_source_name(s));
}

void sg_survey_release(sg_survey *s)
{
    sg_moments_release(&s->raw);
    *s = (sg_survey){0};
}

/* A copy of the sum, which goes with its sweep. */
static sg_status take(const survey *s, void *sum, sg_survey *out)
{
    const head *h = sum;
    *out = (sg_survey){.rows = h->rows, .lacking = h->lacking, .zeros = h->zeros, .fingerprint = h->fingerprint};
    if (!sg_moments_init(&out->raw, s->columns)) return sg_fail(SG_ENOMEM, "out of memory for statistics");
    memcpy(out->raw.rows, moments_of(s, sum).rows, sg_moments_size(s->columns) * sizeof(double));
    return SG_OK;
}

sg_status sg_survey_rows(const sg_source *s, const sg_roles *roles, sg_pool *pool, sg_survey *out)
{
    survey v = {.roles = roles, .columns = s->columns};
    sg_sweep sweep;
    void *sum;
    if (s->rows == 0) return sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(s));
    size_t rows = sg_sweep_cached(s->columns);
    sg_status st = sg_sweep_init(&sweep, s, rows, sum_size(s->columns), add_block, merge, &v, pool);
    if (st != SG_OK) return st;
    v.source = sg_sweep_source(&sweep);
    v.block_size = rows * s->columns; /* far below any limit: see sg_sweep_cached */
    v.block = sg_alloc(sg_pool_threads(pool), v.block_size * sizeof *v.block);
    v.hash = sg_alloc(sg_pool_threads(pool), s->columns * sizeof *v.hash);
    bool room = v.block && v.hash && list_columns(&v);
    st = room ? sg_sweep_run(&sweep, &sum) : sg_fail(SG_ENOMEM, "out of memory for rows");
    if (st == SG_OK) st = sg_judge_rows(s, roles, ((const head *)sum)->lacking, ((const head *)sum)->weight);
    if (st == SG_OK) st = take(&v, sum, out);
    free(v.block);
    free(v.column);
    free(v.key);
    free(v.hash);
    sg_sweep_release(&sweep);
    return st;
}

/* --- rows to leave out --- */

sg_status sg_usable_rows(const sg_source *s, const sg_roles *roles, bool zeros, sg_subset **out)
{
    enum { ROWS = 256 };
    sg_marks marks = {0};
    double *block = sg_alloc(s->columns, ROWS * sizeof *block);
    size_t begin, end;
    sg_source_range(s, &begin, &end);
    bool room = block && sg_marks_init(&marks, end - begin);
    sg_status st = room ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu rows", s->rows);
    for (size_t first = begin; st == SG_OK && first < end; first += ROWS) {
        size_t n = end - first < ROWS ? end - first : ROWS;
        st = s->read(s->self, first, n, block);
        for (size_t i = 0; st == SG_OK && i < n; i++) {
            double w = sg_weight_of(roles, block + i * s->columns);
            if (w > 0 || (w == 0 && zeros)) sg_marks_set(&marks, first - begin + i);
        }
    }
    free(block);
    st = sg_team_agree(s->team, st);
    if (st == SG_OK) return sg_subset_marked(s, &marks, out);
    sg_marks_release(&marks);
    return st;
}

void sg_tell_lacking(const sg_options *o, const sg_roles *roles, size_t lacking, const char *which)
{
    if (lacking)
        sg_notice(o, "%zu %srow%s without a target%s left out", lacking, which, lacking == 1 ? "" : "s",
                  roles->weight == SG_NO_COLUMN ? "" : " or a weight");
}
