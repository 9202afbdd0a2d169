/* claim_asks.c: the questions that claims ask of one dataset; see claim_kinds.h. */
#include "claim_kinds.h"

#include "words.h"

#include <math.h>
#include <string.h>

enum { MOST_NAMES = 8, MOST_RUNS = 100 };

const cell *sight_cell(const sight *s, size_t set, const char *by)
{
    return plan_find(s->plan, s->preprocessing, s->catalogue->dataset[set].name, AS_IT_IS, by);
}

/* The cells of a list of algorithms on a dataset; 0 where one is missing. */
static size_t cells(const sight *s, size_t set, const char *list, const cell *out[MOST_NAMES])
{
    size_t n = 0, length;
    const char *word;
    while ((word = next_word(&list, &length))) {
        char name[64];
        copy_word(word, length, name, sizeof name);
        if (n == MOST_NAMES || !(out[n++] = sight_cell(s, set, name))) return 0;
    }
    return n;
}

/* --- by test RMSE --- */

/* How a differs from b, over their runs. */
typedef difference differ_fn(const cell *a, const cell *b, when w);

static size_t both_repeats(const cell *a, const cell *b) { return a->repeats < b->repeats ? a->repeats : b->repeats; }

static difference by_train(const cell *a, const cell *b, when w)
{
    (void)w;
    return compare_runs(a->train + (a->points - 1) * a->repeats, b->train + (b->points - 1) * b->repeats,
                        both_repeats(a, b));
}

/* Whether a lies on the given side of each of b: -1 smaller, 1 larger. */
static answer on_side(const sight *s, const claim *c, when w, size_t set, differ_fn *differ, int side)
{
    const cell *a = sight_cell(s, set, c->a), *b[MOST_NAMES];
    size_t n = cells(s, set, c->b, b);
    answer out = {.seen = a && n, .yes = 1, .clear = 1};
    int clearly_not = 0;
    for (size_t i = 0; a && i < n; i++) {
        difference d = differ(a, b[i], w);
        if (d.sign != side) out.yes = 0;
        if (!d.clear) out.clear = 0;
        if (d.clear && d.sign == -side) clearly_not = 1;
    }
    if (!out.yes) out.clear = clearly_not;
    return out;
}

answer ask_smaller(const sight *s, const claim *c, when w, size_t set) { return on_side(s, c, w, set, compare, -1); }

answer ask_largest(const sight *s, const claim *c, when w, size_t set) { return on_side(s, c, w, set, compare, 1); }

answer ask_train_smaller(const sight *s, const claim *c, when w, size_t set)
{
    return on_side(s, c, w, set, by_train, -1);
}

answer ask_not_larger(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b = sight_cell(s, set, c->b);
    if (!a || !b) return (answer){0};
    return (answer){.seen = 1, .clear = 1, .yes = compare(a, b, w).mean <= cell_when(a, w).sd};
}

answer ask_comparable(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b[MOST_NAMES];
    size_t n = cells(s, set, c->b, b);
    answer out = {.seen = a && n, .yes = 1, .clear = 1};
    for (size_t i = 0; a && i < n; i++)
        if (fabs(compare(b[i], a, w).mean) > cell_when(a, w).sd) out.yes = 0;
    return out;
}

answer ask_one_is_best(const sight *s, const claim *c, when w, size_t set)
{
    answer out = {0};
    const char *list = c->a, *word;
    size_t length;
    while ((word = next_word(&list, &length))) {
        char name[64];
        claim one = *c;
        copy_word(word, length, name, sizeof name);
        one.a = name;
        answer a = on_side(s, &one, w, set, compare, -1);
        if (!a.seen) return a;
        if (!out.seen || (a.yes && !(out.yes && out.clear)) || (!a.yes && !a.clear && !out.yes)) out = a;
    }
    return out;
}

/* --- by the course of the curves --- */

answer ask_faster(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b[MOST_NAMES];
    size_t n = cells(s, set, c->b, b), k = 0;
    double least = INFINITY, never = INFINITY;
    (void)w;
    for (size_t i = 0; i < n; i++) least = fmin(least, cell_when(b[i], FINAL).mean);
    if (a && n) k = cell_reaches(a, least);
    return (answer){.seen = a && n,
                    .yes = a && k > 0 && k < a->iterations / 2,
                    .clear = 1,
                    .figure = k ? (double)k : never,
                    .reported = "iterations"};
}

answer ask_below(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b = sight_cell(s, set, c->b);
    answer out = {.seen = a && b, .yes = 1, .clear = 1};
    (void)w;
    for (size_t p = 0; a && b && p < a->points; p++)
        if (cell_test(a, p).mean >= cell_test(b, cell_point_of(b, cell_iteration(a, p))).mean) out.yes = 0;
    return out;
}

