/* benchmark_cases.c: the table of benchmark cases, generated rows, trainers and kernels. */
#include "benchmark_cases.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_case cases[] = {
    /* name                 inputs mfs rules outputs batch scale missing */
    {"grid-5x2", 5, 2, 0, 1, 64, NULL, 0}, /* the paper's: 32 rules */
    {"grid-3x2", 3, 2, 0, 1, 64, NULL, 0},
    {"grid-4x2", 4, 2, 0, 1, 64, NULL, 0},
    {"grid-6x2", 6, 2, 0, 1, 64, NULL, 0},
    {"grid-7x2", 7, 2, 0, 1, 64, NULL, 0},
    {"grid-8x2", 8, 2, 0, 1, 64, NULL, 0},
    {"grid-9x2", 9, 2, 0, 1, 64, NULL, 0},
    {"grid-10x2", 10, 2, 0, 1, 64, NULL, 0}, /* 1024 rules */
    {"grid-3x3", 3, 3, 0, 1, 64, NULL, 0},
    {"grid-4x3", 4, 3, 0, 1, 64, NULL, 0},
    {"grid-5x2-outputs-2", 5, 2, 0, 2, 64, NULL, 0},
    {"grid-5x2-zscore", 5, 2, 0, 1, 64, "zscore", 0},
    {"cluster-16x10", 10, 0, 16, 1, 64, NULL, 0},
    {"cluster-30x50", 50, 0, 30, 1, 64, NULL, 0},
    {"cluster-30x5", 5, 0, 30, 1, 64, NULL, 0},
    {"cluster-30x10", 10, 0, 30, 1, 64, NULL, 0},
    {"cluster-30x20", 20, 0, 30, 1, 64, NULL, 0},
    {"cluster-30x100", 100, 0, 30, 1, 64, NULL, 0},
    {"cluster-4x10", 10, 0, 4, 1, 64, NULL, 0},
    {"cluster-64x10", 10, 0, 64, 1, 64, NULL, 0},
    {"cluster-256x10", 10, 0, 256, 1, 64, NULL, 0},
    {"grid-5x2-batch-4", 5, 2, 0, 1, 4, NULL, 0},
    {"grid-5x2-batch-16", 5, 2, 0, 1, 16, NULL, 0},
    {"grid-5x2-batch-256", 5, 2, 0, 1, 256, NULL, 0},
    {"grid-5x2-batch-1024", 5, 2, 0, 1, 1024, NULL, 0},
    {"grid-5x2-batch-4096", 5, 2, 0, 1, 4096, NULL, 0},
    {"grid-5x2-missing", 5, 2, 0, 1, 64, NULL, 5}, /* a fifth of the inputs */
    {"grid-3x3-missing", 3, 3, 0, 2, 64, "zscore", 5},
    {"cluster-16x10-missing", 10, 0, 16, 1, 64, NULL, 5},
};

const bench_case *case_at(size_t i) { return i < sizeof cases / sizeof *cases ? &cases[i] : NULL; }

const bench_case *case_find(const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, name) == 0) return &cases[i];
    return NULL;
}

size_t case_rules(const bench_case *c)
{
    size_t rules = 1;
    if (c->mfs == 0) return c->rules;
    for (size_t i = 0; i < c->inputs; i++) rules *= c->mfs;
    return rules;
}

void must(sg_status st)
{
    if (st == SG_OK) return;
    fprintf(stderr, "bench: %s\n", sg_errmsg());
    exit(1);
}

void *must_calloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    return p;
}

/* --- rows --- */

/* Knuth's MMIX generator; its high bits are good enough to spread rows. */
static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

sg_table *case_table(const bench_case *c, size_t rows)
{
    size_t columns = c->inputs + c->outputs;
    double *values = must_calloc(rows, columns * sizeof *values);
    char(*made)[24] = must_calloc(columns, sizeof *made);
    const char **names = must_calloc(columns, sizeof *names);
    uint64_t state = 2385;
    sg_table *t;
    for (size_t i = 0; i < columns; i++) {
        snprintf(made[i], sizeof *made, i < c->inputs ? "x%zu" : "y%zu", i < c->inputs ? i : i - c->inputs);
        names[i] = made[i];
    }
    for (size_t r = 0; r < rows; r++) {
        double *x = values + r * columns, *y = x + c->inputs, sum = 0;
        for (size_t i = 0; i < c->inputs; i++) sum += (x[i] = uniform(&state)) * (double)(1 + i % 3);
        for (size_t o = 0; o < c->outputs; o++)
            y[o] = sin(sum + (double)o) + x[0] * x[c->inputs - 1] + 0.1 * uniform(&state);
        for (size_t i = 0; c->missing && i < c->inputs; i++)
            if (uniform(&state) < 2.0 / (double)c->missing - 1) x[i] = NAN;
    }
    must(sg_table_new(names, columns, values, rows, &t));
    free(names);
    free(made);
    free(values);
    return t;
}

double *case_inputs(const bench_case *c, const sg_table *t)
{
    size_t rows = sg_table_rows(t), columns = sg_table_columns(t);
    double *x = must_calloc(rows, c->inputs * sizeof *x);
    for (size_t r = 0; r < rows; r++)
        memcpy(x + r * c->inputs, sg_table_values(t) + r * columns, c->inputs * sizeof *x);
    return x;
}

/* --- trainers --- */

static void set_number(sg_options *o, const char *name, size_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", value);
    must(sg_options_set(o, name, digits));
}

/* "y0,y1" */
static const char *targets(const bench_case *c, char *buf, size_t size)
{
    size_t at = 0;
    for (size_t o = 0; o < c->outputs && at < size; o++)
        at += (size_t)snprintf(buf + at, size - at, "%sy%zu", o ? "," : "", o);
    return buf;
}

static void set_all(sg_options *o, const char *settings)
{
    char name[32], value[64];
    int used;
    while (settings && sscanf(settings, " %31[^= ]=%63s%n", name, value, &used) == 2) {
        must(sg_options_set(o, name, value));
        settings += used;
    }
}

sg_trainer *case_trainer(const bench_case *c, const sg_source *rows, const char *precision, size_t threads,
                         const char *settings)
{
    char names[256];
    sg_options *o;
    sg_trainer *t;
    must(sg_options_new(&o));
    set_all(o, "preset=mbgd-rda pca=0 iters=4000000000");
    must(sg_options_set(o, "scale", c->scale ? c->scale : "none"));
    must(sg_options_set(o, "targets", targets(c, names, sizeof names)));
    must(sg_options_set(o, "precision", precision));
    set_number(o, "batch", c->batch);
    set_number(o, "threads", threads);
    if (c->mfs) set_number(o, "mfs", c->mfs);
    else set_number(o, "rules", c->rules);
    set_all(o, settings);
    must(sg_trainer_new(o, rows, NULL, &t));
    sg_options_free(o);
    return t;
}

/* --- kernels --- */

const char *kernel_at(size_t i)
{
    static const char *const names[] = {"reference", "portable", "avx2", "neon"};
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}

int kernel_use(const char *name)
{
    if (!name) return unsetenv("SUGENO_KERNEL") == 0;
    if (setenv("SUGENO_KERNEL", name, 1) != 0) return 0;
    const char *chosen = sg_kernel_name();
    return chosen && strcmp(chosen, name) == 0;
}
