/* names.c: see names.h. */
#include "data/names.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const sg_named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->column > y->column) - (x->column < y->column);
}

sg_status sg_names_sort(const char *const *names, size_t n, sg_named **out)
{
    sg_named *sorted = sg_alloc(n, sizeof *sorted);
    if (!sorted) return sg_fail(SG_ENOMEM, "out of memory for %zu column names", n);
    for (size_t i = 0; i < n; i++) sorted[i] = (sg_named){names[i], i};
    qsort(sorted, n, sizeof *sorted, by_name);
    *out = sorted;
    return SG_OK;
}

/* < 0 where the name comes before the span, as strcmp has it. */
static int compare(const char *name, const char *span, size_t length)
{
    int order = strncmp(name, span, length);
    return order ? order : name[length] != '\0';
}

const sg_named *sg_names_find(const sg_named *sorted, size_t n, const char *name, size_t length)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(sorted[middle].name, name, length) < 0) low = middle + 1;
        else high = middle;
    }
    return low < n && compare(sorted[low].name, name, length) == 0 ? &sorted[low] : NULL;
}

const sg_named *sg_names_twin(const sg_named *sorted, size_t n, const bool *use, const sg_named **twin)
{
    const sg_named *found = NULL;
    for (size_t i = 1; i < n; i++) {
        if (use && !use[sorted[i].column]) continue; /* all of one name are used, or none */
        if (strcmp(sorted[i - 1].name, sorted[i].name) != 0) continue;
        if (found && found->column < sorted[i].column) continue;
        found = &sorted[i];
        *twin = &sorted[i - 1];
    }
    return found;
}

bool sg_name_valid(const char *name) { return *name && sg_is_utf8(name, strlen(name)); }

void sg_names_list(const char *const *names, const bool *use, size_t n, sg_text *out)
{
    enum { MOST = 20, LONGEST = 600 };
    size_t shown = 0, left = 0, start = out->length;
    for (size_t i = 0; i < n; i++) {
        char name[48];
        if (use && !use[i]) continue;
        if (shown == MOST || out->length - start > LONGEST) {
            left++;
            continue;
        }
        sg_quotable(names[i], strlen(names[i]), name, sizeof name);
        sg_text_format(out, "%s%s", shown++ ? ", " : "", name);
    }
    if (left) sg_text_format(out, " and %zu more", left);
}
