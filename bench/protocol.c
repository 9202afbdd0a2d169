/* protocol.c: the paper's protocol on its largest dataset. See measure.h. */
#include "measure.h"

#include "race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 500, ROWS = 45730 };

static struct {
    sg_table *table;
    sg_subset *train, *test;
    sg_options *options;
} protein;

static int read_real(const char *data)
{
    char path[4096];
    if (!data || !*data) return 0;
    snprintf(path, sizeof path, "%s/protein.csv", data);
    return sg_table_read(path, NULL, NULL, 0, &protein.table) == SG_OK;
}

void protocol_open(const char *data)
{
    int real = read_real(data);
    if (!real) must(sg_table_generate("friedman", ROWS, 1, &protein.table));
    result_note("protocol", real ? "Protein's rows" : "generated rows of Protein's size");
    sg_source all = sg_table_source(protein.table);
    size_t test = (size_t)(0.3 * (double)all.rows + 0.5);
    must(sg_subset_split(&all, 0, 0, test, 0, &protein.train));
    must(sg_subset_split(&all, 0, 0, test, 1, &protein.test));
    must(sg_options_new(&protein.options));
    must(sg_options_set(protein.options, "preset", "mbgd-rda"));
    must(sg_options_set(protein.options, "threads", "1"));
}

void protocol_close(void)
{
    sg_options_free(protein.options);
    sg_subset_free(protein.train);
    sg_subset_free(protein.test);
    sg_table_free(protein.table);
}

static sg_trainer *fresh(void)
{
    sg_source train = sg_subset_source(protein.train);
    sg_trainer *t;
    must(sg_trainer_new(protein.options, &train, NULL, &t));
    return t;
}

/* Rows of a source as the rules see them, and the target in its own units. */
static void share_rows(const char *folder, const char *name, const sg_model *m, const sg_source *s)
{
    size_t width = sg_model_transform_width(m), inputs = s->columns - 1;
    double *rows = room(s->rows, s->columns * sizeof *rows);
    double *x = room(s->rows, width * sizeof *x), *y = room(s->rows, sizeof *y);
    char file[32];
    must(s->read(s->self, 0, s->rows, rows));
    for (size_t i = 0; i < s->rows; i++) {
        must(sg_model_transform(m, rows + i * s->columns, 1, x + i * width));
        y[i] = rows[i * s->columns + inputs];
    }
    snprintf(file, sizeof file, "protein/%s_x", name);
    share(folder, file, x, s->rows * width);
    snprintf(file, sizeof file, "protein/%s_t", name);
    share(folder, file, y, s->rows);
    free(rows);
    free(x);
    free(y);
}

void protocol_write(const char *folder)
{
    sg_trainer *t = fresh();
    const sg_model *m = sg_trainer_current(t);
    sg_source train = sg_subset_source(protein.train), test = sg_subset_source(protein.test);
    share_rows(folder, "train", m, &train);
    share_rows(folder, "test", m, &test);
    share(folder, "protein/start", sg_model_theta(m), sg_model_parameters(m));
    sg_trainer_free(t);
}

/* Transforms and the first system are made before the clock starts: for peers, too. */
static double run_protocol(contender *c)
{
    sg_source test = sg_subset_source(protein.test);
    sg_trainer *t = fresh();
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

/* Nanoseconds an iteration. */
void measure_protocol(void)
{
    contender ours = {.who = "sugeno", .precision = "f64", .threads = 1, .once = run_protocol};
    race_long("protocol", "protein", &ours, 1);
}
