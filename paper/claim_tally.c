/* claim_tally.c: claims that are counted over datasets. On each one it is so by the means, or not,
 * and that is clear beyond the spread over splits, or not. */
#include "claim_tally.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

tally tally_count(const sight *s, const claim *c, when w, claim_ask *ask)
{
    tally t = {0};
    for (size_t d = 0; d < s->catalogue->datasets && d < MOST_SETS; d++) {
        answer a = ask(s, c, w, d);
        if (!a.seen) continue;
        t.figure[t.sets++] = a.figure;
        t.reported = a.reported;
        t.yes += a.yes != 0;
        t.clear_yes += a.yes && a.clear;
        t.clear_no += !a.yes && a.clear;
        text *list = a.yes ? &t.on : &t.not_on;
        text_add(list, "%s%s%s", list->length ? ", " : "", s->catalogue->dataset[d].label, a.clear ? "" : "?");
    }
    return t;
}

static verdict judge(const claim *c, const tally *t)
{
    size_t least = t->clear_yes, most = t->sets - t->clear_no;
    int exactly = c->flags & EXACTLY;
    if (t->sets < c->of) return NOT_SEEN;
    if (exactly ? t->yes == c->number : t->yes >= c->number) return HOLDS;
    if (exactly ? least <= c->number && c->number <= most : most >= c->number) return IN_SPREAD;
    return FAILS;
}

static double median(double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && x[j - 1] > x[j]; j--) {
            double t = x[j];
            x[j] = x[j - 1];
            x[j - 1] = t;
        }
    return n ? (x[(n - 1) / 2] + x[n / 2]) / 2 : 0;
}

void tally_free(tally *t)
{
    text_free(&t->on);
    text_free(&t->not_on);
}

/* "9 of 10, clearly on 8; not on Wine-Red?": a question mark where it is within the spread. */
void tally_report(const claim *c, tally *t, finding *out)
{
    text found = {0};
    out->verdict = judge(c, t);
    if (t->sets) text_add(&found, "%zu of %zu", t->yes, t->sets);
    if (t->clear_yes < t->yes) text_add(&found, ", clearly on %zu", t->clear_yes);
    if (t->on.length && 2 * t->yes < t->sets) {
        text_add(&found, "; on %s", t->on.bytes);
        if (t->clear_no < t->sets - t->yes) text_add(&found, "; clearly not on %zu", t->clear_no);
    } else if (t->not_on.length && t->yes) text_add(&found, "; not on %s", t->not_on.bytes);
    double middle = median(t->figure, t->sets);
    if (t->reported && t->sets && isfinite(middle)) text_add(&found, "; median %.3g %s", middle, t->reported);
    snprintf(out->text, sizeof out->text, "%s", found.failed || !found.bytes ? "" : found.bytes);
    text_free(&found);
    tally_free(t);
}

void claim_find(const sight *s, const claim *c, when w, finding *out)
{
    if (!c->ask) {
        c->check(s, c, w, out);
        return;
    }
    tally t = tally_count(s, c, w, c->ask);
    tally_report(c, &t, out);
}
