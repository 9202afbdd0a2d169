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

/* Every rule is the combination that its number says. */
static bool all_combinations(const sg_block *b, const sg_condition *condition, size_t n)
{
    size_t rules = 1, first = 0;
    for (size_t j = 0; j < n; j++) {
        if (condition[j].first != first || condition[j].count > b->rules) return false;
        if (!sg_mul(rules, condition[j].count, &rules)) return false;
        first += condition[j].count;
    }
    if (rules != b->rules || n == 0) return false;
    for (size_t r = 0; r < b->rules; r++) {
        size_t rest = r, j = n;
        for (size_t m = b->inputs; m-- > 0;) {
            int32_t mf = b->mf_of[r * b->inputs + m];
            if (j == 0 || condition[j - 1].input != m) {
                if (mf >= 0) return false;
                continue;
            }
            j--;
            if (mf < 0 || (size_t)mf != condition[j].first + rest % condition[j].count) return false;
            rest /= condition[j].count;
        }
    }
    return true;
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

bool sg_grid_is(const sg_block *b)
{
    sg_grid g;
    bool is = sg_grid_init(&g, b);
    sg_grid_release(&g);
    return is;
}
