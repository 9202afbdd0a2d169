/* runner.c: runs implementations round by round, keeps the best time of each, and writes the results as CSV. */
#include "runner.h"

#include "benchmark_cases.h"
#include "fma_peak.h"
#include "peer_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_IMPLEMENTATIONS = 24, ROUNDS = 100, LONG_ROUNDS = 7, QUICK = 10 }; /* QUICK: divides the rounds */

typedef struct result {
    char work[32], case_name[48], name[64], precision[8];
    size_t threads;
    double ns, peak_ns, fma, ratio;
} result;

static struct {
    result *line;
    size_t lines, space;
    double peak_ns[2];       /* of one multiply-add, f64 and f32: best of the current benchmark ... */
    double whole_peak_ns[2]; /* ... and of the whole run */
    int quick;
} all;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double now(void) { return seconds(CLOCK_MONOTONIC); }
double now_cpu(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

void runner_set_quick(int yes) { all.quick = yes; }

static double smaller_time(double a, double b) { return a == 0 || b < a ? b : a; }

/* Measured in every round, for as long as an implementation runs, and used for that benchmark only: so a fraction of
 * peak does not depend on changes of the clock rate. */
static void measure_fma_peak(size_t (*units)(void), double *ns)
{
    const double start = now_cpu();
    size_t n = 0;
    do n += units();
    while (now_cpu() - start < MIN_SECONDS);
    *ns = smaller_time(*ns, 1e9 * (now_cpu() - start) / (double)n);
}

static int is_f32(const char *precision) { return strcmp(precision, "f32") == 0; }

/* --- results --- */

static result *add(const char *work, const char *case_name, const char *name, const char *precision)
{
    if (all.lines == all.space) {
        all.space = all.space ? 2 * all.space : 256;
        all.line = realloc(all.line, all.space * sizeof *all.line);
        if (!all.line) exit(1);
    }
    result *r = &all.line[all.lines++];
    *r = (result){0};
    snprintf(r->work, sizeof r->work, "%s", work);
    snprintf(r->case_name, sizeof r->case_name, "%s", case_name);
    snprintf(r->name, sizeof r->name, "%s", name);
    snprintf(r->precision, sizeof r->precision, "%s", precision);
    return r;
}

void result_note(const char *what, const char *value) { add("about", what, value, ""); }

static void write_result(FILE *f, const result *r)
{
    fprintf(f, "%s,%s,%s,%s,", r->work, r->case_name, r->name, r->precision);
    if (r->threads) fprintf(f, "%zu", r->threads);
    fputc(',', f);
    if (r->ns > 0) fprintf(f, "%.5g", r->ns);
    fputc(',', f);
    if (r->fma > 0) fprintf(f, "%.3f", r->fma * r->peak_ns / r->ns / (double)r->threads);
    fputc(',', f);
    if (r->ratio > 0) fprintf(f, "%.4g", r->ratio);
    fputc('\n', f);
}

int results_write(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    fprintf(f, "work,case,who,precision,threads,ns,fraction_of_peak,ratio\n");
    for (size_t i = 0; i < 2; i++) {
        result *r = add("peak", fma_peak_units(), "one multiply-add", i ? "f32" : "f64");
        r->threads = 1;
        r->ns = all.whole_peak_ns[i];
    }
    for (size_t i = 0; i < all.lines; i++) write_result(f, &all.line[i]);
    return fclose(f) == 0;
}

/* --- running --- */

static void run_round(implementation *list, size_t n)
{
    measure_fma_peak(fma_peak_f64, &all.peak_ns[0]);
    measure_fma_peak(fma_peak_f32, &all.peak_ns[1]);
    for (size_t i = 0; i < n; i++) {
        if (list[i].ns < 0) continue;
        double ns = list[i].run_once(&list[i]);
        list[i].ns = ns < 0 ? -1 : smaller_time(list[i].ns, ns);
    }
}

static double find_time(const implementation *list, size_t n, const char *precision)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, "sugeno") == 0 && strcmp(list[i].precision, precision) == 0) return list[i].ns;
    return 0;
}

/* The time that ratios refer to: ours at the same precision, or else in double. */
static double our_time(const implementation *list, size_t n, const char *precision)
{
    double same = find_time(list, n, precision);
    return same > 0 ? same : find_time(list, n, "f64");
}

static void run(const char *work, const char *case_name, implementation *list, size_t n, size_t rounds)
{
    implementation every[MAX_IMPLEMENTATIONS];
    memcpy(every, list, n * sizeof *list);
    n += peers_add_offers(work, case_name, every + n, MAX_IMPLEMENTATIONS - n);
    if (all.quick) rounds = (rounds + QUICK - 1) / QUICK;
    all.peak_ns[0] = all.peak_ns[1] = 0;
    for (size_t i = 0; i < rounds; i++) run_round(every, n);
    for (size_t i = 0; i < 2; i++) all.whole_peak_ns[i] = smaller_time(all.whole_peak_ns[i], all.peak_ns[i]);
    for (size_t i = 0; i < n; i++) {
        if (every[i].ns <= 0) continue;
        result *r = add(work, case_name, every[i].name, every[i].precision);
        r->threads = every[i].threads;
        r->ns = every[i].ns;
        r->peak_ns = all.peak_ns[is_f32(every[i].precision)];
        r->fma = every[i].fma;
        r->ratio = r->ns / our_time(every, n, every[i].precision);
        printf("%-10s %-20s %-20s %s %zu %12.1f ns %9.2f\n", work, case_name, r->name, r->precision, r->threads, r->ns,
               r->ratio);
    }
    fflush(stdout);
}

void run_benchmark(const char *work, const char *case_name, implementation *list, size_t n)
{
    run(work, case_name, list, n, ROUNDS);
}

void run_benchmark_long(const char *work, const char *case_name, implementation *list, size_t n)
{
    run(work, case_name, list, n, LONG_ROUNDS);
}
