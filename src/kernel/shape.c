/* shape.c: see shape.h. */
#include "kernel/shape.h"

#include "base/memory.h"

#include <stdlib.h>

/* A tail longer than this pays nothing: its products are formed for every row. */
enum { LONGEST_TAIL = 64 };

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

bool sg_shape_is_grid(const sg_block *b)
{
    sg_condition *condition = sg_alloc(b->inputs, sizeof *condition);
    if (!condition) return false;
    bool grid = all_combinations(b, condition, find_conditions(b, condition));
    free(condition);
    return grid;
}

/* The split with the least padding; of equal ones that with the shortest tail. */
static void choose_split(sg_shape *s, size_t lanes)
{
    size_t tail = 1, best = SIZE_MAX;
    for (size_t split = s->conditions; split-- > 0;) {
        tail *= s->condition[split].count;
        if (tail > LONGEST_TAIL && best != SIZE_MAX) return;
        size_t vecs = (tail + lanes - 1) / lanes, padded = s->rules / tail * vecs * lanes;
        if (padded >= best) continue;
        best = padded;
        s->split = split;
        s->tail = tail;
    }
}

bool sg_shape_init(sg_shape *s, const sg_block *b, size_t lanes)
{
    *s = (sg_shape){.rules = b->rules, .tail = b->rules, .grid = sg_shape_is_grid(b)};
    if (s->grid) {
        s->condition = sg_alloc(b->inputs, sizeof *s->condition);
        if (!s->condition) return false;
        s->conditions = find_conditions(b, s->condition);
        choose_split(s, lanes);
    }
    s->heads = s->rules / s->tail;
    s->vecs = (s->tail + lanes - 1) / lanes;
    s->padded = s->heads * s->vecs * lanes;
    s->pitch = s->padded + (s->padded % 64 == 0 ? lanes : 0);
    return true;
}

void sg_shape_release(sg_shape *s)
{
    free(s->condition);
    *s = (sg_shape){0};
}
