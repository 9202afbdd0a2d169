/* time_csv_reading.c: times reading of CSV files with long numbers (17 digits) and short ones. */
#include "benchmarks.h"

#include "runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 50000 };

static const char *const file_kinds[] = {"long", "short"};

static void format_path(char *buf, size_t size, const char *folder, const char *kind)
{
    snprintf(buf, size, "%s/%s.csv", folder, kind);
}

/* Friedman's data with all digits, and with three decimals as in files of measurements. */
void csv_write(const char *folder)
{
    char path[4096];
    sg_table *t, *rounded;
    must(sg_table_generate("friedman", ROWS, 1, &t));
    size_t columns = sg_table_columns(t), n = columns * ROWS;
    double *values = must_calloc(n, sizeof *values);
    const char **names = must_calloc(columns, sizeof *names);
    for (size_t i = 0; i < n; i++) values[i] = round(1e3 * sg_table_values(t)[i]) / 1e3;
    for (size_t i = 0; i < columns; i++) names[i] = sg_table_name(t, i);
    must(sg_table_new(names, columns, values, ROWS, &rounded));
    format_path(path, sizeof path, folder, "long");
    must(sg_table_save(t, path));
    format_path(path, sizeof path, folder, "short");
    must(sg_table_save(rounded, path));
    sg_table_free(t);
    sg_table_free(rounded);
    free(names);
    free(values);
}

static double time_read(implementation *c)
{
    sg_table *t;
    double start = now_cpu();
    must(sg_table_read(c->self, NULL, NULL, 0, &t));
    double ns = 1e9 * (now_cpu() - start) / (double)(sg_table_rows(t) * sg_table_columns(t));
    sg_table_free(t);
    return ns;
}

/* In nanoseconds per number. */
void measure_csv(const char *folder)
{
    for (size_t i = 0; i < 2; i++) {
        char path[4096];
        format_path(path, sizeof path, folder, file_kinds[i]);
        implementation sugeno = {
            .name = "sugeno", .precision = "f64", .threads = 1, .run_once = time_read, .self = path};
        run_benchmark_long("csv", file_kinds[i], &sugeno, 1);
    }
}
