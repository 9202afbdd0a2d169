/* levels.c: see levels.h. A table of slots, at most half full, that are tried one after the other. */
#include "data/levels.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beside its text: where it begins, and slots. */
enum { EACH = 24 };

size_t sg_levels_bytes(const sg_levels *l) { return l->text.length + l->count * EACH; }

void sg_levels_release(sg_levels *l)
{
    if (l->all) *l->all -= sg_levels_bytes(l);
    sg_text_release(&l->text);
    free(l->start);
    free(l->slot);
    *l = (sg_levels){0};
}

const char *sg_levels_text(const sg_levels *l, size_t i) { return i < l->count ? l->text.bytes + l->start[i] : NULL; }

/* FNV-1a, and a last mix: low bits choose the slot. */
static size_t hash_of(const char *text, size_t n)
{
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3;
    return (size_t)(h ^ h >> 29);
}

static bool is_level(const sg_levels *l, size_t code, const char *text, size_t n)
{
    const char *level = l->text.bytes + l->start[code];
    size_t next = code + 1 < l->count ? l->start[code + 1] : l->text.length;
    return next - l->start[code] - 1 == n && memcmp(level, text, n) == 0;
}

/* The slot of the text, or the free one where it would go. There are slots. */
static uint32_t *slot_of(const sg_levels *l, const char *text, size_t n)
{
    size_t i = hash_of(text, n) & (l->slots - 1);
    while (l->slot[i] && !is_level(l, l->slot[i] - 1, text, n)) i = (i + 1) & (l->slots - 1);
    return &l->slot[i];
}

static bool more_slots(sg_levels *l)
{
    enum { FEWEST = 16 };
    if (l->slots && 2 * (l->count + 1) <= l->slots) return true;
    size_t slots = l->slots ? 2 * l->slots : FEWEST;
    uint32_t *slot = sg_alloc(slots, sizeof *slot);
    if (!slot) return false;
    free(l->slot);
    l->slot = slot;
    l->slots = slots;
    for (size_t i = 0; i < l->count; i++) {
        const char *text = sg_levels_text(l, i);
        *slot_of(l, text, strlen(text)) = (uint32_t)i + 1;
    }
    return true;
}

sg_leveled sg_levels_add(sg_levels *l, const char *text, size_t n, uint32_t *code)
{
    if (!more_slots(l)) return SG_LEVEL_NO_MEMORY;
    uint32_t *slot = slot_of(l, text, n);
    if (*slot) {
        *code = *slot - 1;
        return SG_LEVEL_KNOWN;
    }
    if (l->count == SG_LEVELS_MOST || n >= SG_LEVELS_BYTES - l->text.length) return SG_LEVEL_FULL;
    if (l->all && *l->all + n + 1 + EACH > SG_LEVELS_ALL) return SG_LEVEL_FULL;
    if (!sg_grow(&l->start, &l->room, l->count + 1, sizeof *l->start)) return SG_LEVEL_NO_MEMORY;
    l->start[l->count] = l->text.length;
    sg_text_bytes(&l->text, text, n);
    sg_text_bytes(&l->text, "", 1);
    if (l->text.failed) return SG_LEVEL_NO_MEMORY;
    if (l->all) *l->all += n + 1 + EACH;
    *code = (uint32_t)l->count++;
    *slot = *code + 1;
    return SG_LEVEL_NEW;
}

void sg_level_number(double value, char text[SG_NUMBER_SIZE])
{
    sg_number_shortest(value == 0 ? 0 : value, text); /* -0 is 0 */
}

sg_leveled sg_levels_add_number(sg_levels *l, double value, uint32_t *code)
{
    char text[SG_NUMBER_SIZE];
    sg_level_number(value, text);
    return sg_levels_add(l, text, strlen(text), code);
}

double sg_levels_find(const sg_levels *l, const char *text, size_t n)
{
    uint32_t found = l->slots ? *slot_of(l, text, n) : 0;
    return found ? (double)(found - 1) : (double)NAN;
}

double sg_levels_find_number(const sg_levels *l, double value)
{
    char text[SG_NUMBER_SIZE];
    sg_level_number(value, text);
    return sg_levels_find(l, text, strlen(text));
}

void sg_level_plain(sg_text *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        sg_text_bytes(out, c < 0x20 || c == 0x7f ? " " : &text[i], 1);
    }
}
