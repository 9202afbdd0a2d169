/* reading_cost.c: counts how much there is to read in a model: conditions, distinct terms, and non-zero values.
 * bench/accuracy/reading_cost.py does the same for model files. */
#include "base/memory.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

/* Returns how many of n cells have a non-zero value for at least one output. */
static size_t count_cells(const double *value, size_t n, size_t outputs)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        bool any = false;
        for (size_t o = 0; o < outputs; o++) any = any || value[i * outputs + o] != 0;
        count += any;
    }
    return count;
}

/* If there are curves, the mean counts as one value. */
static size_t additive_cost(const sg_additive *s)
{
    size_t n = s->curves > 0;
    for (size_t i = 0; i < s->curves; i++)
        n += s->curve[i].cells + count_cells(s->curve[i].value, s->curve[i].cells + 1, s->outputs);
    for (size_t i = 0; i < s->pairs; i++) n += count_cells(s->pair[i].value, sg_pair_cells(s, &s->pair[i]), s->outputs);
    return n;
}

/* --- blocks --- */

/* A membership function in a form that can be compared across blocks. */
typedef struct mf_key {
    const sg_mf_kind *kind;
    size_t sees_z, input;
    double parameter[SG_MF_MAX_PARAMETERS];
} mf_key;

static int compare_keys(const void *a, const void *b) { return memcmp(a, b, sizeof(mf_key)); }

static bool is_used(const sg_block *b, size_t mf)
{
    for (size_t r = 0; r < b->rules; r++)
        if (b->mf_of[r * b->inputs + b->input_of[mf]] == (int32_t)mf) return true;
    return false;
}

/* Stores the keys of the MFs that rules use. Returns their number. */
static size_t list_keys(const sg_model *m, mf_key *key)
{
    size_t n = 0;
    for (const sg_block *b = m->block; b < m->block + m->blocks; b++)
        for (size_t i = 0; i < b->mfs; i++) {
            if (!is_used(b, i)) continue;
            memset(&key[n], 0, sizeof *key); /* padding and unused parameters are compared as well */
            key[n].kind = b->kind;
            key[n].sees_z = b->sees_z;
            key[n].input = b->input_of[i];
            sg_mf_get(b, i, key[n++].parameter);
        }
    return n;
}

/* Counts the distinct MFs that rules use, or all MFs if memory is exhausted. */
static size_t count_mfs(const sg_model *m)
{
    size_t n = 0, distinct = 0;
    for (size_t b = 0; b < m->blocks; b++) n += m->block[b].mfs;
    mf_key *key = sg_calloc(n, sizeof *key);
    if (!key) return n;
    n = list_keys(m, key);
    if (n) qsort(key, n, sizeof *key, compare_keys);
    for (size_t i = 0; i < n; i++) distinct += i == 0 || compare_keys(&key[i - 1], &key[i]) != 0;
    free(key);
    return distinct;
}

/* Returns the number of conditions plus the number of non-zero coefficients. */
static size_t block_cost(const sg_block *b)
{
    size_t n = count_cells(b->low_rank, b->rules * b->rank * b->inputs, 1);
    for (size_t i = 0; i < b->rules * b->inputs; i++) n += b->mf_of[i] >= 0;
    return n + count_cells(b->conseq, b->rules * (b->terms + 1) * b->outputs, 1);
}

/* --- other parts --- */

/* A target-encoded input is a table: its bins and values are terms, each with an effect. */
static size_t effect_cost(const sg_effect *e)
{
    return e->bins + e->values + count_cells(e->bin_effect, e->bins, 1) + count_cells(e->value_effect, e->values, 1);
}

static size_t components_cost(const sg_pipeline *v)
{
    size_t n = 0;
    for (const sg_transform *t = v->step; t < v->step + v->steps; t++)
        if (t->kind == &sg_transform_pca) n += count_cells(t->parameter[0], t->in * t->out, 1);
    return n;
}

size_t sg_model_reading_cost(const sg_model *m)
{
    size_t n = components_cost(&m->a) + count_mfs(m) + (m->additive ? additive_cost(m->additive) : 0);
    for (size_t b = 0; b < m->blocks; b++) n += block_cost(&m->block[b]);
    for (size_t i = 0; m->encoder && i < m->encoder->effects; i++) n += effect_cost(&m->encoder->effect[i]);
    return n;
}
