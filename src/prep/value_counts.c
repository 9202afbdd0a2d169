/* value_counts.c: a hash table that counts the rows of each distinct value. */
#include "prep/value_counts.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void sg_value_counts_release(sg_value_counts *t)
{
    free(t->slot);
    *t = (sg_value_counts){0};
}

static size_t hash_value(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits ^ bits >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(bits >> 32);
}

/* Returns the slot of the value, or the free slot where it belongs. */
static sg_value_count *find_slot(const sg_value_counts *t, double value)
{
    size_t i = hash_value(value) & (t->slots - 1);
    /* clang 14 does not see that grow_table replaces the table that it frees.
     * NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    while (t->slot[i].rows && t->slot[i].value != value) i = (i + 1) & (t->slots - 1);
    return &t->slot[i];
}

static bool grow_table(sg_value_counts *t)
{
    sg_value_counts grown = {.values = t->values, .slots = t->slots ? 2 * t->slots : 64};
    if (t->values >= SG_VALUE_COUNTS_MAX || !(grown.slot = sg_calloc(grown.slots, sizeof *grown.slot))) return false;
    for (size_t i = 0; i < t->slots; i++)
        if (t->slot[i].rows) *find_slot(&grown, t->slot[i].value) = t->slot[i];
    free(t->slot);
    *t = grown;
    return true;
}

bool sg_value_counts_add(sg_value_counts *t, double value, size_t rows)
{
    if (rows == 0) return true;
    if (2 * t->values >= t->slots && !grow_table(t)) return false;
    value += 0.0;
    sg_value_count *p = find_slot(t, value);
    if (p->rows == 0) {
        p->value = value;
        t->values++;
    }
    p->rows += rows;
    return true;
}
