/* claim_checks.c: the claims that are asked once, not of each dataset; see claim_kinds.h. */
#include "claim_kinds.h"

#include "claim_tally.h"
#include "trial.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* a stays below the first of b (mbgd) everywhere; how often do the others? */
void check_only_one(const sight *s, const claim *c, when w, finding *out)
{
    const char *list = c->b, *word;
    size_t length;
    char base[64], name[64];
    text others = {0};
    int another = 0;
    word = next_word(&list, &length);
    copy_word(word, length, base, sizeof base);
    claim one = *c;
    one.b = base;
    tally own = tally_count(s, &one, w, ask_below);
    tally_report(&one, &own, out);
    while ((word = next_word(&list, &length))) {
        copy_word(word, length, name, sizeof name);
        one.a = name;
        tally t = tally_count(s, &one, w, ask_below);
        text_add(&others, "%s%s %zu", others.length ? ", " : "", name, t.yes);
        another |= t.sets && t.yes == t.sets;
        tally_free(&t);
    }
    size_t n = strlen(out->text);
    if (!others.failed && others.length)
        snprintf(out->text + n, sizeof out->text - n, "; the others: %s", others.bytes);
    text_free(&others);
    if (out->verdict != NOT_SEEN && another) out->verdict = FAILS;
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
    out->verdict = sets < c->of ? NOT_SEEN : a > b ? HOLDS : FAILS;
    snprintf(out->text, sizeof out->text, "%+.1f %% against %+.1f %%", a, b);
}

/* The number of parameters of the system itself against the paper's formula for two MFs an input.
 */
void check_parameters(const sight *s, const claim *c, when w, finding *out)
{
    size_t seen = 0, right = 0;
    (void)w;
    for (size_t d = 0; d < s->catalogue->datasets; d++) {
        const cell *own = sight_cell(s, d, c->a);
        size_t parameters, inputs;
        if (!own || trial_size(own, &parameters, &inputs) != SG_OK) continue;
        seen++;
        right +=
            parameters == 4 * inputs + (inputs + 1) * ((size_t)1 << inputs) && parameters == (inputs == 4 ? 96u : 212u);
    }
    out->verdict = seen < c->of ? NOT_SEEN : right == seen ? HOLDS : FAILS;
    snprintf(out->text, sizeof out->text, "%zu of %zu", right, seen);
}

/* How much of the grid lies within 5 % of its best point. */
void check_grid(const sight *s, const claim *c, when w, finding *out)
{
    size_t planned = 0, points = 0, good = 0;
    double least = INFINITY;
    text bad = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->catalogue->algorithms; i++) {
            const algorithm *a = &s->catalogue->algorithm[i];
            if (strncmp(a->name, c->b, strlen(c->b)) != 0) continue;
            const cell *point = plan_find(s->plan, s->preprocessing, c->a, AS_IT_IS, a->name);
            planned += pass == 0;
            if (!point) continue;
            double rmse = cell_when(point, w).mean;
            if (pass == 0) points++, least = fmin(least, rmse);
            else if (rmse <= 1.05 * least) good++;
            else text_add(&bad, "%s%s (%+.0f %%)", bad.length ? ", " : "", a->label, 100 * (rmse / least - 1));
        }
    out->verdict = points < planned ? NOT_SEEN : 2 * good >= points ? HOLDS : FAILS;
    snprintf(out->text, sizeof out->text, "%zu of %zu points%s%s", good, points, bad.length ? "; not " : "",
             bad.length ? bad.bytes : "");
    text_free(&bad);
}

void check_one_hot(const sight *s, const claim *c, when w, finding *out)
{
    const cell *without = plan_find(s->plan, s->preprocessing, c->b, AS_IT_IS, c->a);
    const cell *with = plan_find(s->plan, s->preprocessing, c->b, ONE_HOT, c->a);
    out->verdict = NOT_SEEN;
    *out->text = '\0';
    if (!with || !without) return;
    difference d = compare(with, without, w);
    out->verdict = d.sign > 0 ? HOLDS : d.clear ? FAILS : IN_SPREAD;
    snprintf(out->text, sizeof out->text, "%.4g with, %.4g without (difference %+.2g ± %.2g)", cell_when(with, w).mean,
             cell_when(without, w).mean, d.mean, d.half);
}

/* On the dataset with the most rows. */
void check_svr_time(const sight *s, const claim *c, when w, finding *out)
{
    size_t largest = 0;
    (void)w;
    for (size_t d = 1; d < s->catalogue->datasets; d++)
        if (s->catalogue->dataset[d].rows > s->catalogue->dataset[largest].rows) largest = d;
    const cell *a = sight_cell(s, largest, c->a), *b = sight_cell(s, largest, c->b);
    out->verdict = NOT_SEEN;
    *out->text = '\0';
    if (!a || !b) return;
    double fit = mean(a->seconds, a->repeats), train = mean(b->seconds, b->repeats);
    out->verdict = fit > train ? HOLDS : FAILS;
    snprintf(out->text, sizeof out->text, "%s: %.3g s against %.3g s", a->data->label, fit, train);
}
