/* csv_cell.c: number, missing or text. */
#include "data/csv_cell.h"

#include "base/text.h"

#include <string.h>
#include <strings.h>

static bool is_missing(const sg_field *f)
{
    static const char *const marks[] = {"", "NA", "N/A", "NaN", "?", "null", "None", "-"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strlen(marks[i]) == f->length && strncasecmp(marks[i], f->text, f->length) == 0)
            return true;
    return false;
}

/* A comma as decimal sign or between thousands: a number once the commas are gone. */
static bool has_commas(const sg_field *f)
{
    char bare[64];
    size_t n = 0;
    double ignored;
    if (f->length > sizeof bare) return false;
    for (size_t i = 0; i < f->length; i++)
        if (f->text[i] != ',') bare[n++] = f->text[i];
    return n < f->length && sg_number_parse(bare, n, &ignored) == SG_NUMBER_OK;
}

sg_cell sg_cell_kind(const sg_field *f)
{
    double ignored;
    switch (sg_number_parse(f->text, f->length, &ignored)) {
    case SG_NUMBER_OK: return SG_CELL_NUMBER;
    case SG_NUMBER_RANGE: return SG_CELL_RANGE;
    case SG_NUMBER_NOT: break;
    }
    return is_missing(f) ? SG_CELL_MISSING : has_commas(f) ? SG_CELL_COMMAS : SG_CELL_TEXT;
}
