/* time_paper_protocol.c: times the paper's protocol on its largest dataset, Protein. */
#include "benchmarks.h"

#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 500, ROWS = 45730 };

static struct {
    sg_table *table;
    sg_subset *train, *test;
    sg_options *options;
} dataset;

static int read_protein(const char *data)
{
    char path[4096];
    if (!data || !*data) return 0;
    snprintf(path, sizeof path, "%s/protein.csv", data);
    return sg_table_read(path, NULL, NULL, 0, &dataset.table) == SG_OK;
}

void protocol_open(const char *data)
{
    int real = read_protein(data);
    if (!real) must(sg_table_generate("friedman", ROWS, 1, &dataset.table));
    result_note("protocol", real ? "Protein's rows" : "generated rows of Protein's size");
    sg_source all = sg_table_source(dataset.table);
    size_t test = (size_t)(0.3 * (double)all.rows + 0.5);
    must(sg_subset_split(&all, 0, 0, test, 0, &dataset.train));
    must(sg_subset_split(&all, 0, 0, test, 1, &dataset.test));
    must(sg_options_new(&dataset.options));
    must(sg_options_set(dataset.options, "preset", "mbgd-rda"));
    must(sg_options_set(dataset.options, "threads", "1"));
}

void protocol_close(void)
{
    sg_options_free(dataset.options);
    sg_subset_free(dataset.train);
    sg_subset_free(dataset.test);
    sg_table_free(dataset.table);
}

static sg_trainer *new_trainer(void)
{
    sg_source train = sg_subset_source(dataset.train);
    sg_trainer *t;
    must(sg_trainer_new(dataset.options, &train, NULL, &t));
    return t;
}

/* Writes preprocessed rows, and the target in its own units. */
static void write_rows(const char *folder, const char *name, const sg_model *m, const sg_source *s)
{
    size_t width = sg_model_transform_width(m), inputs = s->columns - 1;
    double *rows = must_calloc(s->rows, s->columns * sizeof *rows);
    double *x = must_calloc(s->rows, width * sizeof *x), *y = must_calloc(s->rows, sizeof *y);
    char file[32];
    must(s->read(s->self, 0, s->rows, rows));
    for (size_t i = 0; i < s->rows; i++) {
        must(sg_model_transform(m, rows + i * s->columns, 1, x + i * width));
        y[i] = rows[i * s->columns + inputs];
    }
    snprintf(file, sizeof file, "protein/%s_x", name);
    peer_file_write(folder, file, x, s->rows * width);
    snprintf(file, sizeof file, "protein/%s_t", name);
    peer_file_write(folder, file, y, s->rows);
    free(rows);
    free(x);
    free(y);
}

void protocol_write(const char *folder)
{
    sg_trainer *t = new_trainer();
    const sg_model *m = sg_trainer_current(t);
    sg_source train = sg_subset_source(dataset.train), test = sg_subset_source(dataset.test);
    write_rows(folder, "train", m, &train);
    write_rows(folder, "test", m, &test);
    peer_file_write(folder, "protein/start", sg_model_theta(m), sg_model_parameters(m));
    sg_trainer_free(t);
}

/* Preprocessing and initialization are not timed, for peers either. */
static double run_protocol(implementation *c)
{
    sg_source test = sg_subset_source(dataset.test);
    sg_trainer *t = new_trainer();
    sg_scorer *score;
    sg_progress p;
    sg_metrics m;
    (void)c;
    must(sg_scorer_new(sg_trainer_current(t), &test, NULL, 1, &score));
    double start = now_cpu();
    for (int i = 0; i < ITERATIONS; i++) {
        must(sg_trainer_step(t, &p));
        must(sg_scorer_run(score, &m));
    }
    double ns = 1e9 * (now_cpu() - start) / ITERATIONS;
    sg_scorer_free(score);
    sg_trainer_free(t);
    return ns;
}

/* In nanoseconds per iteration. */
void measure_protocol(void)
{
    implementation sugeno = {.name = "sugeno", .precision = "f64", .threads = 1, .run_once = run_protocol};
    run_benchmark_long("protocol", "protein", &sugeno, 1);
}
