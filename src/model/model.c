/* model.c: creates, copies and frees models and their training record. */
#include "model/model.h"

#include "base/memory.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static void free_names(char **names, size_t n)
{
    for (size_t i = 0; names && i < n; i++) free(names[i]);
    free(names);
}

void sg_record_release(sg_record *r)
{
    for (size_t i = 0; i < r->entries; i++) {
        free(r->entry[i].name);
        free(r->entry[i].value);
    }
    free(r->entry);
    free(r->curve);
    *r = (sg_record){0};
}

void sg_model_free(sg_model *m)
{
    if (!m) return;
    free_names(m->feature_name, m->features);
    free_names(m->output_name, m->outputs);
    sg_encoder_free(m->encoder);
    free(m->low);
    free(m->quantile);
    sg_pipeline_release(&m->a);
    sg_pipeline_release(&m->z);
    for (size_t b = 0; b < m->blocks; b++) {
        sg_free_all(m->block[b].input_of, m->block[b].mf_of, m->block[b].firing_share, m->block[b].mean_prediction,
                    m->block[b].initial_mf);
    }
    free(m->block);
    sg_additive_free(m->additive);
    free(m->theta);
    sg_calibration_release(&m->calibration);
    sg_record_release(&m->record);
    sg_frontier_release(&m->frontier);
    free(m);
}

static char **copy_names(const char *const *names, size_t n)
{
    char **copy = sg_calloc(n, sizeof *copy);
    if (!copy) return NULL;
    for (size_t i = 0; i < n; i++)
        if (!(copy[i] = sg_strdup(names[i]))) {
            free_names(copy, n);
            return NULL;
        }
    return copy;
}

/* Returns the total size of the arrays per feature and per output. They share one allocation, which `low` points to. */
static size_t array_bytes(const sg_model *m) { return (3 * m->features + 5 * m->outputs) * sizeof *m->low; }

static bool alloc_arrays(sg_model *m)
{
    m->low = sg_calloc(array_bytes(m), 1);
    if (!m->low) return false;
    m->high = m->low + m->features;
    m->feature_mean = m->high + m->features;
    m->mean = m->feature_mean + m->features;
    m->scale = m->mean + m->outputs;
    m->y0 = m->scale + m->outputs;
    m->clip_low = m->y0 + m->outputs;
    m->clip_high = m->clip_low + m->outputs;
    return true;
}

sg_status sg_model_new(const char *const *input_names, size_t inputs, const char *const *output_names, size_t outputs,
                       sg_model **out)
{
    sg_model *m = sg_calloc(1, sizeof *m);
    if (!m) return sg_fail_out_of_memory("a model");
    *m = (sg_model){.features = inputs, .outputs = outputs, .shared_pipeline = true};
    m->feature_name = copy_names(input_names, inputs);
    m->output_name = copy_names(output_names, outputs);
    if (!m->feature_name || !m->output_name || !alloc_arrays(m)) {
        sg_model_free(m);
        return sg_fail_out_of_memory("a model");
    }
    m->a.in = m->a.out = m->z.in = m->z.out = inputs;
    for (size_t o = 0; o < outputs; o++) {
        m->scale[o] = 1;
        m->clip_low[o] = -DBL_MAX;
        m->clip_high[o] = DBL_MAX;
    }
    *out = m;
    return SG_OK;
}

bool sg_model_is_clipped(const sg_model *m, size_t o) { return m->clip_low[o] > -DBL_MAX || m->clip_high[o] < DBL_MAX; }

/* Computes the number of parameters of a block. Returns false on overflow. */
static bool block_size(size_t arity, size_t mfs, size_t rules, size_t rank, size_t inputs, size_t terms, size_t outputs,
                       size_t *out)
{
    size_t mf, low_rank, conseq;
    return sg_checked_mul(arity, mfs, &mf) && sg_checked_mul(rules, rank, &low_rank) &&
           sg_checked_mul(low_rank, inputs, &low_rank) && sg_checked_mul(terms + 1, outputs, &conseq) &&
           sg_checked_mul(conseq, rules, &conseq) && !__builtin_add_overflow(mf, low_rank, out) &&
           !__builtin_add_overflow(*out, conseq, out);
}

size_t sg_block_parameters(const sg_block *b)
{
    size_t n = 0;
    block_size(b->kind->arity, b->mfs, b->rules, b->rank, b->inputs, b->terms, b->outputs, &n);
    return n;
}

