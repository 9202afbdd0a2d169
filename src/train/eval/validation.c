/* validation.c: evaluates iterates on held-out rows at regular intervals, keeps the best one and stops early. */
#include "train/eval/validation.h"

#include "base/memory.h"
#include "rows/column_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the interval in iterations. Predicting a row costs about a quarter as much as computing its gradient. */
static size_t evaluation_interval(size_t rows, size_t batch)
{
    size_t every = rows / (4 * batch);
    return every < 1 ? 1 : every > 1000 ? 1000 : every;
}

sg_status sg_validation_init(sg_validation *v, const sg_train_config *config, const sg_model *m, const sg_source *rows,
                             size_t batch, sg_thread_pool *pool)
{
    sg_column_stats stats = {0};
    *v = (sg_validation){.active = true, .best_rmse = NAN, .patience = config->patience};
    sg_status st = sg_feature_source_open(&v->features, m, rows, true, config->weights);
    if (st == SG_OK) st = sg_column_stats_compute(&v->features.source, &v->features.columns, pool, &stats);
    v->rows = stats.rows;
    v->incomplete = stats.incomplete;
    v->fingerprint = stats.fingerprint;
    v->every = evaluation_interval(v->rows, batch);
    sg_column_stats_release(&stats);
    if (st == SG_OK)
        st = sg_evaluator_init(&v->evaluator, m, &v->features.source, &v->features.columns, config->precision, true,
                               pool);
    v->metrics = sg_calloc(m->outputs, sizeof *v->metrics);
    v->theta = sg_calloc(m->parameters, sizeof *v->theta);
    if (st == SG_OK && !(v->metrics && v->theta)) st = sg_fail_out_of_memory("validation");
    return st;
}

void sg_validation_release(sg_validation *v)
{
    sg_evaluator_release(&v->evaluator);
    sg_feature_source_close(&v->features);
    free(v->metrics);
    free(v->theta);
    *v = (sg_validation){0};
}

sg_status sg_validation_score(sg_validation *v, const sg_model *m, double *rmse)
{
    sg_status st = sg_evaluator_run(&v->evaluator, v->metrics);
    if (st == SG_OK) *rmse = sg_metrics_rmse(v->metrics, m->outputs);
    return st;
}

sg_status sg_validation_run(sg_validation *v, size_t iteration, bool last, const sg_model *m, double *rmse)
{
    if (!last && iteration % v->every != 0) return SG_OK;
    sg_status st = sg_validation_score(v, m, rmse);
    if (st != SG_OK) return st;
    v->last_iteration = iteration;
    if (v->best_iteration && !(*rmse < v->best_rmse)) return SG_OK;
    v->best_iteration = iteration;
    v->best_rmse = *rmse;
    memcpy(v->theta, m->theta, m->parameters * sizeof *v->theta);
    return SG_OK;
}

bool sg_validation_should_stop(const sg_validation *v, size_t iteration)
{
    bool evaluated = v->active && v->last_iteration == iteration;
    return evaluated && v->patience && iteration - v->best_iteration >= v->patience;
}

size_t sg_validation_best_iteration(const sg_validation *v, size_t iteration)
{
    return v->best_iteration ? v->best_iteration : iteration;
}
