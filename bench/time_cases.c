/* time_cases.c: times training steps, gradients and predictions of all cases, and how prediction scales with rows
 * and threads. */
#include "benchmarks.h"

#include "runner.h"
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY_ROWS = 1000000 };

/* --- cases --- */

typedef struct case_implementation {
    fixture s;
    const workload *w;
    char name[32];
    const char *precision;
} case_implementation;

/* Returns the number of examples processed in MIN_SECONDS. */
static size_t run_min_seconds(case_implementation *e)
{
    double start = now();
    size_t examples = 0;
    do examples += e->w->run(&e->s);
    while (now() - start < MIN_SECONDS);
    return examples;
}

/* Caches are cold after other implementations ran, so the first repetition is not timed. */
static double time_workload(implementation *c)
{
    run_min_seconds(c->self);
    double start = now_cpu();
    size_t examples = run_min_seconds(c->self);
    return 1e9 * (now_cpu() - start) / (double)examples;
}

static size_t add_implementation(case_implementation *e, const bench_case *c, const char *kernel, const char *precision)
{
    if (!kernel_use(kernel)) return 0;
    if (kernel) snprintf(e->name, sizeof e->name, "sugeno/%s", kernel);
    else strcpy(e->name, "sugeno");
    e->precision = precision;
    fixture_init(&e->s, c, precision, FIXTURE_ROWS);
    return 1;
}

void measure_case(const bench_case *c)
{
    case_implementation e[8];
    size_t n = add_implementation(&e[0], c, NULL, "f64");
    n += add_implementation(&e[n], c, NULL, "f32");
    n += add_implementation(&e[n], c, "reference", "f64");
    n += add_implementation(&e[n], c, "portable", "f64");
    kernel_use(NULL);
    for (size_t k = 0; workload_at(k); k++) {
        implementation list[8];
        for (size_t i = 0; i < n; i++) {
            e[i].w = workload_at(k);
            list[i] = (implementation){
                .threads = 1, .run_once = time_workload, .self = &e[i], .fma = e[i].w->fma ? e[i].w->fma(c) : 0};
            strcpy(list[i].name, e[i].name);
            strcpy(list[i].precision, e[i].precision);
        }
        run_benchmark(workload_at(k)->name, c->name, list, n);
    }
    for (size_t i = 0; i < n; i++) fixture_release(&e[i].s);
}

/* --- rows --- */

typedef struct prediction_call {
    sg_predictor *predictor;
    const double *x;
    double *y;
    size_t rows;
} prediction_call;

static double time_prediction(implementation *c)
{
    prediction_call *k = c->self;
    double start = now(), seconds;
    size_t examples = 0;
    do {
        for (size_t i = 0; i == 0 || i * k->rows < 256; i++) {
            must(sg_predictor_run(k->predictor, k->x, k->rows, k->y));
            examples += k->rows;
        }
        seconds = now() - start;
    } while (seconds < MIN_SECONDS);
    return 1e9 * seconds / (double)examples;
}

static size_t count_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 1;
}

static implementation prediction_implementation(prediction_call *k, const char *precision, size_t threads)
{
    implementation c = {.name = "sugeno", .threads = threads, .run_once = time_prediction, .self = k};
    strcpy(c.precision, precision);
    return c;
}

void measure_rows(void)
{
    static const size_t counts[] = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, MANY_ROWS};
    const bench_case *c = case_at(0);
    sg_table *t = case_table(c, MANY_ROWS);
    double *x = case_inputs(c, t), *y = must_calloc(MANY_ROWS, c->outputs * sizeof *y);
    prediction_call k[3];
    fixture s;
    fixture_init(&s, c, "f64", FIXTURE_ROWS);
    for (size_t i = 0; i < 3; i++) {
        k[i] = (prediction_call){.x = x, .y = y};
        must(sg_predictor_new(s.model, i == 1 ? "f32" : "f64", i == 2 ? count_cores() : 1, &k[i].predictor));
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char case_name[24];
        implementation list[3] = {prediction_implementation(&k[0], "f64", 1),
                                  prediction_implementation(&k[1], "f32", 1),
                                  prediction_implementation(&k[2], "f64", count_cores())};
        snprintf(case_name, sizeof case_name, "%zu", counts[i]);
        for (size_t j = 0; j < 3; j++) k[j].rows = counts[i];
        run_benchmark("rows", case_name, list, count_cores() > 1 ? 3 : 2);
    }
    for (size_t i = 0; i < 3; i++) sg_predictor_free(k[i].predictor);
    fixture_release(&s);
    sg_table_free(t);
    free(x);
    free(y);
}

/* --- threads --- */

enum { FOLDS = 8, ITERATIONS = 200, MAX_THREADS = 8 };

typedef struct cv_run {
    sg_source rows;
    sg_options *options;
} cv_run;

static double cross_validate(implementation *c)
{
    cv_run *v = c->self;
    sg_metrics folds[FOLDS];
    size_t finished;
    double start = now();
    must(sg_cross_validate(v->options, &v->rows, &(sg_cv_options){.folds = FOLDS}, folds, &finished));
    return 1e9 * (now() - start) / (FOLDS * ITERATIONS * 64);
}

static void benchmark_folds(void)
{
    const bench_case *c = case_at(0);
    sg_table *t = case_table(c, 8192);
    implementation list[MAX_THREADS];
    cv_run v[MAX_THREADS];
    size_t n = 0;
    for (size_t threads = 1; threads <= count_cores() && n < MAX_THREADS; threads *= 2, n++) {
        char count[24], iterations[24];
        snprintf(count, sizeof count, "%zu", threads);
        snprintf(iterations, sizeof iterations, "%d", ITERATIONS);
        v[n].rows = sg_table_source(t);
        must(sg_options_new(&v[n].options));
        must(sg_options_set(v[n].options, "preset", "mbgd-rda"));
        must(sg_options_set(v[n].options, "threads", count));
        must(sg_options_set(v[n].options, "iters", iterations));
        list[n] = (implementation){
            .name = "sugeno", .precision = "f64", .threads = threads, .run_once = cross_validate, .self = &v[n]};
    }
    run_benchmark_long("folds", c->name, list, n);
    while (n-- > 0) sg_options_free(v[n].options);
    sg_table_free(t);
}

static void benchmark_predictors(const sg_model *m, const double *x, double *y, size_t rows)
{
    implementation list[MAX_THREADS];
    prediction_call k[MAX_THREADS];
    size_t n = 0;
    for (size_t threads = 1; threads <= count_cores() && n < MAX_THREADS; threads *= 2, n++) {
        k[n] = (prediction_call){.x = x, .y = y, .rows = rows};
        must(sg_predictor_new(m, "f64", threads, &k[n].predictor));
        list[n] = prediction_implementation(&k[n], "f64", threads);
    }
    run_benchmark("threads", case_at(0)->name, list, n);
    while (n-- > 0) sg_predictor_free(k[n].predictor);
}

void measure_threads(void)
{
    const bench_case *c = case_at(0);
    sg_table *t = case_table(c, MANY_ROWS);
    double *x = case_inputs(c, t), *y = must_calloc(MANY_ROWS, c->outputs * sizeof *y);
    fixture s;
    fixture_init(&s, c, "f64", FIXTURE_ROWS);
    benchmark_predictors(s.model, x, y, MANY_ROWS);
    fixture_release(&s);
    sg_table_free(t);
    free(x);
    free(y);
    benchmark_folds();
}
