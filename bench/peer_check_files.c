/* peer_check_files.c: writes the files with which a peer checks that it computes the same as we do. */
#include "benchmarks.h"

#include "workload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CHECK_ROWS = 64, CHECK_STEPS = 20 };

static void fail_file(const char *path)
{
    fprintf(stderr, "bench: %s: %s\n", path, strerror(errno));
    exit(1);
}

/* NAME may contain one folder, which is created. */
void peer_file_write(const char *folder, const char *name, const double *values, size_t n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.f64", folder, name);
    char *slash = strrchr(path, '/');
    *slash = 0;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) fail_file(path);
    *slash = '/';
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(values, sizeof *values, n, f) != n || fclose(f) != 0) fail_file(path);
}

static void write_case_file(const bench_case *c, const char *folder, const char *name, const double *values, size_t n)
{
    char file[128];
    snprintf(file, sizeof file, "%s/%s", c->name, name);
    peer_file_write(folder, file, values, n);
}

/* The target is the last column: cases with peers have one output. */
static void write_rows(const bench_case *c, const char *folder, const char *x_name, const char *t_name,
                       const sg_table *t)
{
    size_t rows = sg_table_rows(t), columns = sg_table_columns(t);
    double *x = case_inputs(c, t), *y = must_calloc(rows, sizeof *y);
    for (size_t i = 0; i < rows; i++) y[i] = sg_table_values(t)[i * columns + columns - 1];
    write_case_file(c, folder, x_name, x, rows * c->inputs);
    write_case_file(c, folder, t_name, y, rows);
    free(x);
    free(y);
}

/* Twenty full-batch steps without dropout: they use no random numbers, so the same steps give the same parameters. */
static void write_check(const bench_case *c, const char *folder)
{
    sg_table *t = case_table(c, CHECK_ROWS);
    sg_source rows = sg_table_source(t);
    sg_trainer *tr = case_trainer(c, &rows, "f64", 1, "batch=0 drop=none");
    const sg_model *m = sg_trainer_current(tr);
    sg_progress p;
    write_rows(c, folder, "check_x", "check_t", t);
    write_case_file(c, folder, "check_start", sg_model_theta(m), sg_model_parameters(m));
    for (int i = 0; i < CHECK_STEPS; i++) must(sg_trainer_step(tr, &p));
    write_case_file(c, folder, "check_end", sg_model_theta(m), sg_model_parameters(m));
    sg_trainer_free(tr);
    sg_table_free(t);
}

void peer_files_write_case(const bench_case *c, const char *folder)
{
    fixture s;
    fixture_init(&s, c, "f64", FIXTURE_ROWS);
    size_t rows = sg_table_rows(s.table);
    must(sg_predictor_run(s.predictor, s.x, rows, s.y));
    write_rows(c, folder, "x", "t", s.table);
    write_case_file(c, folder, "y", s.y, rows);
    write_case_file(c, folder, "theta", sg_model_theta(s.model), sg_model_parameters(s.model));
    fixture_release(&s);
    write_check(c, folder);
}
