/* membership.c: membership functions as a user draws them: over the values of an input, in its own units. */
#include "base/elementary.h"
#include "base/memory.h"
#include "explain/units.h"

#include <stdlib.h>
#include <string.h>

size_t sg_model_mfs(const sg_model *m, size_t block) { return block < m->blocks ? m->block[block].mfs : 0; }

/* The input that the MF is over, as the user counts them. */
static sg_status find_input(const sg_model *m, const sg_block *b, size_t mf, long *feature, size_t *input)
{
    sg_units u;
    sg_status st = sg_units_init(&u, m);
    if (st != SG_OK) return st;
    *feature = sg_units_input(&u, b->input_of[mf]);
    sg_units_release(&u);
    if (*feature < 0 || !sg_model_is_number(m, (size_t)*feature))
        return sg_fail(SG_EINVAL, "membership function %zu is not over an input of numbers, but over a %s", mf + 1,
                       *feature < 0 ? "principal component" : "level of a category, or an effect");
    *input = m->coding ? (size_t)(sg_coding_of(m->coding, (size_t)*feature) - m->coding->input) : (size_t)*feature;
    return SG_OK;
}

sg_status sg_model_membership(const sg_model *m, size_t block, size_t mf, const double *at, size_t n, size_t *input,
                              double *out)
{
    double p[SG_MF_PARAMETERS];
    long feature = 0;
    if (mf >= sg_model_mfs(m, block))
        return sg_fail(SG_EINVAL, "block %zu has %zu membership functions, not %zu", block + 1, sg_model_mfs(m, block),
                       mf + 1);
    const sg_block *b = &m->block[block];
    const sg_view *v = sg_block_view(m, b);
    sg_status st = find_input(m, b, mf, &feature, input);
    double *room = st == SG_OK ? sg_alloc(m->inputs + v->out + sg_view_scratch(v), sizeof *room) : NULL;
    if (!room) return st == SG_OK ? sg_fail(SG_ENOMEM, "out of memory for membership functions") : st;
    double *x = room, *seen = x + m->inputs, *scratch = seen + v->out;
    sg_mf_get(b, mf, p);
    memcpy(x, m->input_mean, m->inputs * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        x[feature] = at[i];
        sg_view_apply(v, x, seen, scratch);
        out[i] = sg_exp(b->kind->log_value(seen[b->input_of[mf]], p));
    }
    free(room);
    return SG_OK;
}
