/* cell_classify.c: classifies text cells as numbers, missing values or text. */
#include "data/ingest/cell_classify.h"

#include "base/text.h"
#include "data/read_options.h"

#include <string.h>
#include <strings.h>

/* Returns the next word, trimmed and possibly empty, of a comma-separated list. *list becomes the rest, or NULL. */
static const char *next_word(const char **list, size_t *length)
{
    const char *word = *list + strspn(*list, " "), *end = *list + strcspn(*list, ",");
    *list = *end ? end + 1 : NULL;
    while (end > word && end[-1] == ' ') end--;
    *length = end > word ? (size_t)(end - word) : 0;
    return word;
}

static bool is_missing(const sg_field *f, const char *words)
{
    if (f->length == 0) return true;
    if (!words) words = SG_DEFAULT_MISSING;
    while (words) {
        size_t n;
        const char *word = next_word(&words, &n);
        if (n == f->length && strncasecmp(word, f->text, n) == 0) return true;
    }
    return false;
}

bool sg_missing_code_parse(const char *missing, size_t i, double *out)
{
    while (missing) {
        size_t n;
        const char *word = next_word(&missing, &n);
        if (sg_number_parse(word, n, out) == SG_NUMBER_OK && i-- == 0) return true;
    }
    return false;
}

/* Returns whether the cell is a number once its commas (decimal or thousands separators) are removed. */
static bool has_commas(const sg_field *f)
{
    char digits[64];
    size_t n = 0;
    double ignored;
    if (f->length > sizeof digits) return false;
    for (size_t i = 0; i < f->length; i++)
        if (f->text[i] != ',') digits[n++] = f->text[i];
    return n < f->length && sg_number_parse(digits, n, &ignored) == SG_NUMBER_OK;
}

sg_cell_class sg_cell_classify(const sg_field *f, const char *missing)
{
    double ignored;
    switch (sg_number_parse(f->text, f->length, &ignored)) {
    case SG_NUMBER_OK:
        return SG_CELL_NUMBER;
    case SG_NUMBER_OUT_OF_RANGE:
        return SG_CELL_OUT_OF_RANGE;
    case SG_NUMBER_INVALID:
        break;
    }
    return is_missing(f, missing) ? SG_CELL_MISSING : has_commas(f) ? SG_CELL_COMMAS : SG_CELL_TEXT;
}
