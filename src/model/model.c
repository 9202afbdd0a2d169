/* model.c: making, copying and freeing models. */
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
    for (size_t i = 0; i < r->facts; i++) {
        free(r->fact[i].name);
        free(r->fact[i].value);
    }
    free(r->fact);
    free(r->curve);
    *r = (sg_record){0};
}

void sg_model_free(sg_model *m)
{
    if (!m) return;
    free_names(m->input_name, m->inputs);
    free_names(m->output_name, m->outputs);
    sg_coding_free(m->coding);
    free(m->low);
    free(m->high);
    free(m->input_mean);
    free(m->quantile);
    sg_view_release(&m->a);
    sg_view_release(&m->z);
    free(m->mean);
    free(m->scale);
    free(m->y0);
    free(m->least);
    free(m->most);
    for (size_t b = 0; b < m->blocks; b++) {
        free(m->block[b].input_of);
        free(m->block[b].mf_of);
        free(m->block[b].share);
        free(m->block[b].about);
        free(m->block[b].before);
    }
    free(m->block);
    free(m->theta);
    sg_sure_release(&m->sure);
    sg_record_release(&m->record);
    free(m);
}

static char **copy_names(const char *const *names, size_t n)
{
    char **copy = sg_alloc(n, sizeof *copy);
    if (!copy) return NULL;
    for (size_t i = 0; i < n; i++)
        if (!(copy[i] = sg_copy(names[i]))) {
            free_names(copy, n);
            return NULL;
        }
    return copy;
}

sg_status sg_model_new(const char *const *input_names, size_t inputs, const char *const *output_names, size_t outputs,
                       sg_model **out)
{
    sg_model *m = sg_alloc(1, sizeof *m);
    if (!m) return sg_fail(SG_ENOMEM, "out of memory for a model");
    *m = (sg_model){.inputs = inputs, .outputs = outputs, .one_view = true};
    m->input_name = copy_names(input_names, inputs);
    m->output_name = copy_names(output_names, outputs);
    m->low = sg_alloc(inputs, sizeof *m->low);
    m->high = sg_alloc(inputs, sizeof *m->high);
    m->input_mean = sg_alloc(inputs, sizeof *m->input_mean);
    m->mean = sg_alloc(outputs, sizeof *m->mean);
    m->scale = sg_alloc(outputs, sizeof *m->scale);
    m->y0 = sg_alloc(outputs, sizeof *m->y0);
    m->least = sg_alloc(outputs, sizeof *m->least);
    m->most = sg_alloc(outputs, sizeof *m->most);
    if (!m->input_name || !m->output_name || !m->low || !m->high || !m->input_mean || !m->mean || !m->scale || !m->y0 ||
        !m->least || !m->most) {
        sg_model_free(m);
        return sg_fail(SG_ENOMEM, "out of memory for a model");
    }
    m->a.in = m->a.out = m->z.in = m->z.out = inputs;
    for (size_t o = 0; o < outputs; o++) {
        m->scale[o] = 1;
        m->least[o] = -DBL_MAX;
        m->most[o] = DBL_MAX;
    }
    *out = m;
    return SG_OK;
}

bool sg_model_is_clipped(const sg_model *m, size_t o) { return m->least[o] > -DBL_MAX || m->most[o] < DBL_MAX; }

/* False where the count overflows. */
static bool block_size(size_t arity, size_t mfs, size_t rules, size_t rank, size_t inputs, size_t terms, size_t outputs,
                       size_t *out)
{
    size_t mf, tilt, conseq;
    return sg_mul(arity, mfs, &mf) && sg_mul(rules, rank, &tilt) && sg_mul(tilt, inputs, &tilt) &&
           sg_mul(terms + 1, outputs, &conseq) && sg_mul(conseq, rules, &conseq) &&
           !__builtin_add_overflow(mf, tilt, out) && !__builtin_add_overflow(*out, conseq, out);
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
                  .h = 1};
    if (!sg_mul(rules, b.inputs, &conditions) ||
        !block_size(kind->arity, mfs, rules, rank, b.inputs, b.terms, b.outputs, &n))
        return sg_fail(SG_ENOMEM, "%zu rules are too many", rules);
    sg_block *grown = realloc(m->block, (m->blocks + 1) * sizeof *grown);
    if (grown) m->block = grown;
    b.input_of = sg_alloc(mfs, sizeof *b.input_of);
    b.mf_of = sg_alloc(conditions, sizeof *b.mf_of);
    if (!grown || !b.input_of || !b.mf_of) {
        free(b.input_of);
        free(b.mf_of);
        return sg_fail(SG_ENOMEM, "out of memory for %zu rules", rules);
    }
    for (size_t i = 0; i < conditions; i++) b.mf_of[i] = -1;
    m->block[m->blocks++] = b;
    return SG_OK;
}

