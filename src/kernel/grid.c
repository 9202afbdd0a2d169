/* grid.c: see grid.h. */
#include "kernel/grid.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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

/* Whether there are as many rules as combinations of MFs. */
static bool has_all(const sg_block *b, const sg_condition *condition, size_t n)
{
    size_t rules = 1, first = 0;
    for (size_t j = 0; j < n; j++) {
        if (condition[j].first != first || condition[j].count > b->rules) return false;
        if (!sg_mul(rules, condition[j].count, &rules)) return false;
        first += condition[j].count;
    }
    return rules == b->rules && n > 0;
}

/* Whether every rule is the combination that its number says: `at` (inputs) holds the MFs of the rule at
 * hand, -1 for inputs that none asks for, and counts up. */
static bool counts_up(const sg_block *b, const sg_condition *condition, size_t n, int32_t *at)
{
    const int32_t *mf_of = b->mf_of;
    memcpy(at, mf_of, b->inputs * sizeof *at);
    for (size_t p = 0; p < b->rules; p++, mf_of += b->inputs) {
        if (memcmp(mf_of, at, b->inputs * sizeof *at) != 0) return false;
        for (size_t j = n; j-- > 0;) {
            const sg_condition *in = &condition[j];
            if ((size_t)++at[in->input] < in->first + in->count) break;
            at[in->input] = (int32_t)in->first;
        }
    }
    return true;
}

bool sg_grid_init(sg_grid *g, const sg_block *b)
{
    *g = (sg_grid){.condition = sg_alloc(b->inputs, sizeof *g->condition + sizeof(int32_t))};
    if (!g->condition) return false;
    int32_t *at = (int32_t *)(g->condition + b->inputs);
    g->conditions = find_conditions(b, g->condition);
    if (has_all(b, g->condition, g->conditions) && counts_up(b, g->condition, g->conditions, at)) return true;
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
