/* claim_checks.c: see claim_checks.h. Most claims are counted over datasets: on each one it is so
 * by the means, or not, and that is clear beyond the spread over splits, or not. */
#include "claim_checks.h"

#include "words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 8 };

const cell *sight_cell(const sight *s, size_t set, const char *by)
{
    return plan_find(s->plan, s->preprocessing, s->catalogue->dataset[set].name, AS_IT_IS, by);
}

/* --- counting over datasets --- */

/* How one dataset answers. */
typedef struct answer {
    int seen; /* all cells are there */
    int yes;
    int clear;
    double figure; /* for the median that some checks report */
} answer;

typedef answer ask(const sight *s, const claim *c, when w, size_t set);

typedef struct tally {
    size_t sets, yes, clear_yes, clear_no;
    double figure[64];
    text exceptions;
} tally;

static tally count(const sight *s, const claim *c, when w, ask *question)
{
    tally t = {0};
    for (size_t d = 0; d < s->catalogue->datasets; d++) {
        answer a = question(s, c, w, d);
        if (!a.seen) continue;
        if (t.sets < 64) t.figure[t.sets] = a.figure;
        t.sets++;
        t.yes += a.yes != 0;
        t.clear_yes += a.yes && a.clear;
        t.clear_no += !a.yes && a.clear;
        if (!a.yes)
            text_add(&t.exceptions, "%s%s%s", t.exceptions.length ? ", " : "",
                     s->catalogue->dataset[d].label, a.clear ? "" : "?");
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

/* "9 of 10 (clear on 8; not on Wine-Red?)": a question mark where it is within the spread. */
static void report(const claim *c, tally *t, finding *out)
{
    out->verdict = judge(c, t);
    int n = snprintf(out->text, sizeof out->text, "%zu of %zu", t->yes, t->sets);
    if (t->clear_yes < t->yes)
        n +=
            snprintf(out->text + n, sizeof out->text - (size_t)n, ", clearly on %zu", t->clear_yes);
    if (t->exceptions.length && !t->exceptions.failed)
        snprintf(out->text + n, sizeof out->text - (size_t)n, "; not on %s", t->exceptions.bytes);
    text_free(&t->exceptions);
}

static void append(finding *f, const char *what, double value)
{
    size_t n = strlen(f->text);
    snprintf(f->text + n, sizeof f->text - n, what, value);
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

/* The cells of a list of algorithms on a dataset; 0 where one is missing. */
static size_t cells(const sight *s, size_t set, const char *list, const cell *out[MOST_NAMES])
{
    size_t n = 0, length;
    const char *word;
    while ((word = next_word(&list, &length))) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        if (n == MOST_NAMES || !(out[n++] = sight_cell(s, set, name))) return 0;
    }
    return n;
}

/* --- by test RMSE --- */

/* Whether a lies on the given side of each of b: -1 smaller, 1 larger. */
static answer on_side(const sight *s, const claim *c, when w, size_t set, int side)
{
    const cell *a = sight_cell(s, set, c->a), *b[MOST_NAMES];
    size_t n = cells(s, set, c->b, b);
    answer out = {.seen = a && n, .yes = 1, .clear = 1};
    int clearly_not = 0;
    for (size_t i = 0; a && i < n; i++) {
        difference d = compare(a, b[i], w);
        if (d.sign != side) out.yes = 0;
        if (!d.clear) out.clear = 0;
        if (d.clear && d.sign == -side) clearly_not = 1;
    }
    if (!out.yes) out.clear = clearly_not;
    return out;
}

static answer ask_smaller(const sight *s, const claim *c, when w, size_t set)
{
    return on_side(s, c, w, set, -1);
}

static answer ask_clearly_smaller(const sight *s, const claim *c, when w, size_t set)
{
    answer a = on_side(s, c, w, set, -1);
    return (answer){.seen = a.seen, .yes = a.yes && a.clear, .clear = 1};
}

static answer ask_largest(const sight *s, const claim *c, when w, size_t set)
{
    return on_side(s, c, w, set, 1);
}

static answer ask_not_larger(const sight *s, const claim *c, when w, size_t set)
{
    answer larger = on_side(s, c, w, set, 1);
    return (answer){.seen = larger.seen, .yes = !(larger.yes && larger.clear), .clear = 1};
}

static answer ask_not_clear(const sight *s, const claim *c, when w, size_t set)
{
    answer smaller = on_side(s, c, w, set, -1);
    return (answer){.seen = smaller.seen, .yes = !smaller.clear, .clear = 1};
}

static answer ask_comparable(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b[MOST_NAMES];
    size_t n = cells(s, set, c->b, b);
    answer out = {.seen = a && n, .yes = 1, .clear = 1};
    for (size_t i = 0; a && i < n; i++)
        if (fabs(compare(b[i], a, w).mean) > cell_when(a, w).sd) out.yes = 0;
    return out;
}

static answer ask_one_is_best(const sight *s, const claim *c, when w, size_t set)
{
    answer out = {0};
    const char *list = c->a, *word;
    size_t length;
    while ((word = next_word(&list, &length))) {
        char name[64];
        claim one = *c;
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        one.a = name;
        answer a = on_side(s, &one, w, set, -1);
        if (!a.seen) return a;
        if (!out.seen || (a.yes && !(out.yes && out.clear)) || (!a.yes && !a.clear && !out.yes))
            out = a;
    }
    return out;
}

void check_smaller(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_smaller);
    report(c, &t, out);
}

void check_clearly_smaller(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_clearly_smaller);
    report(c, &t, out);
}

