/* synthetic_rows.c: makes rows for distillation by interpolating between neighbours and swapping values. */
#include "auto/search/search.h"
#include "base/memory.h"
#include "base/random/random.h"
#include "prep/quantile_transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEIGHBOURS = 15,
    NEIGHBOUR_CANDIDATES = 1024,
    COMMON_DIVISOR = 50,
    MIN_TRIAL_ROWS = 5000,
    MIN_FINAL_ROWS = 12000,
    ROW_FACTOR = 2,
    ROWS_PER_TASK = 256
};
static const double MISMATCH_DISTANCE = 2; /* mean squared difference of two random values, relative to the variance */
static const double SWAP_PROBABILITY = 0.5, MAX_INTERPOLATION = 0.5;

size_t sg_synthetic_count(size_t rows, bool is_final)
{
    size_t least = is_final ? MIN_FINAL_ROWS : MIN_TRIAL_ROWS;
    return ROW_FACTOR * rows > least ? ROW_FACTOR * rows : least;
}

typedef struct row_generator {
    const sg_search_data *data;
    const double *row; /* (rows, columns): the real rows */
    size_t rows, columns;
    double *inv_variance; /* (inputs) */
    double *generated;    /* (count, columns): the synthetic rows */
    size_t count;
    uint64_t seed;
    bool *is_common; /* (rows, inputs): whether more than 1 / COMMON_DIVISOR of the rows have this value */
} row_generator;

/* Marks the rows whose value of an input is common. scratch: (rows). */
static void mark_common_values(row_generator *g, size_t input, double *scratch)
{
    double value[COMMON_DIVISOR];
    size_t n = 0, values = 0, column = g->data->roles.input[input];
    for (size_t i = 0; i < g->rows; i++)
        if (!isnan(g->row[i * g->columns + column])) scratch[n++] = g->row[i * g->columns + column];
    sg_sort_doubles(scratch, n);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && scratch[next] == scratch[i];) next++;
        if ((next - i) * COMMON_DIVISOR > g->rows) value[values++] = scratch[i];
    }
    for (size_t i = 0, k; i < g->rows; i++) {
        for (k = 0; k < values && value[k] != g->row[i * g->columns + column];) k++;
        g->is_common[i * g->data->inputs + input] = k < values;
    }
}

static double inverse_variance(const row_generator *g, size_t column)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < g->rows; i++) {
        double x = g->row[i * g->columns + column];
        if (isnan(x)) continue;
        sum += x;
        n++;
    }
    for (size_t i = 0; i < g->rows; i++) {
        double d = g->row[i * g->columns + column] - sum / n;
        if (!isnan(d)) squares += d * d;
    }
    return squares > 0 ? n / squares : 0;
}

static double distance(const row_generator *g, const double *a, const double *b)
{
    const sg_column_roles *r = &g->data->roles;
    double sum = 0;
    for (size_t k = 0; k < r->inputs; k++) {
        double x = a[r->input[k]], y = b[r->input[k]], d = x - y;
        if (isnan(d) || g->data->is_category[k]) sum += x == y || (isnan(x) && isnan(y)) ? 0 : MISMATCH_DISTANCE;
        else sum += g->inv_variance[k] * d * d;
    }
    return sum;
}

/* Finds the nearest neighbours of a row among all rows, which include the row itself, or, if there are many, among a
 * random sample of them. Returns the number of neighbours found. */
static size_t find_neighbours(const row_generator *g, size_t row, sg_random_stream *s, size_t *out)
{
    double least[NEIGHBOURS + 1];
    size_t n = 0, tries = g->rows < NEIGHBOUR_CANDIDATES ? g->rows : NEIGHBOUR_CANDIDATES;
    for (size_t i = 0; i < tries; i++) {
        size_t other = tries == g->rows ? i : (size_t)sg_random_stream_below(s, g->rows), k;
        double d = distance(g, g->row + row * g->columns, g->row + other * g->columns);
        if (n == NEIGHBOURS + 1 && d >= least[n - 1]) continue;
        for (k = n < NEIGHBOURS + 1 ? n++ : n - 1; k > 0 && least[k - 1] > d; k--) {
            least[k] = least[k - 1];
            out[k] = out[k - 1];
        }
        least[k] = d;
        out[k] = other;
    }
    return n;
}

