/* tally.c: see tally.h. */
#include "prep/tally.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void sg_tally_release(sg_tally *t)
{
    free(t->place);
    *t = (sg_tally){0};
}

static size_t hash(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits ^ bits >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(bits >> 32);
}

/* Where the value is, or would be. */
static sg_tallied *find(const sg_tally *t, double value)
{
    size_t i = hash(value) & (t->places - 1);
    while (t->place[i].rows && t->place[i].value != value)
        i = (i + 1) & (t->places - 1); /* NOLINT(clang-analyzer-unix.Malloc) */
    return &t->place[i];
}

static bool widen(sg_tally *t)
{
    sg_tally wider = {.values = t->values, .places = t->places ? 2 * t->places : 64};
    if (t->values >= SG_TALLY_MOST || !(wider.place = sg_alloc(wider.places, sizeof *wider.place))) return false;
    for (size_t i = 0; i < t->places; i++)
        if (t->place[i].rows) *find(&wider, t->place[i].value) = t->place[i];
    free(t->place);
    *t = wider;
    return true;
}

bool sg_tally_add(sg_tally *t, double value, size_t rows)
{
    if (rows == 0) return true;
    if (2 * t->values >= t->places && !widen(t)) return false;
    value += 0.0;
    sg_tallied *p = find(t, value);
    if (p->rows == 0) {
        p->value = value;
        t->values++;
    }
    p->rows += rows;
    return true;
}