void check_largest(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_largest);
    report(c, &t, out);
}

void check_not_larger(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_not_larger);
    report(c, &t, out);
}

void check_not_clear(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_not_clear);
    report(c, &t, out);
}

void check_comparable(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_comparable);
    report(c, &t, out);
}

void check_one_is_best(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_one_is_best);
    report(c, &t, out);
}

/* a beats the first of b (mbgd) everywhere; how often do the others? At the final iteration: at its own
 * best one an algorithm may stop before it falls behind. */
void check_only_one(const sight *s, const claim *c, when w, finding *out)
{
    const char *list = c->b, *word;
    size_t length;
    char base[64], name[64];
    text others = {0};
    int another = 0;
    (void)w;
    word = next_word(&list, &length);
    snprintf(base, sizeof base, "%.*s", (int)length, word);
    claim one = *c;
    one.b = base;
    tally own = count(s, &one, FINAL, ask_smaller);
    report(&one, &own, out);
    while ((word = next_word(&list, &length))) {
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        one.a = name;
        tally t = count(s, &one, FINAL, ask_smaller);
        text_add(&others, "%s%s %zu", others.length ? ", " : "", name, t.yes);
        another |= t.sets && t.yes == t.sets;
        text_free(&t.exceptions);
    }
    size_t n = strlen(out->text);
    if (!others.failed && others.length)
        snprintf(out->text + n, sizeof out->text - n, "; the others: %s", others.bytes);
    text_free(&others);
    if (out->verdict == HOLDS && another) out->verdict = FAILS;
}

/* The smallest improvement over mbgd, in per cent, over the datasets. */
static double worst_improvement(const sight *s, const char *by, when w, size_t *sets)
{
    double worst = INFINITY;
    *sets = 0;
    for (size_t d = 0; d < s->catalogue->datasets; d++) {
        const cell *base = sight_cell(s, d, "mbgd"), *c = sight_cell(s, d, by);
        if (!base || !c) continue;
        double reference = cell_when(base, w).mean;
        worst = fmin(worst, 100 * (reference - cell_when(c, w).mean) / reference);
        ++*sets;
    }
    return worst;
}

void check_worst_case(const sight *s, const claim *c, when w, finding *out)
{
    size_t sets;
    double a = worst_improvement(s, c->a, w, &sets), b = worst_improvement(s, c->b, w, &sets);
    out->verdict = sets < 10 ? NOT_SEEN : a > b ? HOLDS : FAILS;
    snprintf(out->text, sizeof out->text, "%+.1f %% against %+.1f %%", a, b);
}

/* --- by the course of the curves --- */

static answer ask_faster(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b[MOST_NAMES];
    size_t n = cells(s, set, c->b, b), k = 0;
    double least = INFINITY;
    (void)w;
    for (size_t i = 0; i < n; i++) least = fmin(least, cell_when(b[i], FINAL).mean);
    if (a && n) k = cell_reaches(a, least);
    return (answer){.seen = a && n,
                    .yes = a && k > 0 && k < a->iterations / 2,
                    .clear = 1,
                    .figure = k ? (double)k : 1e9};
}

