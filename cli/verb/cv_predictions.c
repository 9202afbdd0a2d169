/* cv_predictions.c: see cv_predictions.h. */
#include "verb/cv_predictions.h"

#include "output/csv_emit.h"

#include <stdio.h>

static sg_status put_names(const cli_cv_predictions *l, const char *prefix)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < l->outputs; i++) {
        st = cli_csv_text(l->out, ",");
        if (st == SG_OK) st = cli_csv_name(l->out, prefix, l->targets[i]);
    }
    return st;
}

static sg_status put_header(const cli_cv_predictions *l)
{
    sg_status st = cli_csv_text(l->out, "row,fold");
    if (st == SG_OK) st = put_names(l, "");
    if (st == SG_OK) st = l->outputs == 1 ? cli_csv_text(l->out, ",prediction") : put_names(l, "prediction_");
    return st == SG_OK ? cli_csv_text(l->out, "\n") : st;
}

/* Nobody needs a file until there is something to write: trainings take long, and may fail. */
static sg_status open_file(cli_cv_predictions *l)
{
    sg_status st = sg_atomic_file_open(l->path, &l->out);
    return st == SG_OK ? put_header(l) : st;
}

sg_status cli_cv_predictions_write(cli_cv_predictions *l, size_t row, size_t fold, const double *targets,
                                   const double *predictions)
{
    char head[64];
    snprintf(head, sizeof head, "%zu,%zu,", row + 1, fold + 1);
    sg_status st = l->out ? SG_OK : open_file(l);
    if (st == SG_OK) st = cli_csv_text(l->out, head);
    if (st == SG_OK) st = cli_csv_numbers(l->out, targets, l->outputs);
    if (st == SG_OK) st = cli_csv_text(l->out, ",");
    if (st == SG_OK) st = cli_csv_numbers(l->out, predictions, l->outputs);
    return st == SG_OK ? cli_csv_text(l->out, "\n") : st;
}

sg_status cli_cv_predictions_commit(cli_cv_predictions *l)
{
    sg_atomic_file *out = l->out;
    l->out = NULL;
    return out ? sg_atomic_file_commit(out) : SG_OK;
}

void cli_cv_predictions_abandon(cli_cv_predictions *l)
{
    sg_atomic_file_free(l->out);
    l->out = NULL;
}