bool sg_model_add_quantiles(sg_model *m)
{
    free(m->quantile);
    m->quantile = sg_alloc(m->inputs, SG_QUANTILES * sizeof *m->quantile);
    return m->quantile != NULL;
}

/* One allocation, at share. */
bool sg_block_add_shares(sg_block *b, size_t inputs)
{
    size_t n;
    free(b->share);
    b->share = sg_mul(b->rules, inputs + 1, &n) ? sg_alloc(n, sizeof *b->share) : NULL;
    b->place = b->share ? b->share + b->rules : NULL;
    return b->share != NULL;
}

bool sg_block_add_about(sg_block *b)
{
    free(b->about);
    b->about = sg_alloc(b->rules, b->outputs * sizeof *b->about);
    return b->about != NULL;
}

bool sg_block_add_before(sg_block *b)
{
    free(b->before);
    b->before = sg_alloc(b->mfs, b->kind->arity * sizeof *b->before);
    if (b->before) memcpy(b->before, b->mf, b->mfs * b->kind->arity * sizeof *b->before);
    return b->before != NULL;
}

void sg_block_forget_before(sg_block *b)
{
    free(b->before);
    b->before = NULL;
}

bool sg_model_is_number(const sg_model *m, size_t feature)
{
    if (!m->coding) return true;
    return feature < sg_coding_plain(m->coding) && !sg_coding_of(m->coding, feature)->levels;
}

static void set_views(sg_model *m)
{
    double *p = m->theta;
    for (size_t i = 0; i < m->blocks; i++) {
        sg_block *b = &m->block[i];
        b->mf = p;                                            /* (arity, mfs)                */
        b->tilt = b->mf + b->kind->arity * b->mfs;            /* (rules, rank, inputs)       */
        b->conseq = b->tilt + b->rules * b->rank * b->inputs; /* (rules, terms + 1, outputs) */
        p += sg_block_parameters(b);
    }
}

sg_status sg_model_bind(sg_model *m)
{
    size_t total = 0;
    for (size_t i = 0; i < m->blocks; i++)
        if (__builtin_add_overflow(total, sg_block_parameters(&m->block[i]), &total))
            return sg_fail(SG_ENOMEM, "the model is too large");
    double *theta = sg_alloc(total, sizeof *theta);
    if (!theta) return sg_fail(SG_ENOMEM, "out of memory for %zu parameters", total);
    free(m->theta);
    m->theta = theta;
    m->parameters = total;
    set_views(m);
    return SG_OK;
}

bool sg_record_add(sg_record *r, const char *name, const char *value, bool number)
{
    if (!sg_grow(&r->fact, &r->room, r->facts + 1, sizeof *r->fact)) return false;
    sg_fact f = {sg_copy(name), sg_copy(value), number};
    if (!f.name || !f.value) {
        free(f.name);
        free(f.value);
        return false;
    }
    r->fact[r->facts++] = f;
    return true;
}

bool sg_record_set(sg_record *r, const char *name, const char *value)
{
    for (size_t i = 0; i < r->facts; i++) {
        if (strcmp(r->fact[i].name, name) != 0) continue;
        char *copy = sg_copy(value);
        if (!copy) return false;
        free(r->fact[i].value);
        r->fact[i].value = copy;
        return true;
    }
    return sg_record_add(r, name, value, false);
}

bool sg_record_point(sg_record *r, size_t iteration, double train, double valid)
{
    if (!sg_grow(&r->curve, &r->curve_room, r->points + 1, sizeof *r->curve)) return false;
    r->curve[r->points++] = (sg_point){iteration, train, valid};
    return true;
}

static bool copy_record(const sg_record *from, sg_record *to)
{
    for (size_t i = 0; i < from->facts; i++)
        if (!sg_record_add(to, from->fact[i].name, from->fact[i].value, from->fact[i].number)) return false;
    for (size_t i = 0; i < from->points; i++) {
        const sg_point *p = &from->curve[i];
        if (!sg_record_point(to, p->iteration, p->train, p->valid)) return false;
    }
    return true;
}

