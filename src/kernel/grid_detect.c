/* grid_detect.c: detects full grids of rules. */
#include "kernel/grid_detect.h"

#include "base/memory.h"

#include <stdlib.h>

/* Finds the inputs with a condition in rule 0 and returns their number. The MFs of each input must be consecutive. */
static size_t find_axes(const sg_block *b, sg_grid_axis *axis)
{
    size_t n = 0;
    for (size_t m = 0; m < b->inputs; m++)
        if (b->mf_of[m] >= 0) axis[n++] = (sg_grid_axis){m, (size_t)b->mf_of[m], 0};
    for (size_t j = 0; j < n; j++) axis[j].count = (j + 1 < n ? axis[j + 1].first : b->mfs) - axis[j].first;
    return n;
}

/* Returns whether there are as many rules as combinations of MFs. */
static bool is_complete(const sg_block *b, const sg_grid_axis *axis, size_t n)
{
    size_t rules = 1, first = 0;
    for (size_t j = 0; j < n; j++) {
        if (axis[j].first != first || axis[j].count > b->rules) return false;
        if (!sg_checked_mul(rules, axis[j].count, &rules)) return false;
        first += axis[j].count;
    }
    return rules == b->rules && n > 0;
}

/* Returns whether the MF indices of an input cycle through first, ..., first + count - 1, each for `run` rules. */
static bool mf_indices_cycle(const sg_block *b, size_t input, int32_t first, size_t count, size_t run)
{
    const size_t step = b->inputs, size = b->rules * step;
    const int32_t *mf_of = b->mf_of, end = first + (int32_t)count;
    size_t left = run;
    int32_t mf = first;
    for (size_t at = input; at < size; at += step) {
        if (mf_of[at] != mf) return false;
        if (--left > 0) continue;
        left = run;
        mf = mf + 1 < end ? mf + 1 : first;
    }
    return true;
}

/* Returns whether every rule i is the i-th combination, where the MFs of the last input change fastest. */
static bool is_in_order(const sg_block *b, const sg_grid_axis *axis, size_t n)
{
    const sg_grid_axis *in = axis + n;
    size_t run = 1;
    for (size_t m = b->inputs; m-- > 0;) {
        bool has_condition = b->mf_of[m] >= 0;
        if (has_condition) in--;
        if (!(has_condition ? mf_indices_cycle(b, m, b->mf_of[m], in->count, run)
                            : mf_indices_cycle(b, m, -1, 1, b->rules)))
            return false;
        if (has_condition) run *= in->count;
    }
    return true;
}

bool sg_grid_detect(sg_grid *g, const sg_block *b)
{
    *g = (sg_grid){.axis = sg_calloc(b->inputs, sizeof *g->axis)};
    if (!g->axis) return false;
    g->axes = find_axes(b, g->axis);
    if (is_complete(b, g->axis, g->axes) && is_in_order(b, g->axis, g->axes)) return true;
    sg_grid_release(g);
    return false;
}

void sg_grid_release(sg_grid *g)
{
    free(g->axis);
    *g = (sg_grid){0};
}

bool sg_grid_is_binary(const sg_grid *g)
{
    for (size_t j = 0; j < g->axes; j++)
        if (g->axis[j].count != 2) return false;
    return g->axes >= 2;
}

bool sg_block_is_grid(const sg_block *b)
{
    sg_grid g;
    bool is = sg_grid_detect(&g, b);
    sg_grid_release(&g);
    return is;
}
