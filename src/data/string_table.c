/* string_table.c: interns strings in an open-addressing hash table with linear probing. */
#include "data/string_table.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of memory that an entry uses in addition to its text, for its offset and slots. */
enum { ENTRY_OVERHEAD = 24 };

size_t sg_string_table_bytes(const sg_string_table *l) { return l->text.length + l->count * ENTRY_OVERHEAD; }

void sg_string_table_release(sg_string_table *l)
{
    if (l->shared_bytes) *l->shared_bytes -= sg_string_table_bytes(l);
    sg_text_release(&l->text);
    free(l->offset);
    free(l->slot);
    *l = (sg_string_table){0};
}

const char *sg_string_table_get(const sg_string_table *l, size_t i)
{
    return i < l->count ? l->text.bytes + l->offset[i] : NULL;
}

/* Computes FNV-1a with a final mix, because the low bits select the slot. */
static size_t hash_text(const char *text, size_t n)
{
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3;
    return (size_t)(h ^ h >> 29);
}

static bool entry_equals(const sg_string_table *l, size_t code, const char *text, size_t n)
{
    const char *level = l->text.bytes + l->offset[code];
    size_t next = code + 1 < l->count ? l->offset[code + 1] : l->text.length;
    return next - l->offset[code] - 1 == n && memcmp(level, text, n) == 0;
}

/* Returns the slot of the text or, if it has none, the free slot for it. The table must have slots. */
static uint32_t *find_slot(const sg_string_table *l, const char *text, size_t n)
{
    size_t i = hash_text(text, n) & (l->slot_count - 1);
    while (l->slot[i] && !entry_equals(l, l->slot[i] - 1, text, n)) i = (i + 1) & (l->slot_count - 1);
    return &l->slot[i];
}

static bool grow_slots(sg_string_table *l)
{
    enum { MIN_SLOTS = 16 };
    if (l->slot_count && 2 * (l->count + 1) <= l->slot_count) return true;
    size_t slots = l->slot_count ? 2 * l->slot_count : MIN_SLOTS;
    uint32_t *slot = sg_calloc(slots, sizeof *slot);
    if (!slot) return false;
    free(l->slot);
    l->slot = slot;
    l->slot_count = slots;
    for (size_t i = 0; i < l->count; i++) {
        const char *text = sg_string_table_get(l, i);
        *find_slot(l, text, strlen(text)) = (uint32_t)i + 1;
    }
    return true;
}

sg_intern_result sg_string_table_intern(sg_string_table *l, const char *text, size_t n, uint32_t *code)
{
    if (!grow_slots(l)) return SG_INTERN_NO_MEMORY;
    uint32_t *slot = find_slot(l, text, n);
    if (*slot) {
        *code = *slot - 1;
        return SG_INTERN_FOUND;
    }
    if (l->count == SG_LEVELS_MAX || n >= SG_LEVEL_BYTES_MAX - l->text.length) return SG_INTERN_FULL;
    if (l->shared_bytes && *l->shared_bytes + n + 1 + ENTRY_OVERHEAD > SG_LEVEL_BYTES_TOTAL_MAX) return SG_INTERN_FULL;
    if (!sg_array_reserve(&l->offset, &l->capacity, l->count + 1, sizeof *l->offset)) return SG_INTERN_NO_MEMORY;
    l->offset[l->count] = l->text.length;
    sg_text_append_bytes(&l->text, text, n);
    sg_text_append_bytes(&l->text, "", 1);
    if (l->text.failed) return SG_INTERN_NO_MEMORY;
    if (l->shared_bytes) *l->shared_bytes += n + 1 + ENTRY_OVERHEAD;
    *code = (uint32_t)l->count++;
    *slot = *code + 1;
    return SG_INTERN_ADDED;
}

void sg_level_format_number(double value, char text[SG_NUMBER_BUFFER_SIZE])
{
    sg_number_format_shortest(value == 0 ? 0 : value, text); /* formats -0 as 0 */
}

sg_intern_result sg_string_table_intern_number(sg_string_table *l, double value, uint32_t *code)
{
    char text[SG_NUMBER_BUFFER_SIZE];
    sg_level_format_number(value, text);
    return sg_string_table_intern(l, text, strlen(text), code);
}

double sg_string_table_find(const sg_string_table *l, const char *text, size_t n)
{
    uint32_t found = l->slot_count ? *find_slot(l, text, n) : 0;
    return found ? (double)(found - 1) : (double)NAN;
}

double sg_string_table_find_number(const sg_string_table *l, double value)
{
    char text[SG_NUMBER_BUFFER_SIZE];
    sg_level_format_number(value, text);
    return sg_string_table_find(l, text, strlen(text));
}

void sg_level_sanitize(sg_text *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        sg_text_append_bytes(out, c < 0x20 || c == 0x7f ? " " : &text[i], 1);
    }
}
