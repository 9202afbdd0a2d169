/* share.c: see measure.h. */
#include "measure.h"

#include "work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CHECK_ROWS = 64, CHECK_STEPS = 20 };

static void no_file(const char *path)
{
    fprintf(stderr, "bench: %s: %s\n", path, strerror(errno));
    exit(1);
}

/* FOLDER/NAME.f64, with the one folder that NAME may name. */
void share(const char *folder, const char *name, const double *values, size_t n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.f64", folder, name);
    char *slash = strrchr(path, '/');
    *slash = 0;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) no_file(path);
    *slash = '/';
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(values, sizeof *values, n, f) != n || fclose(f) != 0) no_file(path);
}

static void share_of(const bench_case *c, const char *folder, const char *name, const double *values, size_t n)
{
    char file[128];
    snprintf(file, sizeof file, "%s/%s", c->name, name);
    share(folder, file, values, n);
}

/* Targets of all rows: the last column, as cases with peers have one output. */
static void share_rows(const bench_case *c, const char *folder, const char *x_name, const char *t_name,
                       const sg_table *t)
{
    size_t rows = sg_table_rows(t), columns = sg_table_columns(t);
    double *x = case_inputs(c, t), *y = room(rows, sizeof *y);
    for (size_t i = 0; i < rows; i++) y[i] = sg_table_values(t)[i * columns + columns - 1];
    share_of(c, folder, x_name, x, rows * c->inputs);
    share_of(c, folder, t_name, y, rows);
    free(x);
    free(y);
}

/* Twenty steps on all of a few rows, nothing dropped: no random number is in them, so whoever does
 * the same step ends at the same parameters. */
static void share_check(const bench_case *c, const char *folder)
{
    sg_table *t = case_table(c, CHECK_ROWS);
    sg_source rows = sg_table_source(t);
    sg_trainer *tr = case_trainer(c, &rows, "f64", 1, "batch=0 drop=none");
    const sg_model *m = sg_trainer_current(tr);
    sg_progress p;
    share_rows(c, folder, "check_x", "check_t", t);
    share_of(c, folder, "check_start", sg_model_theta(m), sg_model_parameters(m));
    for (int i = 0; i < CHECK_STEPS; i++) must(sg_trainer_step(tr, &p));
    share_of(c, folder, "check_end", sg_model_theta(m), sg_model_parameters(m));
    sg_trainer_free(tr);
    sg_table_free(t);
}

void share_case(const bench_case *c, const char *folder)
{
    subject s;
    subject_init(&s, c, "f64", SUBJECT_ROWS);
    size_t rows = sg_table_rows(s.table);
    must(sg_predictor_run(s.predictor, s.x, rows, s.y));
    share_rows(c, folder, "x", "t", s.table);
    share_of(c, folder, "y", s.y, rows);
    share_of(c, folder, "theta", sg_model_theta(s.model), sg_model_parameters(s.model));
    subject_release(&s);
    share_check(c, folder);
}
