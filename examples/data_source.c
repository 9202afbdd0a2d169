/* data_source.c: section 2 of sugeno.h. Trains on rows that are computed when they are read.
 * Fill an sg_source to train from a database, a ring buffer or a sensor log. */
#include <sugeno.h>

#include <math.h>
#include <stdio.h>

/* y = sin(3 a) + b^2 on a lattice of points. */
static void make_row(size_t row, double *out)
{
    double a = (double)(row % 97) / 48 - 1, b = (double)(row % 89) / 44 - 1;
    out[0] = a;
    out[1] = b;
    out[2] = sin(3 * a) + b * b;
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    for (size_t i = 0; i < n; i++) make_row(first + i, out + 3 * i);
    return SG_OK;
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    (void)self;
    for (size_t i = 0; i < n; i++) make_row(rows[i], out + 3 * i);
    return SG_OK;
}

int main(void)
{
    static const char *const names[] = {"a", "b", "y"};
    sg_source rows = {
        .name = "lattice", .rows = 8633, .columns = 3, .names = names, .read = read_rows, .gather = gather_rows};
    sg_options *options = NULL;
    sg_trainer *trainer = NULL;
    sg_progress progress;
    sg_metrics metrics;
    sg_status st = sg_options_new(&options);
    if (st == SG_OK) st = sg_options_set(options, "preset", "mbgd-rda");
    if (st == SG_OK) st = sg_options_set(options, "mfs", "4");
    if (st == SG_OK) st = sg_options_set(options, "iters", "2000");
    if (st == SG_OK) st = sg_trainer_new(options, &rows, NULL, &trainer);
    do
        if (st == SG_OK) st = sg_trainer_step(trainer, &progress);
    while (st == SG_OK && progress.more);
    if (st == SG_OK) st = sg_model_evaluate(sg_trainer_current(trainer), &rows, NULL, 0, &metrics);
    if (st == SG_OK) printf("%zu rows, RMSE %.4f, R2 %.4f\n", metrics.rows, metrics.rmse, metrics.r2);
    else fprintf(stderr, "%s\n", sg_errmsg());
    sg_trainer_free(trainer);
    sg_options_free(options);
    return st != SG_OK || metrics.r2 < 0.9;
}
