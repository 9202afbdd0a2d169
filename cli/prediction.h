/* prediction.h: what predict tells of a row: the prediction, where asked for an interval around it, and the inputs for
 * which the row lies outside what the rules were trained on. */
#ifndef SUGENO_CLI_PREDICTION_H
#define SUGENO_CLI_PREDICTION_H

#include "cli.h"
#include "json_emit.h"

typedef struct cli_prediction {
    const sg_model *model;
    bool interval, outside;
    double level;
    size_t outputs, width; /* of what comes of a row */
    double *lower, *upper; /* (outputs): of the row at hand */
    char *names;           /* room for those of all inputs */
} cli_prediction;

/* By --interval and --outside. A model that has no such intervals is a failure, with a sentence. Release is due in any
 * case. */
int cli_prediction_init(cli_prediction *p, const cli_call *c, const sg_model *m);
void cli_prediction_release(cli_prediction *p);
/* All rows, as sg_model_predict_source; y has `width` numbers a row. */
sg_status cli_prediction_run(const cli_prediction *p, const sg_source *rows, size_t threads, sg_take_fn *take,
                             void *arg);

/* A line of CSV each, the second of a row's y. */
sg_status cli_prediction_header(const cli_prediction *p, sg_output *out);
sg_status cli_prediction_line(cli_prediction *p, const double *y, sg_output *out);

/* The i-th thing that is told of rows, NULL after the last: "predictions", "lower", ...; and the item of a row's y. */
const char *cli_prediction_key(const cli_prediction *p, size_t i);
void cli_prediction_item(cli_prediction *p, size_t i, const double *y, cli_json *to);

#endif
