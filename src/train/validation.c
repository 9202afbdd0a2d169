/* validation.c: see validation.h. */
#include "train/validation.h"

#include "base/memory.h"
#include "train/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A prediction costs about a quarter of a gradient. */
static size_t interval(size_t rows, size_t batch)
{
    size_t every = rows / (4 * batch);
    return every < 1 ? 1 : every > 1000 ? 1000 : every;
}

sg_status sg_validation_init(sg_validation *v, const sg_options *o, const sg_model *m, const sg_source *rows,
                             size_t batch, sg_pool *pool)
{
    sg_survey survey = {0};
    *v = (sg_validation){.active = true, .source = *rows, .best_rmse = NAN, .patience = sg_options_size(o, "patience")};
    sg_status st = sg_features_find(m, rows, true, sg_options_text(o, "weights"), &v->columns);
    if (st == SG_OK) st = sg_features_open(m->coding, &v->source, &v->columns, &v->expanded);
    if (st == SG_OK) st = sg_survey_rows(&v->source, &v->columns, pool, &survey);
    v->rows = survey.rows;
    v->lacking = survey.lacking;
    v->fingerprint = survey.fingerprint;
    v->every = interval(v->rows, batch);
    sg_survey_release(&survey);
    if (st == SG_OK)
        st = sg_score_init(&v->score, m, &v->source, &v->columns, sg_options_text(o, "precision"), true, pool);
    v->metrics = sg_alloc(m->outputs, sizeof *v->metrics);
    v->theta = sg_alloc(m->parameters, sizeof *v->theta);
    if (st == SG_OK && !(v->metrics && v->theta)) st = sg_fail(SG_ENOMEM, "out of memory for validation");
    return st;
}

void sg_validation_release(sg_validation *v)
{
    sg_score_release(&v->score);
    sg_roles_release(&v->columns);
    sg_expanded_free(v->expanded);
    free(v->metrics);
    free(v->theta);
    *v = (sg_validation){0};
}

sg_status sg_validation_look(sg_validation *v, const sg_model *m, double *rmse)
{
    sg_status st = sg_score_run(&v->score, v->metrics);
    if (st == SG_OK) *rmse = sg_metrics_rmse(v->metrics, m->outputs);
    return st;
}

sg_status sg_validation_run(sg_validation *v, size_t iteration, bool last, const sg_model *m, double *rmse)
{
    if (!last && iteration % v->every != 0) return SG_OK;
    sg_status st = sg_validation_look(v, m, rmse);
    if (st != SG_OK) return st;
    v->looked = iteration;
    if (v->best && !(*rmse < v->best_rmse)) return SG_OK;
    v->best = iteration;
    v->best_rmse = *rmse;
    memcpy(v->theta, m->theta, m->parameters * sizeof *v->theta);
    return SG_OK;
}

bool sg_validation_over(const sg_validation *v, size_t iteration)
{
    bool looked = v->active && v->looked == iteration;
    return looked && v->patience && iteration - v->best >= v->patience;
}

const double *sg_validation_theta(const sg_validation *v) { return v->best ? v->theta : NULL; }

size_t sg_validation_best(const sg_validation *v, size_t iteration) { return v->best ? v->best : iteration; }
