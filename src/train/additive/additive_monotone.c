/* additive_monotone.c: least squares with monotone curves and pairs.
 *
 * Along a constrained input, the consequents are represented by a first value and increments. The increments must not
 * be negative. This is a non-negative least-squares problem, which is solved by block principal pivoting (Portugal,
 * Judice and Vicente, "A comparison of block pivoting and interior-point algorithms for linear least squares problems
 * with nonnegative variables", Mathematics of Computation 63, 1994). Sums of non-negative increments are ordered even
 * after rounding.
 *
 * In a pair of two constrained inputs, neither the increments along both inputs nor the increments of these increments
 * may be negative. This is sufficient for both orders. */
#include "base/memory.h"
#include "linalg/linalg.h"
#include "train/additive/additive_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns first, first + step, ... (count of them), in ascending order of their consequents. step may be negative. */
typedef struct chain {
    size_t first, count;
    ptrdiff_t step;
} chain;

typedef void chain_fn(void *arg, const chain *c);

static chain make_chain(size_t first, size_t step, size_t count, int direction)
{
    if (direction > 0) return (chain){first, count, (ptrdiff_t)step};
    return (chain){first + (count - 1) * step, count, -(ptrdiff_t)step};
}

static size_t chain_column(const chain *c, size_t k) { return (size_t)((ptrdiff_t)c->first + (ptrdiff_t)k * c->step); }

/* Visits the chains along the first inputs of pairs, or, with `second` set, those along the second inputs. Curves are
 * visited together with the first inputs. */
static void visit_chains(const sg_additive *s, bool second, chain_fn *visit, void *arg)
{
    size_t column = 1;
    for (size_t i = 0; i < s->curves; column += s->curve[i++].cells + 1) {
        if (second || !s->curve[i].monotone) continue;
        chain c = make_chain(column, 1, s->curve[i].cells, s->curve[i].monotone);
        visit(arg, &c);
    }
    for (size_t i = 0; i < s->pairs; column += sg_pair_cells(s, &s->pair[i++])) {
        const sg_curve *a = &s->curve[s->pair[i].curve[0]], *b = &s->curve[s->pair[i].curve[1]];
        for (size_t k = 0; !second && a->monotone && k < b->terms; k++) {
            chain c = make_chain(column + k, b->terms, a->terms, a->monotone);
            visit(arg, &c);
        }
        for (size_t k = 0; second && b->monotone && k < a->terms; k++) {
            chain c = make_chain(column + k * b->terms, 1, b->terms, b->monotone);
            visit(arg, &c);
        }
    }
}

/* A quadratic problem in which some variables must not be negative. */
typedef struct problem {
    size_t n, outputs;
    double *a;         /* (n, n), in full                        */
    double *c;         /* (n, outputs)                           */
    double *x;         /* (n): current solution                  */
    double *sub;       /* (n, n): work space                     */
    double *right;     /* (n): work space                        */
    bool *nonnegative; /* (n)                                    */
    bool *active;      /* (n): fixed at 0                        */
    size_t *index;     /* (n): the variables that are not active */
} problem;

/* --- change of variables --- */

/* Adds each element of a chain to the one before it, starting with the last, so that the variables become
 * increments. */
static void to_increments(void *arg, const chain *c)
{
    problem *p = arg;
    for (size_t k = c->count - 1; k > 0; k--) {
        size_t from = chain_column(c, k), to = chain_column(c, k - 1);
        for (size_t i = 0; i < p->n; i++) p->a[to * p->n + i] += p->a[from * p->n + i];
        for (size_t i = 0; i < p->n; i++) p->a[i * p->n + to] += p->a[i * p->n + from];
        for (size_t o = 0; o < p->outputs; o++) p->c[to * p->outputs + o] += p->c[from * p->outputs + o];
        p->nonnegative[from] = true;
    }
}

static void to_values(void *arg, const chain *c)
{
    problem *p = arg;
    for (size_t k = 1; k < c->count; k++) p->x[chain_column(c, k)] += p->x[chain_column(c, k - 1)];
}

/* --- block principal pivoting --- */

