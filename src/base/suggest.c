/* suggest.c: suggests the most similar name for a mistyped one, by edit distance. */
#include "base/status.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MAX_LENGTH = 63 };

static size_t minimum(size_t a, size_t b) { return a < b ? a : b; }

/* Returns the Levenshtein distance, ignoring case, or SIZE_MAX if a text has more than MAX_LENGTH bytes. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b), row[MAX_LENGTH + 1];
    if (m > MAX_LENGTH || n > MAX_LENGTH) return SIZE_MAX;
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            size_t replaced = diagonal + !same;
            diagonal = row[j];
            row[j] = minimum(replaced, minimum(row[j - 1], row[j]) + 1);
        }
    }
    return row[n];
}

const char *sg_suggest(const char *typed, const char *const *names)
{
    size_t best = strlen(typed) / 3 + 1; /* a larger distance is unlikely to be a typing error */
    if (best >= strlen(typed)) best = strlen(typed) ? strlen(typed) - 1 : 0;
    const char *found = NULL;
    for (; *names; names++) {
        size_t d = edit_distance(typed, *names);
        if (d > best || (found && d == best)) continue;
        best = d;
        found = *names;
    }
    return found;
}
