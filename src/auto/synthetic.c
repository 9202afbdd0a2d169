/* synthetic.c: see synthetic.h. */
#include "auto/synthetic.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 15, CANDIDATES = 1024, FEW = 10, LEAST = 15000, TIMES = 2 };
static const double SWAP = 0.5;

size_t sg_synthetic_count(size_t rows) { return TIMES * rows > LEAST ? TIMES * rows : LEAST; }

typedef struct maker {
    const sg_ground *ground;
    const double *row; /* (rows, columns): the real ones */
    size_t rows, columns;
    double *scale; /* (inputs): 1 / variance; 0 for what is not a number */
    bool *apart;   /* (inputs): nothing lies between two values */
} maker;

/* A category, or at most FEW values. */
static bool has_few(const maker *m, size_t input)
{
    double value[FEW];
    size_t n = 0, column = m->ground->roles.input[input];
    if (m->ground->category[input]) return true;
    for (size_t i = 0, k; i < m->rows; i++) {
        double x = m->row[i * m->columns + column];
        if (isnan(x)) continue;
        for (k = 0; k < n && value[k] != x;) k++;
        if (k < n) continue;
        if (n == FEW) return false;
        value[n++] = x;
    }
    return true;
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
        double d = a[r->input[k]] - b[r->input[k]];
        if (!isnan(d)) sum += m->scale[k] * d * d;
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

static void make_row(const maker *m, uint64_t seed, size_t i, double *out)
{
    const sg_roles *r = &m->ground->roles;
    sg_stream s = sg_stream_at(seed, SG_RANDOM_STUDENT, 0, i);
    size_t near[NEAR + 1], row = (size_t)sg_stream_below(&s, m->rows), n = near_ones(m, row, &s, near);
    const double *a = m->row + row * m->columns, *b = m->row + near[sg_stream_below(&s, n)] * m->columns;
    const double *other = m->row + near[sg_stream_below(&s, n)] * m->columns;
    double part = sg_stream_unit(&s);
    memcpy(out, a, m->columns * sizeof *out);
    for (size_t k = 0; k < r->inputs; k++) {
        size_t c = r->input[k];
        bool swap = sg_stream_unit(&s) < SWAP;
        if (m->apart[k] || isnan(a[c]) || isnan(b[c])) out[c] = part < 0.5 ? a[c] : b[c];
        else out[c] = swap ? other[c] : a[c] + part * (b[c] - a[c]);
    }
}

sg_status sg_synthetic_rows(const sg_ground *g, const sg_source *from, size_t count, uint64_t seed, sg_desk *out)
{
    maker m = {.ground = g, .rows = from->rows, .columns = from->columns};
    sg_status st = sg_desk_init(out, &g->desk.rows, from->rows + count);
    if (st != SG_OK) return st;
    m.row = out->value;
    m.scale = sg_alloc(g->inputs, sizeof *m.scale);
    m.apart = sg_alloc(g->inputs, sizeof *m.apart);
    if (!m.scale || !m.apart) st = sg_fail(SG_ENOMEM, "out of memory for synthetic rows");
    if (st == SG_OK) st = from->read(from->self, 0, from->rows, out->value);
    for (size_t k = 0; st == SG_OK && k < g->inputs; k++) {
        m.scale[k] = one_over_variance(&m, g->roles.input[k]);
        m.apart[k] = has_few(&m, k);
    }
    for (size_t i = 0; st == SG_OK && i < count; i++) make_row(&m, seed, i, out->value + (m.rows + i) * m.columns);
    free(m.scale);
    free(m.apart);
    if (st != SG_OK) sg_desk_release(out);
    return st;
}
