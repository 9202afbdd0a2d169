/* evaluate_source.h: a model, the rows that it predicts or is scored on, and the threads that do the work. */
#pragma once

#include "base/thread/thread_pool.h"
#include "predict/metrics_evaluator.h"
#include "rows/feature_source.h"

struct sg_scorer {
    sg_feature_source features;
    sg_thread_pool *pool;
    sg_evaluator evaluator;
};

/* Opens the rows and creates the threads; a small number of rows needs no threads. targets: whether the rows have
 * targets and, unless `weights` is NULL or "", a weight column of that name. reuse: whether the rows are evaluated
 * repeatedly. The caller must close the scorer even after a failure. */
sg_status sg_scorer_open(sg_scorer *s, const sg_model *m, const sg_source *rows, bool targets, const char *weights,
                         size_t threads, bool reuse);
void sg_scorer_close(sg_scorer *s);
