/* evaluate_source.c: evaluates a model on the rows of a source, once or repeatedly, through the public API. */
#include "predict/evaluate_source.h"

#include "base/memory.h"
#include "rows/training_memory.h"

#include <stdlib.h>

void sg_scorer_close(sg_scorer *s)
{
    sg_evaluator_release(&s->evaluator);
    sg_thread_pool_free(s->pool);
    sg_feature_source_close(&s->features);
}

void sg_scorer_free(sg_scorer *s)
{
    if (!s) return;
    sg_scorer_close(s);
    free(s);
}

sg_status sg_scorer_open(sg_scorer *s, const sg_model *m, const sg_source *rows, bool targets, const char *weights,
                         size_t threads, bool reuse)
{
    *s = (sg_scorer){0};
    sg_status st = sg_feature_source_open(&s->features, m, rows, targets, weights);
    if (st == SG_OK && rows->rows > SG_EVAL_ROWS) st = sg_memory_plan_pool(m, threads, &s->pool);
    if (st != SG_OK) return st;
    return sg_evaluator_init(&s->evaluator, m, &s->features.source, &s->features.columns, "f64", reuse, s->pool);
}

sg_status sg_scorer_new(const sg_model *m, const sg_source *rows, const char *weights, size_t threads, sg_scorer **out)
{
    sg_scorer *s = sg_calloc(1, sizeof *s);
    if (!s) return sg_fail_out_of_memory("an evaluation");
    sg_status st = sg_scorer_open(s, m, rows, true, weights, threads, true);
    if (st == SG_OK) *out = s;
    else sg_scorer_free(s);
    return st;
}

sg_status sg_scorer_run(sg_scorer *s, sg_metrics *out) { return sg_evaluator_run(&s->evaluator, out); }

sg_status sg_model_evaluate(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                            sg_metrics *out)
{
    sg_scorer s;
    sg_status st = sg_scorer_open(&s, m, rows, true, weights, threads, false);
    if (st == SG_OK) st = sg_evaluator_run(&s.evaluator, out);
    sg_scorer_close(&s);
    return st;
}
