/* cell.c: see cell.h. */
#include "cell.h"

#include "summary.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIXED_COLUMNS = 6 };

const char *const preprocessing_names[PREPROCESSINGS] = {"ours", "authors"};

size_t cell_iteration(const cell *c, size_t point)
{
    size_t k = (point + 1) * c->every;
    return k < c->iterations ? k : c->iterations;
}

const sg_table *cell_table(const cell *c) { return c->data->table[c->experiment->variant]; }

void cell_release(cell *c)
{
    free(c->name);
    free(c->test);
    free(c->seconds);
    *c = (cell){0};
}

static void curve_path(const cell *c, const char *folder, text *out)
{
    text_add(out, "%s/curves/%s.csv", folder, c->name);
}

/* One row: iteration, means and spreads for who draws them, then every run. */
static void fill_row(const cell *c, size_t point, double *row)
{
    const double *test = c->test + point * c->repeats, *train = c->train + point * c->repeats;
    stat on_test = cell_test(c, point), on_train = cell_train(c, point);
    row[0] = (double)cell_iteration(c, point);
    row[1] = on_test.mean;
    row[2] = on_test.sd;
    row[3] = on_train.mean;
    row[4] = on_train.sd;
    row[5] = cell_rate(c, point);
    memcpy(row + FIXED_COLUMNS, test, c->repeats * sizeof *row);
    memcpy(row + FIXED_COLUMNS + c->repeats, train, c->repeats * sizeof *row);
}

static sg_status save_table(const cell *c, const char *path)
{
    static const char *const fixed[FIXED_COLUMNS] = {"iteration", "test", "test_sd", "train", "train_sd", "rate"};
    size_t columns = FIXED_COLUMNS + 2 * c->repeats;
    const char **names = calloc(columns, sizeof *names);
    char(*made)[32] = calloc(columns, sizeof *made);
    double *values = calloc(c->points, columns * sizeof *values);
    sg_table *t = NULL;
    sg_status st = names && made && values ? SG_OK : fail(SG_ENOMEM, "out of memory");
    for (size_t i = 0; st == SG_OK && i < columns; i++) {
        size_t r = (i - FIXED_COLUMNS) % c->repeats;
        int test = i < FIXED_COLUMNS + c->repeats;
        if (i >= FIXED_COLUMNS) snprintf(made[i], sizeof *made, "%s_%zu", test ? "test" : "train", r);
        names[i] = i < FIXED_COLUMNS ? fixed[i] : made[i];
    }
    for (size_t p = 0; st == SG_OK && p < c->points; p++) fill_row(c, p, values + p * columns);
    if (st == SG_OK) st = sg_table_new(names, columns, values, c->points, &t);
    if (st == SG_OK) st = sg_table_save(t, path);
    sg_table_free(t);
    free(names);
    free(made);
    free(values);
    return st;
}

sg_status cell_save(const cell *c, const char *folder)
{
    text path = {0};
    curve_path(c, folder, &path);
    if (path.failed) return fail(SG_ENOMEM, "out of memory");
    char *slash = strrchr(path.bytes, '/');
    *slash = '\0';
    sg_status st = make_folders(path.bytes);
    *slash = '/';
    if (st == SG_OK) st = save_table(c, path.bytes);
    text_free(&path);
    return st;
}

int cell_load(cell *c, const char *folder)
{
    text path = {0};
    sg_table *t = NULL;
    size_t columns = FIXED_COLUMNS + 2 * c->repeats;
    curve_path(c, folder, &path);
    int good = !path.failed && sg_table_read(path.bytes, NULL, NULL, 0, &t) == SG_OK &&
               sg_table_columns(t) == columns && sg_table_rows(t) == c->points;
    for (size_t p = 0; good && p < c->points; p++) {
        const double *row = sg_table_values(t) + p * columns;
        memcpy(c->test + p * c->repeats, row + FIXED_COLUMNS, c->repeats * sizeof *row);
        memcpy(c->train + p * c->repeats, row + FIXED_COLUMNS + c->repeats, c->repeats * sizeof *row);
        for (size_t r = 0; r < c->repeats; r++) c->rate[p * c->repeats + r] = row[5];
    }
    sg_table_free(t);
    text_free(&path);
    return good;
}
