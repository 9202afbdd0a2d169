/* toy_datasets.c: generates datasets for demonstrations and tests. */
#include "base/memory.h"
#include "base/number/portable_math.h"
#include "base/random/random.h"
#include "data/column_names.h"
#include "data/table.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 11 };

typedef struct toy_dataset {
    const char *name;
    size_t columns;
    const char *names[MAX_COLUMNS];
    sg_status (*fill)(size_t rows, uint64_t seed, double *values);
} toy_dataset;

/* --- Mackey-Glass ---
 * dx/dt = 0.2 x(t-17) / (1 + x(t-17)^10) - 0.1 x(t), x(0) = 1.2, x(t) = 0 for t < 0: the benchmark of
 * Jang, "ANFIS", IEEE Trans. SMC 23(3), 1993. Integrated by the fourth-order Runge-Kutta method with step size 0.1. */

enum { PER_UNIT = 10, DELAY = 17 * PER_UNIT, FIRST_TIME = 118 };

static double slope(double x, double delayed)
{
    double squared = delayed * delayed, fourth = squared * squared; /* results of pow differ between C libraries */
    return 0.2 * delayed / (1 + fourth * fourth * squared) - 0.1 * x;
}

static double delayed_value(const double *x, size_t k) { return k < DELAY ? 0 : x[k - DELAY]; }

static double rk4_step(const double *x, size_t k)
{
    const double h = 1.0 / PER_UNIT;
    double then = delayed_value(x, k), end = delayed_value(x, k + 1), half = (then + end) / 2;
    double k1 = slope(x[k], then);
    double k2 = slope(x[k] + h / 2 * k1, half);
    double k3 = slope(x[k] + h / 2 * k2, half);
    double k4 = slope(x[k] + h * k3, end);
    return x[k] + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

static sg_status fill_mackey_glass(size_t rows, uint64_t seed, double *values)
{
    static const int offsets[] = {-18, -12, -6, 0, 6};
    (void)seed;
    size_t steps, units = rows + FIRST_TIME + 6;
    double *x = sg_checked_mul(units, PER_UNIT, &steps) ? sg_calloc(steps + 1, sizeof *x) : NULL;
    if (!x) return sg_fail(SG_ENOMEM, "out of memory while generating %zu rows of mackey-glass", rows);
    x[0] = 1.2;
    for (size_t k = 0; k < steps; k++) x[k + 1] = rk4_step(x, k);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < 5; j++) values[i * 5 + j] = x[(i + (size_t)(FIRST_TIME + offsets[j])) * PER_UNIT];
    free(x);
    return SG_OK;
}

/* --- Friedman's first function ("Multivariate adaptive regression splines", 1991) ---
 * Ten inputs, five of them relevant, and unit noise. */

static sg_status fill_friedman(size_t rows, uint64_t seed, double *values)
{
    for (size_t i = 0; i < rows; i++) {
        double *x = values + i * 11;
        sg_random_stream s = sg_random_stream_at(seed, SG_RANDOM_SYNTHETIC_DATA, 0, i);
        for (size_t j = 0; j < 10; j++) x[j] = sg_random_stream_uniform(&s);
        x[10] = 10 * sg_sin(3.141592653589793 * x[0] * x[1]) + 20 * (x[2] - 0.5) * (x[2] - 0.5) + 10 * x[3] + 5 * x[4] +
                sg_random_stream_normal(&s);
    }
    return SG_OK;
}

/* --- a deterministic dataset from a linear congruential generator, easy to reproduce elsewhere --- */

static double lcg_next(uint32_t *state)
{
    *state = (UINT32_C(1103515245) * *state + 12345) & 0x7fffffff;
    return *state * 0x1p-31;
}

static sg_status fill_lcg(size_t rows, uint64_t seed, double *values)
{
    (void)seed;
    uint32_t state = 1;
    for (size_t i = 0; i < rows; i++) {
        double *x = values + i * 6;
        for (size_t j = 0; j < 5; j++) x[j] = (2 * lcg_next(&state) - 1) * 1.7320508075688772;
        x[5] = sg_sin(2 * x[0]) + x[1] * x[2] + 0.5 * x[3] * x[3] - 0.3 * x[4] + 0.4 * (2 * lcg_next(&state) - 1);
    }
    return SG_OK;
}

/* --- the table --- */

static const toy_dataset toy_datasets[] = {
    {"mackey-glass", 5, {"x(t-18)", "x(t-12)", "x(t-6)", "x(t)", "x(t+6)"}, fill_mackey_glass},
    {"friedman", 11, {"x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "y"}, fill_friedman},
    {"lcg", 6, {"x1", "x2", "x3", "x4", "x5", "y"}, fill_lcg},
};

enum { GENERATORS = sizeof toy_datasets / sizeof *toy_datasets };

static const toy_dataset *find_toy_dataset(const char *name)
{
    for (size_t i = 0; i < GENERATORS; i++)
        if (strcmp(toy_datasets[i].name, name) == 0) return &toy_datasets[i];
    return NULL;
}

static sg_status fail_unknown(const char *name)
{
    const char *names[GENERATORS + 1] = {NULL};
    char shown[64];
    sg_text all = {0};
    for (size_t i = 0; i < GENERATORS; i++) names[i] = toy_datasets[i].name;
    const char *near = sg_suggest(name, names);
    sg_column_names_join(names, NULL, GENERATORS, &all);
    sg_quote_excerpt(name, strlen(name), shown, sizeof shown);
    if (near) sg_fail(SG_EINVAL, "unknown dataset \"%s\"; did you mean %s?", shown, near);
    else if (all.failed) sg_fail(SG_EINVAL, "unknown dataset \"%s\"", shown);
    else sg_fail(SG_EINVAL, "unknown dataset \"%s\"; expected one of %s", shown, all.bytes);
    sg_text_release(&all);
    return SG_EINVAL;
}

sg_status sg_table_generate(const char *name, size_t rows, uint64_t seed, sg_table **out)
{
    const toy_dataset *g = find_toy_dataset(name);
    size_t count;
    if (!g) return fail_unknown(name);
    if (rows == 0) return sg_fail(SG_EINVAL, "%s: expected at least one row, got none", name);
    double *values = sg_checked_mul(rows, g->columns, &count) ? sg_calloc(count, sizeof *values) : NULL;
    if (!values) return sg_fail(SG_ENOMEM, "out of memory while generating %zu rows of %s", rows, name);
    sg_status st = g->fill(rows, seed, values);
    if (st != SG_OK) {
        free(values);
        return st;
    }
    return sg_table_adopt(g->name, g->names, g->columns, 0, values, NULL, rows, out);
}
