/* synthetic_rows.c: see synthetic_rows.h. */
#include "auto/ensemble/synthetic_rows.h"

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
    MIN_TRIAL_ROWS = 12000,
    MIN_FINAL_ROWS = 30000,
    ROW_FACTOR = 2,
    ROWS_PER_TASK = 256
};
static const double MISMATCH_DISTANCE = 2; /* the mean of two numbers' squared distance, in variances */
static const double SWAP_PROBABILITY = 0.5, MAX_INTERPOLATION = 0.5; /* on the way from a row to another */

size_t sg_synthetic_count(size_t rows, bool last)
{
    size_t least = last ? MIN_FINAL_ROWS : MIN_TRIAL_ROWS;
    return ROW_FACTOR * rows > least ? ROW_FACTOR * rows : least;
}

typedef struct generator {
    const sg_search_data *ground;
    const double *row; /* (rows, columns): the real ones */
    size_t rows, columns;
    double *inv_variance; /* (inputs): 1 / variance */
    double *generated;    /* (count, columns): the others */
    size_t count;
    uint64_t seed;
    bool *is_common; /* (rows, inputs): the value of one row in COMMON or more; what lies beside it may mean something
                        else */
} generator;

/* room: (rows) */
static void mark_common_values(generator *m, size_t input, double *room)
{
    double value[COMMON_DIVISOR];
    size_t n = 0, values = 0, column = m->ground->roles.input[input];
    for (size_t i = 0; i < m->rows; i++)
        if (!isnan(m->row[i * m->columns + column])) room[n++] = m->row[i * m->columns + column];
    sg_sort_doubles(room, n);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && room[next] == room[i];) next++;
        if ((next - i) * COMMON_DIVISOR > m->rows) value[values++] = room[i];
    }
    for (size_t i = 0, k; i < m->rows; i++) {
        for (k = 0; k < values && value[k] != m->row[i * m->columns + column];) k++;
        m->is_common[i * m->ground->inputs + input] = k < values;
    }
}

static double inverse_variance(const generator *m, size_t column)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < m->rows; i++) {
        double x = m->row[i * m->columns + column];
        if (isnan(x)) continue;
        sum += x;
        n++;
    }
    for (size_t i = 0; i < m->rows; i++) {
        double d = m->row[i * m->columns + column] - sum / n;
        if (!isnan(d)) squares += d * d;
    }
    return squares > 0 ? n / squares : 0;
}

static double distance(const generator *m, const double *a, const double *b)
{
    const sg_column_roles *r = &m->ground->roles;
    double sum = 0;
    for (size_t k = 0; k < r->inputs; k++) {
        double x = a[r->input[k]], y = b[r->input[k]], d = x - y;
        if (isnan(d) || m->ground->is_category[k]) sum += x == y || (isnan(x) && isnan(y)) ? 0 : MISMATCH_DISTANCE;
        else sum += m->inv_variance[k] * d * d;
    }
    return sum;
}

/* The row itself and those nearest to it, of all or of some by chance. Returns how many. */
static size_t find_neighbours(const generator *m, size_t row, sg_random_stream *s, size_t *out)
{
    double least[NEIGHBOURS + 1];
    size_t n = 0, tries = m->rows < NEIGHBOUR_CANDIDATES ? m->rows : NEIGHBOUR_CANDIDATES;
    for (size_t i = 0; i < tries; i++) {
        size_t other = tries == m->rows ? i : (size_t)sg_random_stream_below(s, m->rows), k;
        double d = distance(m, m->row + row * m->columns, m->row + other * m->columns);
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

/* A row near to a real one: on the way to a near one, and some of its values those of another near one. */
static void make_row(const generator *m, uint64_t seed, size_t i, double *out)
{
    const sg_column_roles *r = &m->ground->roles;
    sg_random_stream s = sg_random_stream_at(seed, SG_RANDOM_DISTILL, 0, i);
    size_t near[NEIGHBOURS + 1], first = (size_t)sg_random_stream_below(&s, m->rows),
                                 n = find_neighbours(m, first, &s, near);
    size_t second = near[sg_random_stream_below(&s, n)], third = near[sg_random_stream_below(&s, n)];
    const double *a = m->row + first * m->columns, *b = m->row + second * m->columns,
                 *other = m->row + third * m->columns;
    const bool *a_apart = m->is_common + first * r->inputs, *b_apart = m->is_common + second * r->inputs;
    double part = sg_random_stream_uniform(&s);
    memcpy(out, a, m->columns * sizeof *out);
    for (size_t k = 0; k < r->inputs; k++) {
        size_t c = r->input[k];
        double by_chance = sg_random_stream_uniform(&s);
        bool swap = by_chance < SWAP_PROBABILITY;
        if (m->ground->is_category[k] || isnan(a[c]) || isnan(b[c])) out[c] = part < 0.5 ? a[c] : b[c];
        else if (a_apart[k] || b_apart[k])
            out[c] = by_chance < SWAP_PROBABILITY / 2 ? other[c] : by_chance < SWAP_PROBABILITY ? b[c] : a[c];
        else out[c] = swap ? other[c] : a[c] + MAX_INTERPOLATION * part * (b[c] - a[c]);
    }
}

/* Each row is a function of its number: whoever makes it. */
static sg_status make_rows(void *arg, size_t i, size_t worker)
{
    const generator *m = arg;
    size_t end = (i + 1) * ROWS_PER_TASK < m->count ? (i + 1) * ROWS_PER_TASK : m->count;
    (void)worker;
    for (size_t k = i * ROWS_PER_TASK; k < end; k++) make_row(m, m->seed, k, m->generated + k * m->columns);
    return SG_OK;
}

size_t sg_synthetic_cost(size_t rows, size_t inputs, size_t count)
{
    return 2 * count * inputs * (rows < NEIGHBOUR_CANDIDATES ? rows : NEIGHBOUR_CANDIDATES);
}

sg_status sg_synthetic_rows(const sg_search_data *g, const sg_source *from, size_t count, uint64_t seed,
                            sg_thread_pool *pool, sg_memory_table *out)
{
    generator m = {.ground = g, .rows = from->rows, .columns = from->columns, .count = count, .seed = seed};
    sg_status st = sg_memory_table_init(out, &g->table.rows, from->rows + count);
    if (st != SG_OK) return st;
    m.row = out->values;
    m.inv_variance = sg_calloc(g->inputs, sizeof *m.inv_variance);
    m.is_common = sg_calloc(from->rows, g->inputs * sizeof *m.is_common);
    double *room = sg_calloc(from->rows, sizeof *room);
    if (!m.inv_variance || !m.is_common || !room) st = sg_fail(SG_ENOMEM, "out of memory for synthetic rows");
    if (st == SG_OK) st = from->read(from->self, 0, from->rows, out->values);
    for (size_t k = 0; st == SG_OK && k < g->inputs; k++) {
        m.inv_variance[k] = inverse_variance(&m, g->roles.input[k]);
        mark_common_values(&m, k, room);
    }
    m.generated = out->values + m.rows * m.columns;
    if (st == SG_OK) st = sg_thread_pool_run_long(pool, (count + ROWS_PER_TASK - 1) / ROWS_PER_TASK, make_rows, &m);
    free(m.inv_variance);
    free(m.is_common);
    free(room);
    if (st != SG_OK) sg_memory_table_release(out);
    return st;
}
