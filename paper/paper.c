/* paper.c: the paper's main comparison on its ten datasets: test RMSE after 500 iterations of RR,
 * MBGD, MBGD-A and MBGD-RDA, median over ten random splits into 70 % and 30 %, beside the mean
 * that the paper's Fig. 2 shows.
 *
 *     paper FOLDER      where FOLDER holds pm10.csv, no2.csv, ...
 *
 * Transforms are fitted on the training part; the paper fitted them on all rows. */
#include "sugeno.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPLITS = 10, ALGORITHMS = 4 };

static const char *const algorithms[ALGORITHMS] = {"rr", "mbgd", "mbgd-a", "mbgd-rda"};

typedef struct dataset {
    const char *file;
    double paper[ALGORITHMS]; /* read off Fig. 2 at iteration 500 */
} dataset;

static const dataset datasets[] = {
    {"pm10.csv", {.8141, .7973, .8606, .7714}},
    {"no2.csv", {.6226, .6055, .6457, .5738}},
    {"housing.csv", {4.886, 8.134, 4.385, 4.302}},
    {"concrete.csv", {12.643, 16.44, 12.364, 12.544}},
    {"airfoil.csv", {4.806, 6.386, 4.570, 4.604}},
    {"wine-red.csv", {.6575, .6673, .6860, .6592}},
    {"abalone.csv", {2.348, 2.589, 2.317, 2.315}},
    {"wine-white.csv", {.7958, .7792, .7453, .7456}},
    {"powerplant.csv", {4.552, 15.36, 4.391, 4.533}},
    {"protein.csv", {5.570, 5.736, 5.665, 5.636}},
};

/* Test RMSE of one algorithm on one split; SG_EDIVERGED keeps the last finite system. */
static sg_status run(const sg_source *rows, const char *algorithm, unsigned split, double *rmse)
{
    char seed[16];
    sg_options *o = NULL;
    sg_subset *train = NULL, *test = NULL;
    sg_trainer *t = NULL;
    sg_progress p;
    sg_metrics m;
    size_t held_out = (size_t)(0.3 * (double)rows->rows + 0.5);
    snprintf(seed, sizeof seed, "%u", split);
    sg_status st = sg_options_new(&o);
    if (st == SG_OK) st = sg_options_set(o, "preset", algorithm);
    if (st == SG_OK) st = sg_options_set(o, "seed", seed);
    if (st == SG_OK) st = sg_subset_split(rows, split, 0, held_out, 0, &train);
    if (st == SG_OK) st = sg_subset_split(rows, split, 0, held_out, 1, &test);
    if (st == SG_OK) {
        sg_source train_rows = sg_subset_source(train), test_rows = sg_subset_source(test);
        st = sg_trainer_new(o, &train_rows, NULL, &t);
        do
            if (st == SG_OK) st = sg_trainer_step(t, &p);
        while (st == SG_OK && p.more);
        if (st == SG_EDIVERGED) fprintf(stderr, "%s, split %u: %s\n", algorithm, split, sg_errmsg());
        if (st == SG_OK || st == SG_EDIVERGED)
            st = sg_model_evaluate(sg_trainer_current(t), &test_rows, NULL, 0, &m);
        if (st == SG_OK) *rmse = m.rmse;
    }
    sg_trainer_free(t);
    sg_subset_free(train);
    sg_subset_free(test);
    sg_options_free(o);
    return st;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(double *rmse, double paper)
{
    double mean = 0, sum = 0;
    qsort(rmse, SPLITS, sizeof *rmse, ascending);
    for (size_t i = 0; i < SPLITS; i++) mean += rmse[i] / SPLITS;
    for (size_t i = 0; i < SPLITS; i++) sum += (rmse[i] - mean) * (rmse[i] - mean);
    printf(" %.4g ± %.2g (%.4g) |", (rmse[SPLITS / 2 - 1] + rmse[SPLITS / 2]) / 2,
           sqrt(sum / (SPLITS - 1)), paper);
    fflush(stdout);
}

static sg_status run_dataset(const dataset *d, const sg_table *t)
{
    sg_source rows = sg_table_source(t);
    printf("| %.*s |", (int)strcspn(d->file, "."), d->file);
    for (size_t a = 0; a < ALGORITHMS; a++) {
        double rmse[SPLITS];
        for (unsigned s = 0; s < SPLITS; s++) {
            sg_status st = run(&rows, algorithms[a], s, &rmse[s]);
            if (st != SG_OK) return st;
        }
        report(rmse, d->paper[a]);
    }
    printf("\n");
    return SG_OK;
}

int main(int argc, char **argv)
{
    int failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: paper FOLDER (make paper DATA=FOLDER): the folder of the ten datasets\n");
        return 2;
    }
    printf("Test RMSE: median ± standard deviation over %d splits (the paper's mean)\n\n|", SPLITS);
    for (size_t a = 0; a < ALGORITHMS; a++) printf("%s %s |", a ? "" : " dataset |", algorithms[a]);
    printf("\n|%s\n", " --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < sizeof datasets / sizeof *datasets; i++) {
        char path[4096];
        sg_table *t = NULL;
        snprintf(path, sizeof path, "%s/%s", argv[1], datasets[i].file);
        sg_status st = sg_table_read(path, NULL, NULL, 0, &t);
        if (st == SG_OK) st = run_dataset(&datasets[i], t);
        if (st != SG_OK) {
            fprintf(stderr, "%s\n", sg_errmsg());
            failed = 1;
        }
        sg_table_free(t);
    }
    return failed;
}
