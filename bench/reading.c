/* reading.c: reading CSV files of long numbers (17 digits) and of short ones. See measure.h. */
#include "measure.h"

#include "race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 50000 };

static const char *const kinds[] = {"long", "short"};

static void path_of(char *buf, size_t size, const char *folder, const char *kind)
{
    snprintf(buf, size, "%s/%s.csv", folder, kind);
}

/* Friedman's rows as they are; then with three decimals, as files of measurements have. */
void csv_write(const char *folder)
{
    char path[4096];
    sg_table *t, *rounded;
    must(sg_table_generate("friedman", ROWS, 1, &t));
    size_t columns = sg_table_columns(t), n = columns * ROWS;
    double *values = room(n, sizeof *values);
    const char **names = room(columns, sizeof *names);
    for (size_t i = 0; i < n; i++) values[i] = round(1e3 * sg_table_values(t)[i]) / 1e3;
    for (size_t i = 0; i < columns; i++) names[i] = sg_table_name(t, i);
    must(sg_table_new(names, columns, values, ROWS, &rounded));
    path_of(path, sizeof path, folder, "long");
    must(sg_table_save(t, path));
    path_of(path, sizeof path, folder, "short");
    must(sg_table_save(rounded, path));
    sg_table_free(t);
    sg_table_free(rounded);
    free(names);
    free(values);
}

static double read_once(contender *c)
{
    sg_table *t;
    double start = now_cpu();
    must(sg_table_read(c->self, NULL, NULL, 0, &t));
    double ns = 1e9 * (now_cpu() - start) / (double)(sg_table_rows(t) * sg_table_columns(t));
    sg_table_free(t);
    return ns;
}

/* Nanoseconds a number. */
void measure_csv(const char *folder)
{
    for (size_t i = 0; i < 2; i++) {
        char path[4096];
        path_of(path, sizeof path, folder, kinds[i]);
        contender ours = {.who = "sugeno", .precision = "f64", .threads = 1, .once = read_once, .self = path};
        race_long("csv", kinds[i], &ours, 1);
    }
}
