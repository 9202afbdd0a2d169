/* byte_size.c: parses and formats sizes such as 256MB. */
#include "base/byte_size.h"

#include <math.h>

static const char units[] = "kMGT";

/* Removes the unit from the end of the text and returns its power of 1024, or -1 if the unit is unknown. */
static int parse_unit(const char *text, size_t *n)
{
    size_t end = *n;
    if (end > 1 && (text[end - 1] == 'B' || text[end - 1] == 'b')) end--;
    for (int i = 0; end > 1 && units[i]; i++)
        if ((text[end - 1] | 0x20) == (units[i] | 0x20)) {
            *n = end - 1;
            return i + 1;
        }
    return end == *n ? 0 : -1;
}

bool sg_byte_size_parse(const char *text, size_t n, double *bytes)
{
    int power = parse_unit(text, &n);
    double x;
    if (power < 0 || sg_number_parse(text, n, &x) != SG_NUMBER_OK || x < 0) return false;
    if (power == 0 && x != floor(x)) return false;
    *bytes = floor(ldexp(x, 10 * power));
    return isfinite(*bytes);
}

void sg_text_append_byte_size(sg_text *t, double bytes)
{
    int power = 0;
    while (units[power] && bytes >= 1024 && fmod(bytes, 1024) == 0) {
        bytes /= 1024;
        power++;
    }
    sg_text_append_format(t, "%.0f", bytes);
    if (power) sg_text_append_format(t, "%cB", units[power - 1]);
}
