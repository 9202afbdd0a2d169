/* results.c: see results.h. Numbers are the shortest decimals that read back as the same doubles,
 * so equal text means equal bits. */
#include "results.h"

#include "summary.h"
#include "trial.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t iterations[] = {50, 100, 250, 500};
enum { COLUMNS = sizeof iterations / sizeof *iterations + 2 };
static const char *const columns[COLUMNS] = {"rmse_50", "rmse_100", "rmse_250", "rmse_500", "sd_500", "best"};

static void numbers(const cell *c, double out[COLUMNS])
{
    for (size_t i = 0; i < COLUMNS - 2; i++) out[i] = cell_test(c, cell_point_of(c, iterations[i])).mean;
    out[COLUMNS - 2] = cell_when(c, FINAL).sd;
    out[COLUMNS - 1] = cell_when(c, BEST).mean;
}

/* Support vectors are LIBSVM's numbers, not ours. */
static int listed(const cell *c) { return c->finished && !trial_svr(c->algorithm); }

sg_status results_write(const plan *p, const char *folder)
{
    text t = {0};
    text_add(&t, "cell,repeats,best_iteration");
    for (size_t i = 0; i < COLUMNS; i++) text_add(&t, ",%s", columns[i]);
    text_add(&t, "\n");
    for (size_t i = 0; i < p->cells; i++) {
        const cell *c = &p->cell[i];
        double value[COLUMNS];
        char number[32];
        if (!listed(c)) continue;
        numbers(c, value);
        text_add(&t, "%s,%zu,%zu", c->name, c->repeats, cell_iteration(c, cell_point_when(c, BEST)));
        for (size_t k = 0; k < COLUMNS; k++) text_add(&t, ",%s", sg_number_format(value[k], number));
        text_add(&t, "\n");
    }
    sg_status st = text_save(&t, folder, "results.csv");
    text_free(&t);
    return st;
}

/* How many numbers of the row differ; the largest relative change goes to *most. */
static size_t row_differs(const cell *c, const sheet *s, size_t row, double *most)
{
    double value[COLUMNS];
    size_t differing = 0;
    numbers(c, value);
    for (size_t k = 0; k < COLUMNS; k++) {
        char number[32];
        const char *was = sheet_get(s, row, columns[k]), *is = sg_number_format(value[k], number);
        if (strcmp(was, is) == 0) continue;
        double change = fabs(value[k] - strtod(was, NULL)) / fabs(value[k]);
        if (change > *most) *most = change;
        printf("%s: %s is %s, was %s\n", c->name, columns[k], is, was);
        differing++;
    }
    return differing;
}

sg_status results_check(const plan *p, const char *path, int whole, int *code)
{
    sheet s = {0};
    size_t compared = 0, differing = 0, unknown = 0, absent = 0;
    double most = 0;
    sg_status st = sheet_read(path, &s);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < p->cells; i++) {
        const cell *c = &p->cell[i];
        size_t row = 0;
        while (row < s.rows && strcmp(sheet_get(&s, row, "cell"), c->name) != 0) row++;
        if (!listed(c) || strcmp(c->data->found, c->data->sha256) != 0) continue;
        if (row == s.rows) unknown++;
        else differing += row_differs(c, &s, row, &most) > 0, compared++;
    }
    for (size_t row = 0; whole && row < s.rows; row++) absent += !plan_has(p, sheet_get(&s, row, "cell"));
    sheet_free(&s);
    printf("%zu results compared with %s: %zu differ", compared, path, differing);
    if (differing) printf(", by %.2g of their value at the most", most);
    if (unknown) printf("; %zu are not in it", unknown);
    if (absent) printf("; %zu of it were not run", absent);
    printf("\n");
    if (differing || unknown || absent || !compared) *code = 1;
    return SG_OK;
}
