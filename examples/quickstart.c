/* quickstart.c: section 1 of sugeno.h. Reads a CSV file, trains a model, predicts a row and saves the model.
 *
 *     cc quickstart.c $(pkg-config --cflags --libs sugeno) -o quickstart && ./quickstart mackey-glass.csv */
#include <sugeno.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    const double x[] = {0.9, 1.0, 1.1, 1.2}; /* x(t-18), x(t-12), x(t-6), x(t) */
    double y;
    sg_options *options = NULL;
    sg_table *table = NULL;
    sg_model *model = NULL;

    sg_status st = sg_options_new(&options);
    if (st == SG_OK) st = sg_options_set(options, "budget", "2"); /* plan two seconds of search */
    if (st == SG_OK) st = sg_table_read(argc > 1 ? argv[1] : "mackey-glass.csv", options, NULL, 0, &table);
    if (st == SG_OK) {
        sg_source rows = sg_table_source(table);
        st = sg_train(options, &rows, NULL, NULL, NULL, &model);
    }
    if (st == SG_OK) st = sg_model_predict(model, x, 1, &y);
    if (st == SG_OK) printf("x(t+6) is about %.2f\n", y);
    if (st == SG_OK) st = sg_model_save(model, "quickstart.json");
    if (st != SG_OK) fprintf(stderr, "%s\n", sg_errmsg());

    sg_model_free(model);
    sg_table_free(table);
    sg_options_free(options);
    return st != SG_OK;
}
