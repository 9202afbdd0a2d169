/* calibrate_folds.c: intervals from trainings that each left some rows out, through the public API. */
#include "auto/cv.h"
#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

/* All folds' errors together. */
static sg_status fit(sg_model *m, const sg_misses *fold, size_t folds)
{
    size_t width = m->outputs + 1, rows = 0;
    for (size_t i = 0; i < folds; i++) rows += fold[i].rows;
    double *all = sg_alloc(rows, width * sizeof *all), *to = all;
    if (!all) return sg_fail(SG_ENOMEM, "out of memory for errors");
    for (size_t i = 0; i < folds; i++) {
        memcpy(to, fold[i].row, fold[i].rows * width * sizeof *to);
        to += fold[i].rows * width;
    }
    sg_status st = sg_sure_fit(&m->sure, all, rows, m->outputs);
    free(all);
    return st;
}

sg_status sg_model_calibrate_folds(sg_model *m, const sg_options *o, const sg_source *rows, const sg_source *valid,
                                   sg_stop_fn *stop, void *arg)
{
    size_t folds = sg_options_size(o, "intervals"), finished = 0;
    sg_cv how = {.folds = folds, .stop = stop, .arg = arg};
    if (folds == 0) return SG_OK;
    if (folds == 1)
        return sg_fail(SG_EINVAL, "--intervals 1: expected 0, or at least 2 parts, each of which is left out once");
    sg_options *quiet = NULL; /* notices were told by the training itself */
    sg_misses *fold = sg_alloc(folds, sizeof *fold);
    sg_metrics *metrics = sg_alloc(folds, m->outputs * sizeof *metrics);
    sg_status st = fold && metrics ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu folds", folds);
    if (st == SG_OK) st = sg_options_clone(o, &quiet);
    if (st == SG_OK) st = sg_cross_validate_beside(quiet, rows, valid, &how, fold, metrics, &finished);
    if (st == SG_OK && finished == folds) st = fit(m, fold, folds);
    for (size_t i = 0; fold && i < folds; i++) free(fold[i].row);
    sg_options_free(quiet);
    free(fold);
    free(metrics);
    return st;
}