void check_faster(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_faster);
    double middle = median(t.figure, t.sets < 64 ? t.sets : 64);
    report(c, &t, out);
    append(out, "; median %.0f iterations", middle);
}

/* The first iteration within 5 % of the cell's own best. */
static size_t settled(const cell *c) { return cell_reaches(c, 1.05 * cell_when(c, BEST).mean); }

static answer ask_not_later(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b = sight_cell(s, set, c->b);
    (void)w;
    if (!a || !b) return (answer){0};
    return (answer){.seen = 1,
                    .yes = settled(a) <= settled(b),
                    .clear = 1,
                    .figure = (double)settled(a) / (double)settled(b)};
}

void check_not_later(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_not_later);
    double middle = median(t.figure, t.sets < 64 ? t.sets : 64);
    report(c, &t, out);
    append(out, "; median ratio of iterations %.2g", middle);
}

static answer ask_train_smaller(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b[MOST_NAMES];
    size_t n = cells(s, set, c->b, b);
    answer out = {.seen = a && n, .yes = 1, .clear = 1};
    (void)w;
    for (size_t i = 0; a && i < n; i++) {
        difference d = compare_runs(a->train + (a->points - 1) * a->repeats,
                                    b[i]->train + (b[i]->points - 1) * b[i]->repeats, a->repeats);
        if (d.sign >= 0) out.yes = 0;
        if (!d.clear) out.clear = 0;
    }
    return out;
}

void check_train_smaller(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_train_smaller);
    report(c, &t, out);
}

/* Mean change of a run's test RMSE from one iteration to the next, over the second half, relative
 * to its level. */
static double roughness(const cell *c)
{
    double sum = 0, level = 0;
    for (size_t p = c->points / 2; p + 1 < c->points; p++)
        for (size_t r = 0; r < c->repeats; r++) {
            sum += fabs(c->test[(p + 1) * c->repeats + r] - c->test[p * c->repeats + r]);
            level += c->test[p * c->repeats + r];
        }
    return level > 0 ? sum / level : 0;
}

static answer ask_rougher(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b = sight_cell(s, set, c->b);
    (void)w;
    if (!a || !b) return (answer){0};
    double ratio = roughness(a) / roughness(b);
    return (answer){.seen = 1, .yes = ratio > 2, .clear = 1, .figure = ratio};
}

void check_rougher(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_rougher);
    double middle = median(t.figure, t.sets < 64 ? t.sets : 64);
    report(c, &t, out);
    append(out, "; median ratio %.3g", middle);
}

/* --- by the learning rate --- */

static answer ask_rises_and_falls(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a);
    double most = 0;
    (void)w;
    if (!a) return (answer){0};
    for (size_t p = 0; p < a->points; p++) most = fmax(most, cell_rate(a, p));
    return (answer){.seen = 1,
                    .clear = 1,
                    .yes =
                        most > 1.05 * cell_rate(a, 0) && cell_rate(a, a->points - 1) < 0.95 * most};
}

void check_rises_and_falls(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_rises_and_falls);
    report(c, &t, out);
}

static answer ask_rate_smaller(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b = sight_cell(s, set, c->b);
    (void)w;
    if (!a || !b) return (answer){0};
    return (answer){
        .seen = 1, .clear = 1, .yes = cell_rate(a, a->points - 1) < cell_rate(b, b->points - 1)};
}

void check_rate_smaller(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_rate_smaller);
    report(c, &t, out);
}

static answer ask_rate_falls(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a);
    (void)w;
    if (!a) return (answer){0};
    double ratio = cell_rate(a, 0) / cell_rate(a, cell_point_of(a, 100));
    return (answer){.seen = 1, .clear = 1, .yes = ratio >= 10, .figure = ratio};
}

void check_rate_falls(const sight *s, const claim *c, when w, finding *out)
{
    tally t = count(s, c, w, ask_rate_falls);
    double middle = median(t.figure, t.sets < 64 ? t.sets : 64);
    report(c, &t, out);
    append(out, "; median ratio %.3g", middle);
}
