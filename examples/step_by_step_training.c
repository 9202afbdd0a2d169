/* step_by_step_training.c: section 5 of sugeno.h. Holds out rows, trains step by step, evaluates and saves the model.
 */
#include <sugeno.h>

#include <stdio.h>

static int train(const char *path)
{
    sg_options *options = NULL;
    sg_table *table = NULL;
    sg_subset *train = NULL, *test = NULL;
    sg_trainer *trainer = NULL;
    sg_model *model = NULL;
    sg_progress progress;
    sg_metrics metrics;

    sg_status st = sg_options_new(&options);
    if (st == SG_OK) st = sg_options_set(options, "preset", "mbgd-rda");
    if (st == SG_OK) st = sg_table_read(path, options, NULL, 0, &table);
    if (st == SG_OK) {
        sg_source rows = sg_table_source(table);
        size_t held_out = rows.rows * 3 / 10;
        st = sg_subset_split(&rows, 1, 0, held_out, 0, &train);
        if (st == SG_OK) st = sg_subset_split(&rows, 1, 0, held_out, 1, &test);
    }
    if (st == SG_OK) {
        sg_source rows = sg_subset_source(train);
        st = sg_trainer_new(options, &rows, NULL, &trainer);
    }
    do { /* the caller drives the loop: it can log, stop early or draw a learning curve */
        if (st == SG_OK) st = sg_trainer_step(trainer, &progress);
    } while (st == SG_OK && progress.more);
    if (st == SG_OK) st = sg_trainer_model(trainer, &model);
    if (st == SG_OK) {
        sg_source rows = sg_subset_source(test);
        st = sg_model_evaluate(model, &rows, NULL, 0, &metrics);
    }
    if (st == SG_OK) printf("test RMSE %.4f on %zu rows\n", metrics.rmse, metrics.rows);
    if (st == SG_OK) st = sg_model_save(model, "training.json");
    if (st != SG_OK) fprintf(stderr, "%s\n", sg_errmsg());

    sg_model_free(model);
    sg_trainer_free(trainer);
    sg_subset_free(train);
    sg_subset_free(test);
    sg_table_free(table);
    sg_options_free(options);
    return st != SG_OK;
}

int main(int argc, char **argv) { return train(argc > 1 ? argv[1] : "mackey-glass.csv"); }
