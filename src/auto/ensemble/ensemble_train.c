/* ensemble_train.c: trains the members of an ensemble in parallel. */
#include "auto/search/search.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct train_job {
    size_t candidate, seed;
    sg_ensemble_member member;
} train_job;

typedef struct train_batch {
    sg_search *search;
    const sg_source *rows;
    train_job *job;
} train_batch;

static sg_status run_job(void *arg, size_t i, size_t worker)
{
    const train_batch *batch = arg;
    sg_search *s = batch->search;
    train_job *job = &batch->job[i];
    sg_ensemble_member *m = &job->member;
    const sg_candidate *c = &s->finalist[job->candidate];
    (void)worker;
    m->trees = sg_candidate_best_steps(c);
    if (!c->tree_config) return sg_candidate_refit(c, &s->data, batch->rows, job->seed, &s->progress, &m->model);
    return sg_tree_ensemble_train(c->options, c->tree_config, m->trees, &s->data, batch->rows, job->seed, &s->progress,
                                  &m->tree_ensemble);
}

static bool has_effects(const sg_candidate *c) { return !c->tree_config && *sg_candidate_effects(c); }

/* Rules differ much between seeds, trees little. */
static size_t count_seeds(const sg_candidate *c, size_t seeds) { return c->tree_config || has_effects(c) ? 1 : seeds; }

/* A model has one table of effects, and each training computes its own: the candidate with effects and the largest
 * weight gets the weights of all of them. */
static void merge_effect_weights(const sg_search *s, double *weight)
{
    size_t first = s->finalists;
    double sum = 0;
    for (size_t i = 0; i < s->finalists; i++) {
        if (!has_effects(&s->finalist[i])) continue;
        if (first == s->finalists || weight[i] > weight[first]) first = i;
        sum += weight[i];
    }
    for (size_t i = 0; i < s->finalists; i++)
        if (has_effects(&s->finalist[i])) weight[i] = i == first ? sum : 0;
}

sg_status sg_ensemble_train(sg_search *s, const sg_source *rows, size_t seeds, sg_ensemble *out)
{
    size_t n = 0, most = s->finalists * (seeds > 1 ? seeds : 1);
    train_batch batch = {.search = s, .rows = rows, .job = sg_calloc(most, sizeof *batch.job)};
    double weight[SG_MAX_CANDIDATES];
    if (!batch.job) return sg_fail(SG_ENOMEM, "out of memory for an ensemble");
    memcpy(weight, s->ensemble_weight, sizeof weight);
    if (s->plan.ensemble_seeds) merge_effect_weights(s, weight);
    for (size_t i = 0; i < s->finalists; i++)
        for (size_t k = 0, last = count_seeds(&s->finalist[i], seeds); weight[i] > 0 && k < last; k++)
            batch.job[n++] = (train_job){.candidate = i, .seed = k, .member.weight = weight[i] / (double)last};
    sg_status st = sg_thread_pool_run_long(rows->comm ? NULL : s->pool, n, run_job, &batch);
    for (size_t i = 0; i < n; i++) {
        sg_status added = sg_ensemble_add(out, &batch.job[i].member);
        if (st == SG_OK) st = added;
    }
    free(batch.job);
    return st;
}
