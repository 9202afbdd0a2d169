/* grid.c: see grid.h. */
#include "kernel/grid.h"

#include "base/memory.h"

#include <stdlib.h>

/* The inputs that rule 0 asks for; their MFs must follow each other. Returns how many. */
static size_t find_conditions(const sg_block *b, sg_condition *condition)
{
    size_t n = 0;
    for (size_t m = 0; m < b->inputs; m++)
        if (b->mf_of[m] >= 0) condition[n++] = (sg_condition){m, (size_t)b->mf_of[m], 0};
    for (size_t j = 0; j < n; j++)
        condition[j].count = (j + 1 < n ? condition[j + 1].first : b->mfs) - condition[j].first;
    return n;
}

/* Whether input `in` counts up its MFs, each for `period` rules, over and over. */
static bool counts_up(const sg_block *b, const sg_condition *in, size_t period)
{
    const int32_t *at = b->mf_of + in->input, *end = at + b->rules * b->inputs;
    while (at < end)
        for (size_t k = 0; k < in->count; k++)
            for (size_t p = 0; p < period; p++, at += b->inputs)
                if (*at != (int32_t)(in->first + k)) return false;
    return true;
}

/* Every rule is the combination that its number says. */
static bool all_combinations(const sg_block *b, const sg_condition *condition, size_t n)
{
    size_t rules = 1, first = 0, asked = 0;
    for (size_t j = 0; j < n; j++) {
        if (condition[j].first != first || condition[j].count > b->rules) return false;
        if (!sg_mul(rules, condition[j].count, &rules)) return false;
        first += condition[j].count;
    }
    if (rules != b->rules || n == 0) return false;
    for (size_t j = n, period = 1; j-- > 0; period *= condition[j].count)
        if (!counts_up(b, &condition[j], period)) return false;
    for (size_t i = 0; i < b->rules * b->inputs; i++) asked += b->mf_of[i] >= 0;
    return asked == b->rules * n; /* no rule asks for another input */
}

bool sg_grid_init(sg_grid *g, const sg_block *b)
{
    *g = (sg_grid){.condition = sg_alloc(b->inputs, sizeof *g->condition)};
    if (!g->condition) return false;
    g->conditions = find_conditions(b, g->condition);
    if (all_combinations(b, g->condition, g->conditions)) return true;
    sg_grid_release(g);
    return false;
}

void sg_grid_release(sg_grid *g)
{
    free(g->condition);
    *g = (sg_grid){0};
}

bool sg_grid_pairs(const sg_grid *g)
{
    for (size_t j = 0; j < g->conditions; j++)
        if (g->condition[j].count != 2) return false;
    return g->conditions >= 2;
}

bool sg_grid_is(const sg_block *b)
{
    sg_grid g;
    bool is = sg_grid_init(&g, b);
    sg_grid_release(&g);
    return is;
}
