/* memory.c: memory allocation with overflow checks. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64, PAGE = 1 << 16, HUGE_PAGE_MIN_BYTES = 1 << 22 }; /* PAGE is the largest ordinary page size */

#ifdef MADV_HUGEPAGE

/* Requests huge pages, because page faults on small pages would cost more than reading a data file. Affects only
 * speed. */
static void advise_huge_pages(void *block, size_t bytes)
{
    size_t skip = -(uintptr_t)block % PAGE;
    madvise((char *)block + skip, (bytes - skip) / PAGE * PAGE, MADV_HUGEPAGE);
}

#else

static void advise_huge_pages(void *block, size_t bytes) { (void)block, (void)bytes; }

#endif

void *sg_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (!sg_checked_mul(count, size, &bytes) || bytes > PTRDIFF_MAX) return NULL;
    return calloc(bytes ? bytes : 1, 1);
}

void *sg_alloc_cache_aligned(size_t bytes)
{
    size_t lines = bytes / CACHE_LINE + 1;
    if (bytes > PTRDIFF_MAX - CACHE_LINE) return NULL;
    void *block = aligned_alloc(CACHE_LINE, lines * CACHE_LINE);
    if (block && bytes >= HUGE_PAGE_MIN_BYTES) advise_huge_pages(block, bytes);
    return block;
}

bool sg_array_reserve(void *block, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity) return true;
    size_t want = *capacity > SIZE_MAX / 2 ? need : *capacity * 2, bytes;
    if (want < need) want = need;
    if (!sg_checked_mul(want, size, &bytes) || bytes > PTRDIFF_MAX) return false;
    void *old, *grown;
    memcpy(&old, block, sizeof old);
    grown = realloc(old, bytes);
    if (!grown) return false;
    memcpy(block, &grown, sizeof grown);
    if (bytes >= HUGE_PAGE_MIN_BYTES) advise_huge_pages(grown, bytes);
    *capacity = want;
    return true;
}

double *sg_alloc_doubles(const sg_double_array *array, size_t arrays)
{
    size_t total = 0;
    for (size_t i = 0; i < arrays; i++)
        if (__builtin_add_overflow(total, array[i].n, &total)) return NULL;
    double *block = sg_calloc(total, sizeof *block), *at = block;
    for (size_t i = 0; block && i < arrays; at += array[i++].n) *array[i].at = at;
    return block;
}

void sg_free_blocks(void *const *block, size_t blocks)
{
    for (size_t i = 0; i < blocks; i++) free(block[i]);
}

char *sg_strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = malloc(n);
    if (copy) memcpy(copy, text, n);
    return copy;
}