sg_status sg_model_add_block(sg_model *m, const sg_mf_kind *kind, size_t mfs, size_t rules, size_t rank)
{
    size_t conditions, n;
    sg_block b = {.kind = kind,
                  .inputs = m->a.out,
                  .terms = sg_model_terms(m),
                  .outputs = m->outputs,
                  .mfs = mfs,
                  .rules = rules,
                  .rank = rank,
                  .weight = 1,
                  .firing_scale = 1};
    if (!sg_checked_mul(rules, b.inputs, &conditions) ||
        !block_size(kind->arity, mfs, rules, rank, b.inputs, b.terms, b.outputs, &n))
        return sg_fail(SG_ENOMEM, "a block of %zu rules is too large", rules);
    sg_block *grown = realloc(m->block, (m->blocks + 1) * sizeof *grown);
    if (grown) m->block = grown;
    b.input_of = sg_calloc(mfs, sizeof *b.input_of);
    b.mf_of = sg_calloc(conditions, sizeof *b.mf_of);
    if (!grown || !b.input_of || !b.mf_of) {
        free(b.input_of);
        free(b.mf_of);
        return sg_fail(SG_ENOMEM, "out of memory while allocating %zu rules", rules);
    }
    for (size_t i = 0; i < conditions; i++) b.mf_of[i] = -1;
    m->block[m->blocks++] = b;
    return SG_OK;
}

bool sg_model_alloc_quantiles(sg_model *m)
{
    free(m->quantile);
    m->quantile = sg_calloc(m->features, SG_QUANTILE_COUNT * sizeof *m->quantile);
    return m->quantile != NULL;
}

/* The shares and the centroids share one allocation, which firing_share points to. */
bool sg_block_alloc_firing_shares(sg_block *b, size_t inputs)
{
    size_t n;
    free(b->firing_share);
    b->firing_share = sg_checked_mul(b->rules, inputs + 1, &n) ? sg_calloc(n, sizeof *b->firing_share) : NULL;
    b->centroid = b->firing_share ? b->firing_share + b->rules : NULL;
    return b->firing_share != NULL;
}

bool sg_block_alloc_mean_predictions(sg_block *b)
{
    free(b->mean_prediction);
    b->mean_prediction = sg_calloc(b->rules, b->outputs * sizeof *b->mean_prediction);
    return b->mean_prediction != NULL;
}

bool sg_block_save_initial_mfs(sg_block *b)
{
    free(b->initial_mf);
    b->initial_mf = sg_calloc(b->mfs, b->kind->arity * sizeof *b->initial_mf);
    if (b->initial_mf) memcpy(b->initial_mf, b->mf, b->mfs * b->kind->arity * sizeof *b->initial_mf);
    return b->initial_mf != NULL;
}

void sg_block_free_initial_mfs(sg_block *b)
{
    free(b->initial_mf);
    b->initial_mf = NULL;
}

bool sg_model_is_numeric_feature(const sg_model *m, size_t feature)
{
    if (!m->encoder) return true;
    return feature < sg_encoder_base_features(m->encoder) && !sg_encoder_feature_input(m->encoder, feature)->levels;
}

static void bind_blocks(sg_model *m)
{
    double *p = m->theta;
    for (size_t i = 0; i < m->blocks; i++) {
        sg_block *b = &m->block[i];
        b->mf = p;                                                /* (arity, mfs)                */
        b->low_rank = b->mf + b->kind->arity * b->mfs;            /* (rules, rank, inputs)       */
        b->conseq = b->low_rank + b->rules * b->rank * b->inputs; /* (rules, terms + 1, outputs) */
        p += sg_block_parameters(b);
    }
    if (m->additive) sg_additive_bind(m->additive, p);
}

sg_status sg_model_alloc_theta(sg_model *m)
{
    size_t total = 0;
    for (size_t i = 0; i < m->blocks; i++)
        if (__builtin_add_overflow(total, sg_block_parameters(&m->block[i]), &total))
            return sg_fail(SG_ENOMEM, "the model is too large");
    if (m->additive && __builtin_add_overflow(total, sg_additive_parameters(m->additive), &total))
        return sg_fail(SG_ENOMEM, "the model is too large");
    double *theta = sg_calloc(total, sizeof *theta);
    if (!theta) return sg_fail(SG_ENOMEM, "out of memory while allocating %zu parameters", total);
    free(m->theta);
    m->theta = theta;
    m->parameters = total;
    bind_blocks(m);
    return SG_OK;
}

bool sg_record_add(sg_record *r, const char *name, const char *value, bool number)
{
    if (!sg_array_reserve(&r->entry, &r->entry_capacity, r->entries + 1, sizeof *r->entry)) return false;
    sg_record_entry f = {sg_strdup(name), sg_strdup(value), number};
    if (!f.name || !f.value) {
        free(f.name);
        free(f.value);
        return false;
    }
    r->entry[r->entries++] = f;
    return true;
}

bool sg_record_set(sg_record *r, const char *name, const char *value)
{
    for (size_t i = 0; i < r->entries; i++) {
        if (strcmp(r->entry[i].name, name) != 0) continue;
        char *copy = sg_strdup(value);
        if (!copy) return false;
        free(r->entry[i].value);
        r->entry[i].value = copy;
        return true;
    }
    return sg_record_add(r, name, value, false);
}

