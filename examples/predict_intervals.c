/* predict_intervals.c: section 3 of sugeno.h. Trains with calibration, reloads the model and predicts with intervals.
 */
#include <sugeno.h>

#include <stdio.h>

enum { ROWS = 3 };

/* Trains on the Mackey-Glass series, calibrates by 5-fold cross-validation and saves the model. */
static sg_status train_and_save(const char *path)
{
    sg_options *options = NULL;
    sg_table *table = NULL;
    sg_model *model = NULL;
    sg_status st = sg_options_new(&options);
    if (st == SG_OK) st = sg_options_set(options, "preset", "mbgd-rda");
    if (st == SG_OK) st = sg_options_set(options, "intervals", "5");
    if (st == SG_OK) st = sg_table_generate("mackey-glass", 1000, 1, &table);
    if (st == SG_OK) {
        sg_source rows = sg_table_source(table);
        st = sg_train(options, &rows, NULL, NULL, NULL, &model);
    }
    if (st == SG_OK) st = sg_model_save(model, path);
    sg_model_free(model);
    sg_table_free(table);
    sg_options_free(options);
    return st;
}

static sg_status predict(const sg_model *model)
{
    const double x[ROWS * 4] = {0.9, 1.0, 1.1, 1.2, 1.2, 1.1, 0.9, 0.7, 0.5, 0.6, 0.8, 1.0};
    double y[ROWS], lower[ROWS], upper[ROWS];
    sg_predictor *predictor = NULL;
    sg_status st = sg_predictor_new(model, "f64", 1, &predictor);
    if (st == SG_OK) st = sg_predictor_run(predictor, x, ROWS, y);
    if (st == SG_OK) st = sg_model_interval(model, 0.9, y, ROWS, lower, upper);
    for (size_t i = 0; st == SG_OK && i < ROWS; i++)
        printf("%.3f, in [%.3f, %.3f] with probability 0.9\n", y[i], lower[i], upper[i]);
    sg_predictor_free(predictor);
    return st;
}

int main(void)
{
    sg_model *model = NULL;
    sg_status st = train_and_save("models.json");
    if (st == SG_OK) st = sg_model_load("models.json", &model);
    if (st == SG_OK) printf("%zu inputs, %zu rules\n", sg_model_inputs(model), sg_model_rules(model));
    if (st == SG_OK) st = predict(model);
    if (st != SG_OK) fprintf(stderr, "%s\n", sg_errmsg());
    sg_model_free(model);
    return st != SG_OK;
}