/* Minimises over the variables that are not active. */
static bool solve_inactive(problem *p, size_t o)
{
    size_t m = 0;
    for (size_t i = 0; i < p->n; i++)
        if (!p->active[i]) p->index[m++] = i;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j <= i; j++) p->sub[i * m + j] = p->a[p->index[i] * p->n + p->index[j]];
        p->right[i] = p->c[p->index[i] * p->outputs + o];
    }
    if (!sg_cholesky(p->sub, m)) return false;
    sg_cholesky_solve(p->sub, m, p->right, 1);
    memset(p->x, 0, p->n * sizeof *p->x);
    for (size_t i = 0; i < m; i++) p->x[p->index[i]] = p->right[i];
    return true;
}

/* Returns whether variable i violates its optimality condition: it is negative, or it is active and the objective
 * would decrease if it grew. */
static bool is_infeasible(const problem *p, size_t o, size_t i)
{
    if (!p->nonnegative[i]) return false;
    if (!p->active[i]) return p->x[i] < 0;
    double gradient = -p->c[i * p->outputs + o], size = fabs(gradient);
    for (size_t j = 0; j < p->n; j++) {
        gradient += p->a[i * p->n + j] * p->x[j];
        size += fabs(p->a[i * p->n + j] * p->x[j]);
    }
    return gradient < -1e-12 * size;
}

static size_t find_infeasible(problem *p, size_t o)
{
    size_t m = 0;
    for (size_t i = 0; i < p->n; i++)
        if (is_infeasible(p, o, i)) p->index[m++] = i;
    return m;
}

/* Exchanges all infeasible variables. If their number does not fall, exchanges only the last one, which cannot cycle.
 */
static bool solve_nonnegative(problem *p, size_t o)
{
    enum { PATIENCE = 3 };
    size_t least = p->n + 1, patience = PATIENCE;
    memset(p->active, 0, p->n * sizeof *p->active);
    for (size_t round = 0; round < 20 * p->n + 20; round++) {
        if (!solve_inactive(p, o)) return false;
        size_t m = find_infeasible(p, o);
        if (m == 0) break;
        bool falls = m < least, all = falls || patience > 0;
        patience = falls ? PATIENCE : patience - (patience > 0);
        if (falls) least = m;
        for (size_t i = all ? 0 : m - 1; i < m; i++) p->active[p->index[i]] = !p->active[p->index[i]];
    }
    for (size_t i = 0; i < p->n; i++)
        if (p->nonnegative[i] && p->x[i] < 0) p->x[i] = 0;
    return true;
}

/* --- the whole --- */

static void mirror(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) a[j * n + i] = a[i * n + j];
}

static sg_status alloc_problem(problem *p)
{
    size_t n = p->n;
    sg_double_array arrays[] = {{&p->c, n * p->outputs}, {&p->x, n}, {&p->sub, n * n}, {&p->right, n}};
    double *block = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays);
    p->nonnegative = sg_calloc(2 * n, sizeof *p->nonnegative);
    p->index = sg_calloc(n, sizeof *p->index);
    p->active = p->nonnegative ? p->nonnegative + n : NULL;
    return block && p->nonnegative && p->index ? SG_OK : sg_fail_out_of_memory("monotone curves");
}

static void release_problem(problem *p)
{
    free(p->c);
    free(p->nonnegative);
    free(p->index);
}

static bool solve_outputs(problem *p, const sg_additive *layout, double *b)
{
    for (size_t o = 0; o < p->outputs; o++) {
        if (!solve_nonnegative(p, o)) return false;
        visit_chains(layout, true, to_values, p);
        visit_chains(layout, false, to_values, p);
        for (size_t i = 0; i < p->n; i++) b[i * p->outputs + o] = p->x[i];
    }
    return true;
}

sg_status sg_monotone_solve(const sg_additive *layout, size_t n, size_t outputs, double *a, const double *c, double *b)
{
    problem p = {.n = n, .outputs = outputs, .a = a};
    sg_status st = alloc_problem(&p);
    if (st == SG_OK) {
        memcpy(p.c, c, n * outputs * sizeof *c);
        mirror(a, n);
        visit_chains(layout, false, to_increments, &p);
        visit_chains(layout, true, to_increments, &p);
        if (!solve_outputs(&p, layout, b))
            st = sg_fail(SG_EDIVERGED, "the least-squares equations of monotone curves can't be solved");
    }
    release_problem(&p);
    return st;
}
