/* measure.c: the table of cases, and how prediction goes with rows and threads. See measure.h. */
#include "measure.h"

#include "race.h"
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 1000000 }; /* rows of a long prediction */

/* --- cases --- */

typedef struct entrant {
    subject s;
    const work *w;
    char who[32];
    const char *precision;
} entrant;

/* Runs for a moment; returns how many examples that were. */
static size_t for_a_moment(entrant *e)
{
    double start = now();
    size_t examples = 0;
    do examples += e->w->run(&e->s);
    while (now() - start < SHORT);
    return examples;
}

/* Caches are cold after the others' turns, so the first moment is not measured. */
static double repeat(contender *c)
{
    for_a_moment(c->self);
    double start = now_cpu();
    size_t examples = for_a_moment(c->self);
    return 1e9 * (now_cpu() - start) / (double)examples;
}

static size_t enter(entrant *e, const bench_case *c, const char *kernel, const char *precision)
{
    if (!kernel_use(kernel)) return 0;
    if (kernel) snprintf(e->who, sizeof e->who, "sugeno/%s", kernel);
    else strcpy(e->who, "sugeno");
    e->precision = precision;
    subject_init(&e->s, c, precision, SUBJECT_ROWS);
    return 1;
}

void measure_case(const bench_case *c)
{
    entrant e[8];
    size_t n = enter(&e[0], c, NULL, "f64");
    n += enter(&e[n], c, NULL, "f32");
    n += enter(&e[n], c, "reference", "f64");
    n += enter(&e[n], c, "portable", "f64");
    kernel_use(NULL);
    for (size_t k = 0; work_at(k); k++) {
        contender list[8];
        for (size_t i = 0; i < n; i++) {
            e[i].w = work_at(k);
            list[i] = (contender){.threads = 1, .once = repeat, .self = &e[i], .fma = e[i].w->fma ? e[i].w->fma(c) : 0};
            strcpy(list[i].who, e[i].who);
            strcpy(list[i].precision, e[i].precision);
        }
        race(work_at(k)->name, c->name, list, n);
    }
    for (size_t i = 0; i < n; i++) subject_release(&e[i].s);
}

/* --- rows --- */

typedef struct call {
    sg_predictor *predictor;
    const double *x;
    double *y;
    size_t rows;
} call;

static double repeat_call(contender *c)
{
    call *k = c->self;
    double start = now(), seconds;
    size_t examples = 0;
    do {
        for (size_t i = 0; i == 0 || i * k->rows < 256; i++) {
            must(sg_predictor_run(k->predictor, k->x, k->rows, k->y));
            examples += k->rows;
        }
        seconds = now() - start;
    } while (seconds < SHORT);
    return 1e9 * seconds / (double)examples;
}

static size_t cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 1;
}

static contender caller(call *k, const char *precision, size_t threads)
{
    contender c = {.who = "sugeno", .threads = threads, .once = repeat_call, .self = k};
    strcpy(c.precision, precision);
    return c;
}

void measure_rows(void)
{
    static const size_t counts[] = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, MANY};
    const bench_case *c = case_at(0);
    sg_table *t = case_table(c, MANY);
    double *x = case_inputs(c, t), *y = room(MANY, c->outputs * sizeof *y);
    call k[3];
    subject s;
    subject_init(&s, c, "f64", SUBJECT_ROWS);
    for (size_t i = 0; i < 3; i++) {
        k[i] = (call){.x = x, .y = y};
        must(sg_predictor_new(s.model, i == 1 ? "f32" : "f64", i == 2 ? cores() : 1, &k[i].predictor));
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char of[24];
        contender list[3] = {caller(&k[0], "f64", 1), caller(&k[1], "f32", 1), caller(&k[2], "f64", cores())};
        snprintf(of, sizeof of, "%zu", counts[i]);
        for (size_t j = 0; j < 3; j++) k[j].rows = counts[i];
        race("rows", of, list, cores() > 1 ? 3 : 2);
    }
    for (size_t i = 0; i < 3; i++) sg_predictor_free(k[i].predictor);
    subject_release(&s);
    sg_table_free(t);
    free(x);
    free(y);
}

/* --- threads --- */

enum { FOLDS = 8, ITERATIONS = 200, MOST_THREADS = 8 };

typedef struct validation {
    sg_source rows;
    sg_options *options;
} validation;

static double cross_validate(contender *c)
{
    validation *v = c->self;
    sg_metrics folds[FOLDS];
    size_t finished;
    double start = now();
    must(sg_cross_validate(v->options, &v->rows, &(sg_cv_options){.folds = FOLDS}, folds, &finished));
    return 1e9 * (now() - start) / (FOLDS * ITERATIONS * 64);
}

static void race_folds(void)
{
    const bench_case *c = case_at(0);
    sg_table *t = case_table(c, 8192);
    contender list[MOST_THREADS];
    validation v[MOST_THREADS];
    size_t n = 0;
    for (size_t threads = 1; threads <= cores() && n < MOST_THREADS; threads *= 2, n++) {
        char count[24], iterations[24];
        snprintf(count, sizeof count, "%zu", threads);
        snprintf(iterations, sizeof iterations, "%d", ITERATIONS);
        v[n].rows = sg_table_source(t);
        must(sg_options_new(&v[n].options));
        must(sg_options_set(v[n].options, "preset", "mbgd-rda"));
        must(sg_options_set(v[n].options, "threads", count));
        must(sg_options_set(v[n].options, "iters", iterations));
        list[n] =
            (contender){.who = "sugeno", .precision = "f64", .threads = threads, .once = cross_validate, .self = &v[n]};
    }
    race_long("folds", c->name, list, n);
    while (n-- > 0) sg_options_free(v[n].options);
    sg_table_free(t);
}

/* The same model and rows for each number of threads. */
static void race_predictors(const sg_model *m, const double *x, double *y, size_t rows)
{
    contender list[MOST_THREADS];
    call k[MOST_THREADS];
    size_t n = 0;
    for (size_t threads = 1; threads <= cores() && n < MOST_THREADS; threads *= 2, n++) {
        k[n] = (call){.x = x, .y = y, .rows = rows};
        must(sg_predictor_new(m, "f64", threads, &k[n].predictor));
        list[n] = caller(&k[n], "f64", threads);
    }
    race("threads", case_at(0)->name, list, n);
    while (n-- > 0) sg_predictor_free(k[n].predictor);
}

void measure_threads(void)
{
    const bench_case *c = case_at(0);
    sg_table *t = case_table(c, MANY);
    double *x = case_inputs(c, t), *y = room(MANY, c->outputs * sizeof *y);
    subject s;
    subject_init(&s, c, "f64", SUBJECT_ROWS);
    race_predictors(s.model, x, y, MANY);
    subject_release(&s);
    sg_table_free(t);
    free(x);
    free(y);
    race_folds();
}
