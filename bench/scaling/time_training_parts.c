/* time_training_parts.c: times reading, statistics, training steps and evaluation. */
#include "time_training_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void must(sg_status st)
{
    if (st == SG_OK) return;
    fprintf(stderr, "scaling: %s\n", sg_errmsg());
    exit(1);
}

static void usage(void)
{
    fputs("scaling: see bench/scaling/time_training_parts.h for usage\n", stderr);
    exit(2);
}

/* --- time --- */

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

span span_start(void) { return (span){seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)}; }

span span_since(span start)
{
    span now = span_start();
    return (span){now.wall - start.wall, now.cpu - start.cpu};
}

void span_best(span *best, span s)
{
    if (best->wall == 0 || s.wall < best->wall) best->wall = s.wall;
    if (best->cpu == 0 || s.cpu < best->cpu) best->cpu = s.cpu;
}

/* --- arguments --- */

static size_t count_at(int argc, char **argv, int i)
{
    size_t n = i < argc ? strtoul(argv[i], NULL, 10) : 0;
    if (n == 0) usage();
    return n;
}

sg_options *probe_options(int argc, char **argv, int i, const sg_comm *team)
{
    sg_options *o;
    must(sg_options_new(&o));
    must(sg_options_set(o, "preset", "mbgd-rda"));
    must(sg_options_set(o, "threads", "1"));
    for (; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (!value) usage();
        *value = '\0';
        must(sg_options_set(o, argv[i], value + 1));
    }
    sg_options_set_comm(o, team, 0);
    return o;
}

/* --- parts --- */

static void read_file(const char *path)
{
    enum { BUFFER = 1 << 20 };
    void *buffer;
    ssize_t n = posix_memalign(&buffer, 4096, BUFFER) ? -1 : 1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    while (file >= 0 && n > 0) n = read(file, buffer, BUFFER);
    if (file < 0 || n < 0) {
        fprintf(stderr, "scaling: cannot read %s: %s\n", path, strerror(errno));
        exit(1);
    }
    close(file);
    free(buffer);
}

static span reading(int argc, char **argv, const sg_comm *team)
{
    span best = {0, 0};
    (void)team;
    for (size_t i = count_at(argc, argv, 3); i; i--) {
        span start = span_start();
        read_file(argv[2]);
        span_best(&best, span_since(start));
    }
    return best;
}

static span statistics(int argc, char **argv, const sg_comm *team)
{
    span best = {0, 0};
    sg_options *o = probe_options(argc, argv, 4, team);
    sg_dataset *data;
    must(sg_dataset_open((const char *const *)&argv[2], 1, o, NULL, 0, &data));
    sg_source rows = sg_dataset_source(data);
    for (size_t i = count_at(argc, argv, 3); i; i--) {
        sg_trainer *t;
        span start = span_start();
        must(sg_trainer_new(o, &rows, NULL, &t));
        span_best(&best, span_since(start));
        sg_trainer_free(t);
    }
    sg_dataset_free(data);
    sg_options_free(o);
    return best;
}

static span steps(int argc, char **argv, const sg_comm *team)
{
    const size_t rounds = count_at(argc, argv, 3), each = count_at(argc, argv, 4);
    span best = {0, 0};
    sg_options *o = probe_options(argc, argv, 5, team);
    sg_dataset *data;
    sg_trainer *t;
    sg_progress p;
    must(sg_options_set(o, "iters", "1000000000"));
    must(sg_dataset_open((const char *const *)&argv[2], 1, o, NULL, 0, &data));
    sg_source rows = sg_dataset_source(data);
    must(sg_trainer_new(o, &rows, NULL, &t));
    for (size_t r = 0; r < rounds; r++) {
        span start = span_start();
        for (size_t i = 0; i < each; i++) must(sg_trainer_step(t, &p));
        span_best(&best, span_since(start));
    }
    sg_trainer_free(t);
    sg_dataset_free(data);
    sg_options_free(o);
    return (span){best.wall / (double)each, best.cpu / (double)each};
}

static span evaluation(int argc, char **argv, const sg_comm *team)
{
    span best = {0, 0};
    sg_dataset *data;
    sg_model *m;
    sg_metrics metrics;
    if (argc < 5) usage();
    sg_options *o = probe_options(argc, argv, 5, team);
    size_t threads = strtoul(sg_options_get(o, "threads"), NULL, 10);
    must(sg_model_load(argv[4], &m));
    must(sg_dataset_open_for_model((const char *const *)&argv[2], 1, o, m, 1, NULL, &data));
    sg_source rows = sg_dataset_source(data);
    for (size_t i = count_at(argc, argv, 3); i; i--) {
        span start = span_start();
        must(sg_model_evaluate(m, &rows, NULL, threads, &metrics));
        span_best(&best, span_since(start));
    }
    sg_dataset_free(data);
    sg_model_free(m);
    sg_options_free(o);
    return best;
}

static const struct {
    const char *name;
    span (*run)(int argc, char **argv, const sg_comm *team);
} parts[] = {{"reading", reading}, {"statistics", statistics}, {"steps", steps}, {"evaluation", evaluation}};

int time_training_part(int argc, char **argv, const sg_comm *team)
{
    if (argc < 4) usage();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(argv[1], parts[i].name) != 0) continue;
        span s = parts[i].run(argc, argv, team);
        if (!team || team->rank == 0) printf("%.9g %.9g\n", s.wall, s.cpu);
        return 0;
    }
    usage();
    return 2;
}