static sg_status copy_block(const sg_block *from, sg_model *to)
{
    sg_status st = sg_model_add_block(to, from->kind, from->mfs, from->rules, from->rank);
    if (st != SG_OK) return st;
    sg_block *b = &to->block[to->blocks - 1];
    b->weight = from->weight;
    b->h = from->h;
    b->sees_z = from->sees_z;
    memcpy(b->input_of, from->input_of, b->mfs * sizeof *b->input_of);
    memcpy(b->mf_of, from->mf_of, b->rules * b->inputs * sizeof *b->mf_of);
    if (!from->share) return SG_OK;
    if (!sg_block_add_shares(b, to->inputs)) return sg_fail(SG_ENOMEM, "out of memory for a model");
    memcpy(b->share, from->share, b->rules * (to->inputs + 1) * sizeof *b->share);
    if (!from->about) return SG_OK;
    if (!sg_block_add_about(b)) return sg_fail(SG_ENOMEM, "out of memory for a model");
    memcpy(b->about, from->about, b->rules * b->outputs * sizeof *b->about);
    return SG_OK;
}

static sg_status copy_shell(const sg_model *m, sg_model *c)
{
    memcpy(c->low, m->low, m->inputs * sizeof *m->low);
    memcpy(c->high, m->high, m->inputs * sizeof *m->high);
    memcpy(c->input_mean, m->input_mean, m->inputs * sizeof *m->input_mean);
    memcpy(c->mean, m->mean, m->outputs * sizeof *m->mean);
    memcpy(c->scale, m->scale, m->outputs * sizeof *m->scale);
    memcpy(c->y0, m->y0, m->outputs * sizeof *m->y0);
    memcpy(c->least, m->least, m->outputs * sizeof *m->least);
    memcpy(c->most, m->most, m->outputs * sizeof *m->most);
    if (m->quantile && !sg_model_add_quantiles(c)) return sg_fail(SG_ENOMEM, "out of memory for a model");
    if (m->quantile) memcpy(c->quantile, m->quantile, m->inputs * SG_QUANTILES * sizeof *m->quantile);
    c->one_view = m->one_view;
    if (m->coding) c->coding = sg_coding_copy(m->coding);
    if ((m->coding && !c->coding) || !sg_view_copy(&m->a, &c->a) || !sg_view_copy(&m->z, &c->z) ||
        !sg_sure_copy(&m->sure, &c->sure) || !copy_record(&m->record, &c->record))
        return sg_fail(SG_ENOMEM, "out of memory for a model");
    return SG_OK;
}

static sg_status copy_before(const sg_block *from, sg_block *to)
{
    if (!from->before) return SG_OK;
    if (!sg_block_add_before(to)) return sg_fail(SG_ENOMEM, "out of memory for a model");
    memcpy(to->before, from->before, to->mfs * to->kind->arity * sizeof *to->before);
    return SG_OK;
}

static sg_status copy_blocks(const sg_model *m, sg_model *c)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < m->blocks; i++) st = copy_block(&m->block[i], c);
    if (st == SG_OK) st = sg_model_bind(c);
    if (st == SG_OK && m->parameters) memcpy(c->theta, m->theta, m->parameters * sizeof *m->theta);
    for (size_t i = 0; st == SG_OK && i < m->blocks; i++) st = copy_before(&m->block[i], &c->block[i]);
    return st;
}

sg_status sg_model_copy_shell(const sg_model *m, sg_model **out)
{
    sg_model *c;
    sg_status st = sg_model_new((const char *const *)m->input_name, m->inputs, (const char *const *)m->output_name,
                                m->outputs, &c);
    if (st != SG_OK) return st;
    st = copy_shell(m, c);
    if (st != SG_OK) {
        sg_model_free(c);
        return st;
    }
    *out = c;
    return SG_OK;
}

sg_status sg_model_copy(const sg_model *m, sg_model **out)
{
    sg_model *c;
    sg_status st = sg_model_copy_shell(m, &c);
    if (st != SG_OK) return st;
    st = copy_blocks(m, c);
    if (st == SG_OK) *out = c;
    else sg_model_free(c);
    return st;
}