/* Iterations until a and b are within 5 % of the worse of their two best RMSEs. */
static answer settled(const sight *s, const claim *c, size_t set, double *x, double *y)
{
    const cell *a = sight_cell(s, set, c->a), *b = sight_cell(s, set, c->b);
    if (!a || !b) return (answer){0};
    double level = 1.05 * fmax(cell_when(a, BEST).mean, cell_when(b, BEST).mean);
    *x = (double)cell_reaches(a, level);
    *y = (double)cell_reaches(b, level);
    return (answer){.seen = 1, .clear = 1, .figure = *x / *y, .reported = "times the iterations"};
}

answer ask_much_sooner(const sight *s, const claim *c, when w, size_t set)
{
    double x = 0, y = 0;
    answer out = settled(s, c, set, &x, &y);
    (void)w;
    out.yes = 2 * x < y;
    return out;
}

/* Ten of 500 iterations make no difference. */
answer ask_not_later(const sight *s, const claim *c, when w, size_t set)
{
    double x = 0, y = 0;
    answer out = settled(s, c, set, &x, &y);
    (void)w;
    out.yes = x <= y + 10;
    return out;
}

/* How far a run's test RMSE moves back and forth: its total variation less its net change, relative
 * to its level. */
static double oscillation(const cell *c)
{
    double sum = 0, level = 0;
    for (size_t r = 0; r < c->repeats; r++) {
        const double *run = c->test + r;
        for (size_t p = 1; p < c->points; p++) sum += fabs(run[p * c->repeats] - run[(p - 1) * c->repeats]);
        sum -= fabs(run[(c->points - 1) * c->repeats] - run[0]);
        for (size_t p = 0; p < c->points; p++) level += run[p * c->repeats] / (double)c->points;
    }
    return level > 0 ? sum / level : 0;
}

answer ask_oscillates(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b = sight_cell(s, set, c->b);
    (void)w;
    if (!a || !b) return (answer){0};
    double ratio = oscillation(a) / oscillation(b);
    return (answer){.seen = 1, .yes = ratio > 2, .clear = 1, .figure = ratio, .reported = "times as much"};
}

/* --- by the learning rate --- */

answer ask_rises_and_falls(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a);
    double most = 0;
    (void)w;
    if (!a) return (answer){0};
    for (size_t p = 0; p < a->points; p++) most = fmax(most, cell_rate(a, p));
    return (answer){
        .seen = 1, .clear = 1, .yes = most > 1.05 * cell_rate(a, 0) && cell_rate(a, a->points - 1) < 0.95 * most};
}

/* The mean rate over the second half. */
static double late_rate(const cell *c)
{
    double sum = 0;
    for (size_t p = c->points / 2; p < c->points; p++) sum += cell_rate(c, p);
    return sum / (double)(c->points - c->points / 2);
}

answer ask_rate_smaller(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a), *b = sight_cell(s, set, c->b);
    (void)w;
    if (!a || !b) return (answer){0};
    return (answer){.seen = 1, .clear = 1, .yes = late_rate(a) < late_rate(b)};
}

answer ask_rate_falls(const sight *s, const claim *c, when w, size_t set)
{
    const cell *a = sight_cell(s, set, c->a);
    (void)w;
    if (!a) return (answer){0};
    double ratio = cell_rate(a, 0) / cell_rate(a, cell_point_of(a, 100));
    return (answer){.seen = 1, .clear = 1, .yes = ratio >= 10, .figure = ratio, .reported = "times lower"};
}

/* --- by CPU time --- */

/* rr must be ten times faster. */
static difference by_seconds(const cell *a, const cell *b, double scoring)
{
    double x[MOST_RUNS], y[MOST_RUNS], factor = strcmp(a->algorithm->name, "rr") == 0 ? 10 : 1;
    size_t n = both_repeats(a, b) < MOST_RUNS ? both_repeats(a, b) : MOST_RUNS;
    for (size_t r = 0; r < n; r++) {
        x[r] = factor * (a->seconds[r] + scoring * a->score[r]);
        y[r] = b->seconds[r] + scoring * b->score[r];
    }
    return compare_runs(x, y, n);
}

static difference by_time(const cell *a, const cell *b, when w)
{
    (void)w;
    return by_seconds(a, b, 1);
}

static difference by_train_time(const cell *a, const cell *b, when w)
{
    (void)w;
    return by_seconds(a, b, 0);
}

answer ask_time(const sight *s, const claim *c, when w, size_t set) { return on_side(s, c, w, set, by_time, -1); }

answer ask_train_time(const sight *s, const claim *c, when w, size_t set)
{
    return on_side(s, c, w, set, by_train_time, -1);
}
