/* looks_like_date.c: detects dates by their form. The calendar is not checked: February 31 passes. */
#include "data/ingest/cell_classify.h"

#include <string.h>
#include <strings.h>

typedef struct date_cursor {
    const char *at, *end;
} date_cursor;

/* Parses a number of at most four digits. Returns the number of digits, or 0 if there is no such number. */
static size_t parse_number(date_cursor *r, unsigned *out)
{
    const char *start = r->at;
    *out = 0;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && r->at - start < 5)
        *out = *out * 10 + (unsigned)(*r->at++ - '0');
    size_t digits = (size_t)(r->at - start);
    return digits < 5 ? digits : 0;
}

static bool accept_char(date_cursor *r, const char *signs)
{
    if (r->at == r->end || !*r->at || !strchr(signs, *r->at)) return false;
    r->at++;
    return true;
}

static void skip_blanks(date_cursor *r)
{
    while (accept_char(r, " ")) {}
}

static bool accept_word(date_cursor *r, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(r->end - r->at) < n || strncasecmp(r->at, word, n) != 0) return false;
    r->at += n;
    return true;
}

/* Returns whether the numbers are a possible month and day, in either order. */
static bool is_month_and_day(unsigned a, unsigned b)
{
    return a >= 1 && b >= 1 && a <= 31 && b <= 31 && (a <= 12 || b <= 12);
}

static bool parse_date(date_cursor *r)
{
    unsigned part[3];
    size_t digits[3];
    char sign = 0;
    for (int i = 0; i < 3; i++) {
        digits[i] = parse_number(r, &part[i]);
        if (!digits[i]) return false;
        if (i == 2) break;
        if (r->at == r->end || !strchr("-/.", *r->at) || (sign && sign != *r->at)) return false;
        sign = *r->at++;
    }
    if (digits[0] == 4)
        return sign != '.' ? digits[1] <= 2 && digits[2] <= 2 && is_month_and_day(part[1], part[2])
                           : digits[1] == 2 && digits[2] == 2 && is_month_and_day(part[1], part[2]);
    return digits[0] <= 2 && digits[1] <= 2 && (digits[2] == 2 || digits[2] == 4) && is_month_and_day(part[0], part[1]);
}

/* Parses what follows the hour: :05, :05:33 or :05:33.25. */
static bool parse_minutes(date_cursor *r)
{
    unsigned value;
    for (int i = 0; i < 2 && (i == 0 || (r->at < r->end && *r->at == ':')); i++)
        if (!accept_char(r, ":") || parse_number(r, &value) != 2 || value > 60) return false;
    if (!accept_char(r, ".,")) return true;
    while (accept_char(r, "0123456789")) {}
    return true;
}

static bool parse_time(date_cursor *r)
{
    unsigned hour;
    if (parse_number(r, &hour) == 0 || hour > 24 || !parse_minutes(r)) return false;
    skip_blanks(r);
    if (!accept_word(r, "AM")) accept_word(r, "PM");
    skip_blanks(r);
    return true;
}

/* Parses Z, UTC, GMT, +02:00, -0530 or +02. */
static bool parse_zone(date_cursor *r)
{
    unsigned value;
    if (accept_word(r, "UTC") || accept_word(r, "GMT") || accept_word(r, "Z")) return r->at == r->end;
    if (!accept_char(r, "+-")) return false;
    size_t digits = parse_number(r, &value);
    if (digits == 2 && accept_char(r, ":")) return parse_number(r, &value) == 2;
    return digits == 2 || digits == 4;
}

bool sg_looks_like_date(const char *text, size_t n)
{
    date_cursor r = {text, text + n};
    if (!parse_date(&r)) return false;
    if (r.at == r.end) return true;
    if (!accept_char(&r, "Tt ")) return false;
    skip_blanks(&r);
    if (!parse_time(&r)) return false;
    return r.at == r.end || (parse_zone(&r) && r.at == r.end);
}