bool sg_record_add_point(sg_record *r, size_t iteration, double train, double valid)
{
    if (!sg_array_reserve(&r->curve, &r->curve_capacity, r->points + 1, sizeof *r->curve)) return false;
    r->curve[r->points++] = (sg_curve_point){iteration, train, valid};
    return true;
}

static bool copy_record(const sg_record *from, sg_record *to)
{
    for (size_t i = 0; i < from->entries; i++)
        if (!sg_record_add(to, from->entry[i].name, from->entry[i].value, from->entry[i].number)) return false;
    for (size_t i = 0; i < from->points; i++) {
        const sg_curve_point *p = &from->curve[i];
        if (!sg_record_add_point(to, p->iteration, p->train, p->valid)) return false;
    }
    return true;
}

static sg_status copy_block(const sg_block *from, sg_model *to)
{
    sg_status st = sg_model_add_block(to, from->kind, from->mfs, from->rules, from->rank);
    if (st != SG_OK) return st;
    sg_block *b = &to->block[to->blocks - 1];
    b->weight = from->weight;
    b->firing_scale = from->firing_scale;
    b->sees_z = from->sees_z;
    memcpy(b->input_of, from->input_of, b->mfs * sizeof *b->input_of);
    memcpy(b->mf_of, from->mf_of, b->rules * b->inputs * sizeof *b->mf_of);
    if (!from->firing_share) return SG_OK;
    if (!sg_block_alloc_firing_shares(b, to->features)) return sg_fail_out_of_memory("a model");
    memcpy(b->firing_share, from->firing_share, b->rules * (to->features + 1) * sizeof *b->firing_share);
    if (!from->mean_prediction) return SG_OK;
    if (!sg_block_alloc_mean_predictions(b)) return sg_fail_out_of_memory("a model");
    memcpy(b->mean_prediction, from->mean_prediction, b->rules * b->outputs * sizeof *b->mean_prediction);
    return SG_OK;
}

static sg_status copy_without_blocks(const sg_model *m, sg_model *c)
{
    memcpy(c->low, m->low, array_bytes(m));
    if (m->quantile && !sg_model_alloc_quantiles(c)) return sg_fail_out_of_memory("a model");
    if (m->quantile) memcpy(c->quantile, m->quantile, m->features * SG_QUANTILE_COUNT * sizeof *m->quantile);
    c->shared_pipeline = m->shared_pipeline;
    if (m->encoder) c->encoder = sg_encoder_copy(m->encoder);
    if ((m->encoder && !c->encoder) || !sg_pipeline_copy(&m->a, &c->a) || !sg_pipeline_copy(&m->z, &c->z) ||
        !sg_calibration_copy(&m->calibration, &c->calibration) || !copy_record(&m->record, &c->record) ||
        !sg_frontier_copy(&m->frontier, &c->frontier))
        return sg_fail_out_of_memory("a model");
    return SG_OK;
}

static sg_status copy_initial_mfs(const sg_block *from, sg_block *to)
{
    if (!from->initial_mf) return SG_OK;
    if (!sg_block_save_initial_mfs(to)) return sg_fail_out_of_memory("a model");
    memcpy(to->initial_mf, from->initial_mf, to->mfs * to->kind->arity * sizeof *to->initial_mf);
    return SG_OK;
}

static sg_status copy_blocks(const sg_model *m, sg_model *c)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < m->blocks; i++) st = copy_block(&m->block[i], c);
    if (st == SG_OK && m->additive && !(c->additive = sg_additive_copy(m->additive)))
        st = sg_fail_out_of_memory("a model");
    if (st == SG_OK) st = sg_model_alloc_theta(c);
    if (st == SG_OK && m->parameters) memcpy(c->theta, m->theta, m->parameters * sizeof *m->theta);
    for (size_t i = 0; st == SG_OK && i < m->blocks; i++) st = copy_initial_mfs(&m->block[i], &c->block[i]);
    return st;
}

sg_status sg_model_copy_without_blocks(const sg_model *m, sg_model **out)
{
    sg_model *c;
    sg_status st = sg_model_new((const char *const *)m->feature_name, m->features, (const char *const *)m->output_name,
                                m->outputs, &c);
    if (st != SG_OK) return st;
    st = copy_without_blocks(m, c);
    if (st == SG_OK) *out = c;
    else sg_model_free(c);
    return st;
}

sg_status sg_model_copy(const sg_model *m, sg_model **out)
{
    sg_model *c;
    sg_status st = sg_model_copy_without_blocks(m, &c);
    if (st != SG_OK) return st;
    st = copy_blocks(m, c);
    if (st == SG_OK) *out = c;
    else sg_model_free(c);
    return st;
}
