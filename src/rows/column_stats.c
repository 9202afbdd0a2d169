/* column_stats.c: validates rows and computes their moments and a fingerprint, block by block. */
#include "rows/column_stats.h"

#include "base/memory.h"
#include "base/splitmix64.h"
#include "prep/column_sums/column_sums.h"
#include "rows/check_rows.h"
#include "rows/parallel_reduce.h"

#include <math.h>
#include <string.h>

/* --- the sum of a block: a header, then moments --- */

typedef struct block_header {
    uint64_t fingerprint, rows, incomplete, zeros;
    double weight;
} block_header;

typedef struct stats_pass {
    const sg_source *source; /* the source that the pass reads */
    const sg_column_roles *roles;
    size_t columns;
    size_t used;    /* columns with a role                  */
    size_t *column; /* (used): the indices of these columns */
    uint64_t *key;  /* (columns): keys of the fingerprint   */
    uint64_t *hash; /* (workers, columns)                   */
    double *block;  /* (workers, rows of a block, columns)  */
    size_t block_size;
} stats_pass;

static size_t sum_size(size_t columns) { return sizeof(block_header) + sg_moments_size(columns) * sizeof(double); }

static sg_moments moments_of(const stats_pass *s, void *sum)
{
    return sg_moments_wrap((double *)((block_header *)sum + 1), s->columns);
}

/* --- the fingerprint --- */

static uint64_t key_of(size_t place) { return sg_splitmix64_mix((place + 1) * SG_GOLDEN_RATIO_64); }

/* The hash is a sum over rows, so that blocks may be hashed in any order on any rank. */
static uint64_t hash_rows(const stats_pass *s, size_t worker, const double *x, size_t first, size_t n)
{
    uint64_t *of = s->hash + worker * s->columns, sum = 0;
    sg_column_sums_select(s->columns)->hash_columns(x, n, s->columns, first, s->key, of);
    for (size_t k = 0; k < s->used; k++) sum += of[s->column[k]];
    return sum;
}

/* Makes all NaNs bitwise identical, because their payloads must not affect the fingerprint. */
static void canonicalize_nan(double *x, size_t n)
{
    const double canonical = NAN;
    for (size_t i = 0; i < n; i++) x[i] = isnan(x[i]) ? canonical : x[i]; /* branch-free */
}

/* Keys depend on roles, so neither other columns nor the order of columns affects the fingerprint. */
static bool list_columns(stats_pass *s)
{
    const sg_column_roles *c = s->roles;
    s->column = sg_calloc(c->inputs + c->targets + 1, sizeof *s->column);
    s->key = sg_calloc(s->columns, sizeof *s->key);
    if (!s->column || !s->key) return false;
    for (size_t i = 0; i < c->inputs; i++) s->column[s->used++] = c->input[i];
    for (size_t i = 0; i < c->targets; i++) s->column[s->used++] = c->target[i];
    if (c->weight != SG_NO_COLUMN) s->column[s->used++] = c->weight;
    for (size_t k = 0; k < s->used; k++) s->key[s->column[k]] = key_of(k);
    return true;
}

/* --- checks --- */

static bool column_within_limit(const sg_moments *m, size_t column)
{
    return m->column_count[column] == 0 || (m->low[column] >= -SG_MAX_VALUE && m->high[column] <= SG_MAX_VALUE);
}

/* Returns whether the moments of a block show that all of its rows are valid and complete. */
static bool is_clean(const sg_column_roles *c, const sg_moments *m, size_t n)
{
    if (c->weight != SG_NO_COLUMN) return false; /* moments leave out rows without a weight */
    for (size_t i = 0; i < c->inputs; i++)
        if (!column_within_limit(m, c->input[i])) return false;
    for (size_t i = 0; i < c->targets; i++)
        if (!column_within_limit(m, c->target[i]) || m->column_count[c->target[i]] < (double)n) return false;
    return true;
}

static bool has_missing(const sg_moments *m, size_t n)
{
    bool any = false;
    for (size_t c = 0; c < m->columns; c++) any = any || m->column_count[c] < (double)n;
    return any;
}

/* --- blocks --- */

