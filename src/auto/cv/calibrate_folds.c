/* calibrate_folds.c: intervals from trainings that each left some rows out, through the public API. */
#include "auto/cv/cv.h"
#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

/* All folds' errors together. */
static sg_status fit_calibration(sg_model *m, const sg_residuals *fold, size_t folds)
{
    size_t width = m->outputs + 1, rows = 0;
    for (size_t i = 0; i < folds; i++) rows += fold[i].rows;
    double *all = sg_calloc(rows, width * sizeof *all), *to = all;
    if (!all) return sg_fail(SG_ENOMEM, "out of memory for errors");
    for (size_t i = 0; i < folds; i++) {
        memcpy(to, fold[i].row, fold[i].rows * width * sizeof *to);
        to += fold[i].rows * width;
    }
    sg_status st = sg_calibration_fit(&m->calibration, all, rows, m->outputs);
    free(all);
    return st;
}

sg_status sg_model_calibrate_folds(sg_model *m, const sg_options *o, const sg_source *rows, const sg_source *valid,
                                   sg_cancel_fn *stop, void *arg)
{
    size_t folds = sg_options_integer(o, "intervals"), finished = 0;
    sg_cv_options how = {.folds = folds, .stop = stop, .arg = arg};
    if (folds == 0) return SG_OK;
    if (folds == 1)
        return sg_fail(SG_EINVAL, "--intervals 1: expected 0, or at least 2 parts, each of which is left out once");
    sg_options *silent_options = NULL; /* notices were told by the training itself */
    sg_residuals *fold = sg_calloc(folds, sizeof *fold);
    sg_metrics *metrics = sg_calloc(folds, m->outputs * sizeof *metrics);
    sg_status st = fold && metrics ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu folds", folds);
    if (st == SG_OK) st = sg_options_clone(o, &silent_options);
    if (st == SG_OK) st = sg_cross_validate_with_valid(silent_options, rows, valid, &how, fold, metrics, &finished);
    if (st == SG_OK && finished == folds) st = fit_calibration(m, fold, folds);
    for (size_t i = 0; fold && i < folds; i++) free(fold[i].row);
    sg_options_free(silent_options);
    free(fold);
    free(metrics);
    return st;
}
