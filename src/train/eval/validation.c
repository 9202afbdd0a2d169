/* validation.c: see validation.h. */
#include "train/eval/validation.h"

#include "base/memory.h"
#include "predict/column_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A prediction costs about a quarter of a gradient. */
static size_t evaluation_interval(size_t rows, size_t batch)
{
    size_t every = rows / (4 * batch);
    return every < 1 ? 1 : every > 1000 ? 1000 : every;
}

sg_status sg_validation_init(sg_validation *v, const sg_options *o, const sg_model *m, const sg_source *rows,
                             size_t batch, sg_thread_pool *pool)
{
    sg_column_stats survey = {0};
    *v = (sg_validation){
        .active = true, .source = *rows, .best_rmse = NAN, .patience = sg_options_integer(o, "patience")};
    sg_status st = sg_features_find_columns(m, rows, true, sg_options_text(o, "weights"), &v->columns);
    if (st == SG_OK) st = sg_features_encode_source(m->encoder, &v->source, &v->columns, &v->expanded);
    if (st == SG_OK) st = sg_column_stats_compute(&v->source, &v->columns, pool, &survey);
    v->rows = survey.rows;
    v->incomplete = survey.incomplete;
    v->fingerprint = survey.fingerprint;
    v->every = evaluation_interval(v->rows, batch);
    sg_column_stats_release(&survey);
    if (st == SG_OK)
        st = sg_evaluator_init(&v->evaluator, m, &v->source, &v->columns, sg_options_text(o, "precision"), true, pool);
    v->metrics = sg_calloc(m->outputs, sizeof *v->metrics);
    v->theta = sg_calloc(m->parameters, sizeof *v->theta);
    if (st == SG_OK && !(v->metrics && v->theta)) st = sg_fail(SG_ENOMEM, "out of memory for validation");
    return st;
}

void sg_validation_release(sg_validation *v)
{
    sg_evaluator_release(&v->evaluator);
    sg_column_roles_release(&v->columns);
    sg_encoded_source_free(v->expanded);
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
    bool looked = v->active && v->last_iteration == iteration;
    return looked && v->patience && iteration - v->best_iteration >= v->patience;
}

const double *sg_validation_theta(const sg_validation *v) { return v->best_iteration ? v->theta : NULL; }

size_t sg_validation_best_iteration(const sg_validation *v, size_t iteration)
{
    return v->best_iteration ? v->best_iteration : iteration;
}