static void count_row(const sg_column_roles *c, const double *x, block_header *h)
{
    double w = sg_row_weight(c, x);
    h->incomplete += isnan(w);
    h->rows += !isnan(w);
    h->zeros += w == 0;
    h->weight += isnan(w) ? 0 : w;
}

static sg_status check_rows(const stats_pass *s, size_t worker, double *x, size_t first, size_t n, const sg_moments *m,
                            block_header *h)
{
    sg_status st = SG_OK;
    if (has_missing(m, n)) canonicalize_nan(x, n * s->columns);
    h->fingerprint = hash_rows(s, worker, x, first, n);
    if (is_clean(s->roles, m, n)) {
        h->rows = n;
        h->weight = (double)n;
        return SG_OK;
    }
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        st = sg_check_row(s->source, s->roles, true, x + i * s->columns, first + i);
        count_row(s->roles, x + i * s->columns, h);
    }
    return st;
}

static sg_status add_block(void *arg, size_t worker, size_t first, size_t n, void *sum)
{
    const stats_pass *s = arg;
    const sg_column_roles *c = s->roles;
    double *x = s->block + worker * s->block_size;
    sg_moments m = moments_of(s, sum);
    memset(sum, 0, sizeof(block_header));
    sg_status st = s->source->read(s->source->self, first, n, x);
    if (st != SG_OK) return st;
    sg_moments_compute(&m, x, c->weight == SG_NO_COLUMN ? NULL : x + c->weight, s->columns, n);
    return check_rows(s, worker, x, first, n, &m, sum);
}

static void merge(const void *arg, void *sum, const void *more)
{
    const stats_pass *s = arg;
    block_header *h = sum;
    const block_header *g = more;
    sg_moments a = moments_of(s, sum), b = moments_of(s, (void *)more);
    h->fingerprint += g->fingerprint;
    h->rows += g->rows;
    h->incomplete += g->incomplete;
    h->zeros += g->zeros;
    h->weight += g->weight;
    sg_moments_merge(&a, &b);
}

/* --- all rows --- */

void sg_column_stats_release(sg_column_stats *s)
{
    sg_moments_release(&s->moments);
    *s = (sg_column_stats){0};
}

static sg_status copy_sum(const stats_pass *s, void *sum, sg_column_stats *out)
{
    const block_header *h = sum;
    *out = (sg_column_stats){
        .rows = h->rows, .incomplete = h->incomplete, .zero_weight = h->zeros, .fingerprint = h->fingerprint};
    if (!sg_moments_init(&out->moments, s->columns)) return sg_fail_out_of_memory("the statistics of columns");
    memcpy(out->moments.rows, moments_of(s, sum).rows, sg_moments_size(s->columns) * sizeof(double));
    return SG_OK;
}

sg_status sg_column_stats_compute(const sg_source *s, const sg_column_roles *roles, sg_thread_pool *pool,
                                  sg_column_stats *out)
{
    stats_pass v = {.roles = roles, .columns = s->columns};
    sg_parallel_reduce reduce;
    void *sum;
    if (s->rows == 0) return sg_fail(SG_EDATA, "%s: there are no rows", sg_source_name(s));
    size_t rows = sg_parallel_reduce_cache_rows(s->columns);
    sg_status st = sg_parallel_reduce_init(&reduce, s, rows, sum_size(s->columns), add_block, merge, &v, pool);
    if (st != SG_OK) return st;
    v.source = sg_parallel_reduce_source(&reduce);
    v.block_size = rows * s->columns; /* small; see sg_parallel_reduce_cache_rows */
    v.block = sg_calloc(sg_thread_pool_threads(pool), v.block_size * sizeof *v.block);
    v.hash = sg_calloc(sg_thread_pool_threads(pool), s->columns * sizeof *v.hash);
    bool ok = v.block && v.hash && list_columns(&v);
    st = ok ? sg_parallel_reduce_run(&reduce, &sum) : sg_fail(SG_ENOMEM, "out of memory while reading rows");
    if (st == SG_OK)
        st = sg_check_row_weights(s, roles, ((const block_header *)sum)->incomplete,
                                  ((const block_header *)sum)->weight);
    if (st == SG_OK) st = copy_sum(&v, sum, out);
    sg_free_all(v.block, v.column, v.key, v.hash);
    sg_parallel_reduce_release(&reduce);
    return st;
}
