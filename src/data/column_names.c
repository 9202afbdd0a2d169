/* column_names.c: looks up, validates and lists column names. */
#include "data/column_names.h"

#include "base/memory.h"
#include "base/options.h"

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
    if (!sorted) return sg_fail(SG_ENOMEM, "out of memory while sorting %zu column names", n);
    for (size_t i = 0; i < n; i++) sorted[i] = (sg_named_column){names[i], i};
    qsort(sorted, n, sizeof *sorted, compare_entries);
    *out = sorted;
    return SG_OK;
}

/* Compares as strcmp does, but `span` is not NUL-terminated. */
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
                                                      const sg_named_column **earlier)
{
    const sg_named_column *found = NULL;
    for (size_t i = 1; i < n; i++) {
        if (use && !use[sorted[i].column]) continue; /* columns with the same name are all used or all unused */
        if (strcmp(sorted[i - 1].name, sorted[i].name) != 0) continue;
        if (found && found->column < sorted[i].column) continue;
        found = &sorted[i];
        *earlier = &sorted[i - 1];
    }
    return found;
}

bool sg_column_name_is_valid(const char *name) { return *name && sg_is_utf8(name, strlen(name)); }

sg_status sg_column_names_check(const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!sg_column_name_is_valid(names[i]))
            return sg_fail(SG_EINVAL, "the name of column %zu is empty or not UTF-8: \"%s\"", i + 1,
                           SG_EXCERPT(names[i]));
    sg_named_column *sorted;
    const sg_named_column *first, *second;
    sg_status st = sg_column_names_sort(names, n, &sorted);
    if (st != SG_OK) return st;
    second = sg_column_names_find_duplicate(sorted, n, NULL, &first);
    if (second)
        st = sg_fail(SG_EINVAL, "columns %zu and %zu are both named \"%s\"", first->column + 1, second->column + 1,
                     SG_EXCERPT(second->name));
    free(sorted);
    return st;
}

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

void sg_notice_dropped_columns(const sg_options *o, const char *what, const char *const *names, const bool *dropped,
                               size_t n)
{
    sg_text list = {0};
    sg_column_names_join(names, dropped, n, &list);
    if (list.length && !list.failed) sg_notice(o, "left out %s: %s", what, list.bytes);
    sg_text_release(&list);
}
