/* bench.c: what a training step, a prediction and reading a CSV file cost, best of several.
 *
 * Times on a shared machine jump: compare figures of one run only. */
#include "sugeno.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRIES = 7 };

typedef struct shape {
    const char *name;
    size_t rows; /* of Friedman's function, ten inputs */
    const char *settings[4]; /* name, value, name, value */
} shape;

static const shape shapes[] = {
    {"grid, 5 inputs, 32 rules", 2000, {"pca", "5"}},
    {"grid, 8 inputs, 256 rules", 2000, {"pca", "8"}},
    {"clusters, 10 inputs, 30 rules", 2000, {"structure", "cluster", "rules", "30"}},
};

static void must(sg_status st)
{
    if (st == SG_OK) return;
    fprintf(stderr, "bench: %s\n", sg_errmsg());
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double least(double a, double b) { return a == 0 || b < a ? b : a; }

/* Nanoseconds an example of a step at batch 64, and of a prediction. */
static void measure(const shape *s, const sg_source *rows, const double *x, double *y)
{
    sg_options *o;
    sg_trainer *t;
    sg_progress p;
    double step = 0, predict = 0;
    must(sg_options_new(&o));
    must(sg_options_set(o, "pca", "0"));
    must(sg_options_set(o, "threads", "1"));
    for (size_t i = 0; i < 4 && s->settings[i]; i += 2)
        must(sg_options_set(o, s->settings[i], s->settings[i + 1]));
    must(sg_trainer_new(o, rows, NULL, &t));
    for (int i = 0; i < TRIES; i++) {
        double start = now();
        for (int k = 0; k < 50; k++) must(sg_trainer_step(t, &p));
        step = least(step, (now() - start) / (50 * 64));
        start = now();
        must(sg_model_predict(sg_trainer_current(t), x, s->rows, y));
        predict = least(predict, (now() - start) / (double)s->rows);
    }
    printf("%-32s %10.0f %10.0f\n", s->name, 1e9 * step, 1e9 * predict);
    sg_trainer_free(t);
    sg_options_free(o);
}

static void measure_csv(void)
{
    const char *path = "bench-rows.csv";
    sg_table *t, *back;
    double best = 0;
    must(sg_table_generate("friedman", 100000, 1, &t));
    must(sg_table_save(t, path));
    FILE *f = fopen(path, "rb");
    long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
    if (f) fclose(f);
    for (int i = 0; i < TRIES; i++) {
        double start = now();
        must(sg_table_read(path, NULL, NULL, 0, &back));
        best = least(best, now() - start);
        sg_table_free(back);
    }
    printf("\nreading CSV, 17 digits a number: %.0f MB/s\n", (double)size / best / 1e6);
    remove(path);
    sg_table_free(t);
}

int main(void)
{
    printf("%-32s %10s %10s\n", "ns an example, one thread", "step", "predict");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        sg_table *t;
        must(sg_table_generate("friedman", shapes[i].rows, 1, &t));
        sg_source rows = sg_table_source(t);
        double *x = malloc(shapes[i].rows * 10 * sizeof *x), *y = malloc(shapes[i].rows * sizeof *y);
        if (!x || !y) return 1;
        for (size_t r = 0; r < shapes[i].rows; r++)
            for (size_t k = 0; k < 10; k++) x[r * 10 + k] = sg_table_values(t)[r * 11 + k];
        measure(&shapes[i], &rows, x, y);
        free(x);
        free(y);
        sg_table_free(t);
    }
    measure_csv();
    return 0;
}
