/* predict_output.h: what predict tells of a row: the prediction, where asked for an interval around it, and the inputs
 * for which the row lies outside what the rules were trained on. */
#ifndef SUGENO_CLI_VERB_PREDICT_OUTPUT_H
#define SUGENO_CLI_VERB_PREDICT_OUTPUT_H

#include "cli.h"
#include "output/json_emit.h"

typedef struct cli_predict_output {
    const sg_model *model;
    bool interval, outside;
    double level;
    size_t outputs, width; /* of what comes of a row */
    double *lower, *upper; /* (outputs): of the row at hand */
    char *name_buffer;     /* room for those of all inputs */
} cli_predict_output;

/* By --interval and --outside. A model that has no such intervals is a failure, with a sentence. Release is due in any
 * case. */
int cli_predict_output_init(cli_predict_output *p, const cli_command *c, const sg_model *m);
void cli_predict_output_release(cli_predict_output *p);
/* All rows, as sg_model_predict_source; y has `width` numbers a row. */
sg_status cli_predict_output_run(const cli_predict_output *p, const sg_source *rows, size_t threads,
                                 sg_predictions_fn *take, void *arg);

/* A line of CSV each, the second of a row's y. */
sg_status cli_predict_output_csv_header(const cli_predict_output *p, sg_atomic_file *out);
sg_status cli_predict_output_csv_row(cli_predict_output *p, const double *y, sg_atomic_file *out);

/* The i-th thing that is told of rows, NULL after the last: "predictions", "lower", ...; and the item of a row's y. */
const char *cli_predict_output_json_key(const cli_predict_output *p, size_t i);
void cli_predict_output_json_value(cli_predict_output *p, size_t i, const double *y, cli_json *to);

#endif