/* Interpolates between a random row and one of its neighbours, and takes some values from another neighbour. */
static void make_row(const row_generator *g, size_t i, double *out)
{
    const sg_column_roles *r = &g->data->roles;
    sg_random_stream s = sg_random_stream_at(g->seed, SG_RANDOM_DISTILL, 0, i);
    size_t near[NEIGHBOURS + 1], first = (size_t)sg_random_stream_below(&s, g->rows),
                                 n = find_neighbours(g, first, &s, near);
    size_t second = near[sg_random_stream_below(&s, n)], third = near[sg_random_stream_below(&s, n)];
    const double *a = g->row + first * g->columns, *b = g->row + second * g->columns,
                 *other = g->row + third * g->columns;
    const bool *a_common = g->is_common + first * r->inputs, *b_common = g->is_common + second * r->inputs;
    double part = sg_random_stream_uniform(&s);
    memcpy(out, a, g->columns * sizeof *out);
    for (size_t k = 0; k < r->inputs; k++) {
        size_t c = r->input[k];
        double draw = sg_random_stream_uniform(&s);
        bool swap = draw < SWAP_PROBABILITY;
        if (g->data->is_category[k] || isnan(a[c]) || isnan(b[c])) out[c] = part < 0.5 ? a[c] : b[c];
        else if (a_common[k] || b_common[k])
            out[c] = draw < SWAP_PROBABILITY / 2 ? other[c] : draw < SWAP_PROBABILITY ? b[c] : a[c];
        else out[c] = swap ? other[c] : a[c] + MAX_INTERPOLATION * part * (b[c] - a[c]);
    }
}

static sg_status make_rows(void *arg, size_t i, size_t worker)
{
    const row_generator *g = arg;
    size_t end = (i + 1) * ROWS_PER_TASK < g->count ? (i + 1) * ROWS_PER_TASK : g->count;
    (void)worker;
    for (size_t k = i * ROWS_PER_TASK; k < end; k++) make_row(g, k, g->generated + k * g->columns);
    return SG_OK;
}

size_t sg_synthetic_cost(size_t rows, size_t inputs, size_t count)
{
    return 2 * count * inputs * (rows < NEIGHBOUR_CANDIDATES ? rows : NEIGHBOUR_CANDIDATES);
}

sg_status sg_synthetic_rows(const sg_search_data *data, const sg_source *real, size_t count, uint64_t seed,
                            sg_thread_pool *pool, sg_memory_table *out)
{
    row_generator g = {.data = data, .rows = real->rows, .columns = real->columns, .count = count, .seed = seed};
    sg_status st = sg_memory_table_init(out, &data->table.rows, real->rows + count);
    if (st != SG_OK) return st;
    g.row = out->values;
    g.inv_variance = sg_calloc(data->inputs, sizeof *g.inv_variance);
    g.is_common = sg_calloc(real->rows, data->inputs * sizeof *g.is_common);
    double *scratch = sg_calloc(real->rows, sizeof *scratch);
    if (!g.inv_variance || !g.is_common || !scratch) st = sg_fail_out_of_memory("synthetic rows");
    if (st == SG_OK) st = real->read(real->self, 0, real->rows, out->values);
    for (size_t k = 0; st == SG_OK && k < data->inputs; k++) {
        g.inv_variance[k] = inverse_variance(&g, data->roles.input[k]);
        mark_common_values(&g, k, scratch);
    }
    g.generated = out->values + g.rows * g.columns;
    if (st == SG_OK) st = sg_thread_pool_run_long(pool, (count + ROWS_PER_TASK - 1) / ROWS_PER_TASK, make_rows, &g);
    free(g.inv_variance);
    free(g.is_common);
    free(scratch);
    if (st != SG_OK) sg_memory_table_release(out);
    return st;
}
