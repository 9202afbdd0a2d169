/* synthetic.c: see synthetic.h. */
#include "auto/synthetic.h"

#include "base/memory.h"
#include "base/random.h"
#include "prep/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 15, CANDIDATES = 1024, COMMON = 50, FEWEST = 12000, MORE = 30000, TIMES = 2, AT_ONCE = 256 };
static const double UNLIKE = 2;                 /* the mean of two numbers' squared distance, in variances */
static const double SWAP = 0.5, FARTHEST = 0.5; /* on the way from a row to another */

size_t sg_synthetic_count(size_t rows, bool last)
{
    size_t least = last ? MORE : FEWEST;
    return TIMES * rows > least ? TIMES * rows : least;
}

typedef struct maker {
    const sg_ground *ground;
    const double *row; /* (rows, columns): the real ones */
    size_t rows, columns;
    double *scale; /* (inputs): 1 / variance */
    double *made;  /* (count, columns): the others */
    size_t count;
    uint64_t seed;
    bool *
        apart; /* (rows, inputs): the value of one row in COMMON or more; what lies beside it may mean something else */
} maker;

/* room: (rows) */
static void find_common(maker *m, size_t input, double *room)
{
    double value[COMMON];
    size_t n = 0, values = 0, column = m->ground->roles.input[input];
    for (size_t i = 0; i < m->rows; i++)
        if (!isnan(m->row[i * m->columns + column])) room[n++] = m->row[i * m->columns + column];
    sg_sort_numbers(room, n);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && room[next] == room[i];) next++;
        if ((next - i) * COMMON > m->rows) value[values++] = room[i];
    }
    for (size_t i = 0, k; i < m->rows; i++) {
        for (k = 0; k < values && value[k] != m->row[i * m->columns + column];) k++;
        m->apart[i * m->ground->inputs + input] = k < values;
    }
}

static double one_over_variance(const maker *m, size_t column)
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

static double distance(const maker *m, const double *a, const double *b)
{
    const sg_roles *r = &m->ground->roles;
    double sum = 0;
    for (size_t k = 0; k < r->inputs; k++) {
        double x = a[r->input[k]], y = b[r->input[k]], d = x - y;
        if (isnan(d) || m->ground->category[k]) sum += x == y || (isnan(x) && isnan(y)) ? 0 : UNLIKE;
        else sum += m->scale[k] * d * d;
    }
    return sum;
}

/* The row itself and those nearest to it, of all or of some by chance. Returns how many. */
static size_t near_ones(const maker *m, size_t row, sg_stream *s, size_t *out)
{
    double least[NEAR + 1];
    size_t n = 0, tries = m->rows < CANDIDATES ? m->rows : CANDIDATES;
    for (size_t i = 0; i < tries; i++) {
        size_t other = tries == m->rows ? i : (size_t)sg_stream_below(s, m->rows), k;
        double d = distance(m, m->row + row * m->columns, m->row + other * m->columns);
        if (n == NEAR + 1 && d >= least[n - 1]) continue;
        for (k = n < NEAR + 1 ? n++ : n - 1; k > 0 && least[k - 1] > d; k--) {
            least[k] = least[k - 1];
            out[k] = out[k - 1];
        }
        least[k] = d;
        out[k] = other;
    }
    return n;
}

/* A row near to a real one: on the way to a near one, and some of its values those of another near one. */
static void make_row(const maker *m, uint64_t seed, size_t i, double *out)
{
    const sg_roles *r = &m->ground->roles;
    sg_stream s = sg_stream_at(seed, SG_RANDOM_STUDENT, 0, i);
    size_t near[NEAR + 1], first = (size_t)sg_stream_below(&s, m->rows), n = near_ones(m, first, &s, near);
    size_t second = near[sg_stream_below(&s, n)], third = near[sg_stream_below(&s, n)];
    const double *a = m->row + first * m->columns, *b = m->row + second * m->columns,
                 *other = m->row + third * m->columns;
    const bool *a_apart = m->apart + first * r->inputs, *b_apart = m->apart + second * r->inputs;
    double part = sg_stream_unit(&s);
    memcpy(out, a, m->columns * sizeof *out);
    for (size_t k = 0; k < r->inputs; k++) {
        size_t c = r->input[k];
        double by_chance = sg_stream_unit(&s);
        bool swap = by_chance < SWAP;
        if (m->ground->category[k] || isnan(a[c]) || isnan(b[c])) out[c] = part < 0.5 ? a[c] : b[c];
        else if (a_apart[k] || b_apart[k]) out[c] = by_chance < SWAP / 2 ? other[c] : by_chance < SWAP ? b[c] : a[c];
        else out[c] = swap ? other[c] : a[c] + FARTHEST * part * (b[c] - a[c]);
    }
}

/* Each row is a function of its number: whoever makes it. */
static sg_status make_rows(void *arg, size_t i, size_t worker)
{
    const maker *m = arg;
    size_t end = (i + 1) * AT_ONCE < m->count ? (i + 1) * AT_ONCE : m->count;
    (void)worker;
    for (size_t k = i * AT_ONCE; k < end; k++) make_row(m, m->seed, k, m->made + k * m->columns);
    return SG_OK;
}

size_t sg_synthetic_cost(size_t rows, size_t inputs, size_t count)
{
    return 2 * count * inputs * (rows < CANDIDATES ? rows : CANDIDATES);
}

sg_status sg_synthetic_rows(const sg_ground *g, const sg_source *from, size_t count, uint64_t seed, sg_pool *pool,
                            sg_desk *out)
{
    maker m = {.ground = g, .rows = from->rows, .columns = from->columns, .count = count, .seed = seed};
    sg_status st = sg_desk_init(out, &g->desk.rows, from->rows + count);
    if (st != SG_OK) return st;
    m.row = out->value;
    m.scale = sg_alloc(g->inputs, sizeof *m.scale);
    m.apart = sg_alloc(from->rows, g->inputs * sizeof *m.apart);
    double *room = sg_alloc(from->rows, sizeof *room);
    if (!m.scale || !m.apart || !room) st = sg_fail(SG_ENOMEM, "out of memory for synthetic rows");
    if (st == SG_OK) st = from->read(from->self, 0, from->rows, out->value);
    for (size_t k = 0; st == SG_OK && k < g->inputs; k++) {
        m.scale[k] = one_over_variance(&m, g->roles.input[k]);
        find_common(&m, k, room);
    }
    m.made = out->value + m.rows * m.columns;
    if (st == SG_OK) st = sg_pool_run_long(pool, (count + AT_ONCE - 1) / AT_ONCE, make_rows, &m);
    free(m.scale);
    free(m.apart);
    free(room);
    if (st != SG_OK) sg_desk_release(out);
    return st;
}
