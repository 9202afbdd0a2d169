/* bench.c: the benchmark program: verifies, times and counts the table of cases.
 *
 *     bench [--quick] [--out FOLDER] [--peer COMMAND]...   everything; writes FOLDER/results.csv
 *     bench --check [CASE]...                              compares every kernel with the reference
 *     bench --count WORK CASE PRECISION                    one piece of work, for callgrind
 *     bench --count csv FILE f64
 *
 * Times vary on a shared machine: compare only times of the same run. */
#include "benchmarks.h"
#include "count_instructions.h"
#include "peer_process.h"
#include "verify_kernels.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int usage(void)
{
    fprintf(stderr, "usage: bench [--quick] [--out FOLDER] [--peer COMMAND]...\n"
                    "       bench --check [CASE]...\n"
                    "       bench --count WORK CASE|FILE PRECISION\n");
    return 2;
}

/* Checks the named cases, or all. */
static int check(char **names, size_t count)
{
    int failed = 0;
    size_t n = 0;
    for (; count ? n < count : case_at(n) != NULL; n++) {
        const bench_case *c = count ? case_find(names[n]) : case_at(n);
        if (!c) return usage();
        failed += verify_case(c);
    }
    for (size_t k = 0; kernel_at(k); k++)
        if (kernel_use(kernel_at(k))) printf("%s ", kernel_at(k));
    printf("on %zu cases: %d failed\n", n, failed);
    return failed ? 1 : 0;
}

/* For peers; the library's threads are set by options. */
static void limit_threads(void)
{
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("MKL_NUM_THREADS", "1", 1);
}

static void note_machine(int quick)
{
    char line[256], name[128] = "unknown";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name%*[ \t]: %127[^\n,]", name) == 1) break;
    if (f) fclose(f);
    result_note("processor", name);
    result_note("kernel", sg_kernel_name());
    result_note("compiler", COMPILER);
    result_note("sugeno", sg_version());
    result_note("run", quick ? "quick" : "full");
}

static int measure_all(const char *out, int quick, char **peers, size_t n)
{
    char path[4096];
    int good = 1;
    mkdir(out, 0777);
    runner_set_quick(quick);
    note_machine(quick);
    protocol_open(getenv("SUGENO_DATA"));
    csv_write(out);
    peer_files_write_case(case_at(0), out);
    protocol_write(out);
    for (size_t i = 0; i < n; i++) good = peer_start(peers[i], out) && good;
    if (!good) return 1;
    for (size_t i = 0; case_at(i); i++) measure_case(case_at(i));
    measure_rows();
    measure_threads();
    measure_csv(out);
    measure_protocol();
    peers_stop();
    protocol_close();
    snprintf(path, sizeof path, "%s/results.csv", out);
    if (results_write(path)) return 0;
    perror(path);
    return 1;
}

static int run(int argc, char **argv, char **peers)
{
    const char *out = "bench-results";
    size_t n = 0;
    int quick = 0;
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], "--check") == 0) return check(argv + at + 1, (size_t)(argc - at - 1));
        if (strcmp(argv[at], "--count") == 0 && at + 3 < argc)
            return count_run(argv[at + 1], argv[at + 2], argv[at + 3]) ? 0 : usage();
        if (strcmp(argv[at], "--quick") == 0) quick = 1;
        else if (strcmp(argv[at], "--out") == 0 && at + 1 < argc) out = argv[++at];
        else if (strcmp(argv[at], "--peer") == 0 && at + 1 < argc) peers[n++] = argv[++at];
        else return usage();
    }
    return measure_all(out, quick, peers, n);
}

int main(int argc, char **argv)
{
    char **peers = must_calloc((size_t)argc, sizeof *peers);
    signal(SIGPIPE, SIG_IGN); /* a dead peer is noticed when it does not answer */
    limit_threads();
    int code = run(argc, argv, peers);
    free(peers);
    return code;
}
