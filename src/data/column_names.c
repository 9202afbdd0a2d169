/* column_names.c: see column_names.h. */
#include "data/column_names.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_entries(const void *a, const void *b)
{
    const sg_named_column *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->column > y->column) - (x->column < y->column);
}

sg_status sg_column_names_sort(const char *const *names, size_t n, sg_named_column **out)
{
    sg_named_column *sorted = sg_calloc(n, sizeof *sorted);
    if (!sorted) return sg_fail(SG_ENOMEM, "out of memory for %zu column names", n);
    for (size_t i = 0; i < n; i++) sorted[i] = (sg_named_column){names[i], i};
    qsort(sorted, n, sizeof *sorted, compare_entries);
    *out = sorted;
    return SG_OK;
}

/* < 0 where the name comes before the span, as strcmp has it. */
static int compare_span(const char *name, const char *span, size_t length)
{
    int order = strncmp(name, span, length);
    return order ? order : name[length] != '\0';
}

const sg_named_column *sg_column_names_find(const sg_named_column *sorted, size_t n, const char *name, size_t length)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_span(sorted[middle].name, name, length) < 0) low = middle + 1;
        else high = middle;
    }
    return low < n && compare_span(sorted[low].name, name, length) == 0 ? &sorted[low] : NULL;
}

const sg_named_column *sg_column_names_find_duplicate(const sg_named_column *sorted, size_t n, const bool *use,
                                                      const sg_named_column **duplicate)
{
    const sg_named_column *found = NULL;
    for (size_t i = 1; i < n; i++) {
        if (use && !use[sorted[i].column]) continue; /* all of one name are used, or none */
        if (strcmp(sorted[i - 1].name, sorted[i].name) != 0) continue;
        if (found && found->column < sorted[i].column) continue;
        found = &sorted[i];
        *duplicate = &sorted[i - 1];
    }
    return found;
}

bool sg_column_name_is_valid(const char *name) { return *name && sg_is_utf8(name, strlen(name)); }

void sg_column_names_join(const char *const *names, const bool *use, size_t n, sg_text *out)
{
    enum { MAX_NAMES = 20, MAX_BYTES = 600 };
    size_t shown = 0, left = 0, start = out->length;
    for (size_t i = 0; i < n; i++) {
        char name[48];
        if (use && !use[i]) continue;
        if (shown == MAX_NAMES || out->length - start > MAX_BYTES) {
            left++;
            continue;
        }
        sg_quote_excerpt(names[i], strlen(names[i]), name, sizeof name);
        sg_text_append_format(out, "%s%s", shown++ ? ", " : "", name);
    }
    if (left) sg_text_append_format(out, " and %zu more", left);
}
