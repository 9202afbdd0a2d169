/* fuzz_model.c: reads any bytes as a model file. A model that loads must predict finite numbers for finite rows, have a
 * description, and not change when it is written and read. */
#include "base/memory.h"
#include "sugeno.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Checks prediction intervals, if the model is calibrated. */
static void check_intervals(const sg_model *m, const double *y, size_t rows)
{
    size_t n = rows * sg_model_outputs(m);
    double *lower = sg_calloc(2 * n, sizeof *lower), *upper = lower + n;
    assert(lower);
    sg_status st = sg_model_interval(m, 0.9, y, rows, lower, upper);
    assert(st == (sg_model_calibration_rows(m) >= 9 ? SG_OK : SG_EDATA));
    for (size_t i = 0; st == SG_OK && i < n; i++)
        assert(isfinite(lower[i]) && isfinite(upper[i]) && lower[i] <= upper[i]);
    free(lower);
}

static void check_predictions(const sg_model *m)
{
    static const double values[] = {0, 1, -1, 1e308, -1e308};
    enum { ROWS = sizeof values / sizeof *values + 1 };
    size_t inputs = sg_model_inputs(m), outputs = sg_model_outputs(m);
    double *x = sg_calloc(ROWS * inputs, sizeof *x), *y = sg_calloc(ROWS * outputs, sizeof *y);
    assert(x && y);
    for (size_t i = 0; i < ROWS * inputs; i++) /* the last row is mixed */
        x[i] = i / inputs < ROWS - 1 ? values[i / inputs] : values[i % inputs % 5];
    assert(sg_model_predict(m, x, ROWS, y) == SG_OK);
    for (size_t i = 0; i < ROWS * outputs; i++) assert(isfinite(y[i]));
    check_intervals(m, y, ROWS);
    free(x);
    free(y);
}

static void check_description(const sg_model *m)
{
    char *words, *json;
    assert(sg_model_describe(m, &words) == SG_OK && sg_model_describe_json(m, &json) == SG_OK);
    assert(strlen(words) > 0);
    json_t *value = json_loads(json, 0, NULL);
    assert(value);
    assert(json_array_size(json_object_get(value, "rules")) == sg_model_block_rules(m));
    json_decref(value);
    sg_string_free(words);
    sg_string_free(json);
}

static void check_theta(const sg_model *m, const sg_model *again)
{
    size_t n = sg_model_parameters(m);
    assert(n == sg_model_parameters(again));
    assert(memcmp(sg_model_theta(m), sg_model_theta(again), n * sizeof(double)) == 0);
    for (size_t i = 0; i < n; i++) assert(isfinite(sg_model_theta(m)[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_model *m = NULL, *again = NULL;
    char *text, *twice;
    sg_status st = sg_model_from_json((const char *)data, size, "fuzz", &m);
    if (st != SG_OK) {
        assert(st == SG_EDATA && !m && strncmp(sg_errmsg(), "fuzz:", 5) == 0);
        return 0;
    }
    check_predictions(m);
    check_description(m);
    assert(sg_model_to_json(m, &text) == SG_OK);
    assert(sg_model_from_json(text, strlen(text), "again", &again) == SG_OK);
    assert(sg_model_to_json(again, &twice) == SG_OK);
    assert(strcmp(text, twice) == 0);
    check_theta(m, again);
    sg_string_free(text);
    sg_string_free(twice);
    sg_model_free(m);
    sg_model_free(again);
    return 0;
}
