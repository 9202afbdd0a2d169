/* tale_notes.c: see tale.h. How far a search can be trusted: all from predictions of rows left out that it has already.
 */
#include "auto/tale.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"
#include "data/source.h"

#include <math.h>
#include <stdlib.h>

static const double MUCH = 0.05; /* of an RMSE                               */
static const double APART = 1.5; /* the largest over the smallest: of few parts a mean is hardly ever known to MUCH */
enum { WORST = 5 };
static const double QUARTER = 0.25, TENFOLD = 10; /* of the error; of what the rows are of all */

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the training record"); }

static const char *unit(const sg_search *s) { return s->ground.outputs == 1 ? "RMSE" : "relative error"; }

static sg_status add_note(sg_record *r, const char *name, sg_text *text)
{
    bool ok = !text->failed && (!text->length || sg_record_add(r, name, text->bytes, false));
    sg_text_release(text);
    return ok ? SG_OK : no_memory();
}

/* --- parts --- */

static double weight_of(const sg_ground *g, size_t part)
{
    double weight = 0;
    for (size_t i = 0; i < g->part[part].valid.rows; i++) weight += g->weight[g->part[part].row[i]];
    return weight;
}

/* The best rules' errors differ from part to part: so that their mean is not known to a twentieth, and by much? */
static void tell_spread(const sg_search *s, sg_text *text)
{
    const sg_candidate *best = &s->final[s->best];
    double n = (double)best->parts, low = INFINITY, high = 0, sum = 0, squares = 0;
    for (size_t j = 0; j < best->parts; j++) {
        double e = sg_tale_units(s, sg_candidate_error_in(best, &s->ground, j, j + 1, best->best));
        low = fmin(low, e);
        high = fmax(high, e);
        sum += e;
        squares += e * e;
    }
    double variance = (squares - sum * sum / n) / (n - 1);
    if (n < 2 || !(sqrt(variance / n) > MUCH * sum / n) || !(high > APART * low)) return;
    sg_text_format(text,
                   "%s is %.3g to %.3g on the %zu parts that were left out, one after the other: on other rows it may "
                   "differ as much",
                   unit(s), low, high, best->parts);
}

/* --- luck --- */

typedef struct outcome {
    double elsewhere, here; /* weighted errors on the other parts, and on this one */
} outcome;

/* The look of a candidate that does best where it may look. */
static outcome choose_look(const sg_search *s, const sg_candidate *c, const double *weight, size_t but)
{
    outcome best = {INFINITY, INFINITY};
    for (size_t look = 0; look <= c->looks; look++) {
        outcome o = {0};
        for (size_t j = 0; j < c->parts; j++) {
            double e = weight[j] * sg_candidate_error_in(c, &s->ground, j, j + 1, look);
            if (j == but) o.here = e;
            else o.elsewhere += e;
        }
        if (o.elsewhere < best.elsewhere) best = o;
    }
    return best;
}

/* The error of rules that are chosen without a look at the part that they are judged on. */
static double error_of_choice(const sg_search *s, const double *weight, size_t parts)
{
    double sum = 0, all = 0;
    for (size_t j = 0; j < parts; j++) {
        outcome best = {INFINITY, INFINITY};
        for (size_t i = 0; i < s->finals; i++) {
            if (s->final[i].trees || s->final[i].parts != parts || !isfinite(s->final[i].error)) continue;
            outcome o = choose_look(s, &s->final[i], weight, j);
            if (o.elsewhere < best.elsewhere) best = o;
        }
        sum += best.here;
        all += weight[j];
    }
    return sum / all;
}

static sg_status tell_luck(const sg_search *s, sg_text *text)
{
    const sg_candidate *best = &s->final[s->best];
    double *weight = sg_alloc(best->parts, sizeof *weight);
    if (!weight) return no_memory();
    for (size_t j = 0; j < best->parts; j++) weight[j] = weight_of(&s->ground, j);
    double chosen = sg_tale_units(s, error_of_choice(s, weight, best->parts)), shown = sg_tale_units(s, best->error);
    free(weight);
    if (best->parts < 2 || !(chosen > (1 + MUCH) * shown)) return SG_OK;
    sg_text_format(text,
                   "%sthe choice of rules is luck in part: chosen without a look at the part that they are judged on, "
                   "they have %s %.3g, "
                   "not %.3g",
                   text->length ? "; " : "", unit(s), chosen, shown);
    return SG_OK;
}

sg_status sg_tale_unstable(const sg_tale *t, sg_record *r)
{
    const sg_search *s = t->search;
    sg_text text = {0}, note = {0};
    if (!isfinite(s->final[s->best].error)) return SG_OK;
    tell_spread(s, &text);
    sg_status st = tell_luck(s, &text);
    if (text.length) sg_text_format(&note, "unstable: %s", text.bytes);
    note.failed |= text.failed;
    sg_text_release(&text);
    sg_status added = add_note(r, "note_unstable", &note);
    return st == SG_OK ? added : st;
}

/* --- rows --- */

typedef struct bad {
    size_t row;
    double error;
} bad;

/* The largest errors, the largest first; the sum of all. */
static double find_worst(const sg_search *s, bad worst[WORST])
{
    const sg_ground *g = &s->ground;
    const sg_candidate *best = &s->final[s->best];
    double all = 0;
    for (size_t i = 0; i < g->rows; i++) {
        double e = sg_ground_error(g, i, best->y + (best->best * g->rows + i) * g->outputs);
        size_t k = WORST;
        all += e;
        while (k && e > worst[k - 1].error) k--;
        for (size_t j = WORST - 1; j > k; j--) worst[j] = worst[j - 1];
        if (k < WORST) worst[k] = (bad){i, e};
    }
    return all;
}

/* As the user counts them, from 1. Members of a team know their own rows' numbers alone, and tell the others. */
static sg_status number_rows(const sg_tale *t, const bad *worst, size_t number[WORST])
{
    const sg_source *of = &t->search->ground.desk.of;
    size_t begin, end, ranks = sg_team_ranks(of->team), own[WORST] = {0};
    sg_source_range(of, &begin, &end);
    for (size_t i = 0; i < WORST; i++) {
        size_t row = sg_ground_row(&t->search->ground, worst[i].row);
        if (row >= begin && row < end) own[i] = (t->usable ? sg_subset_below(t->usable, row) : row) + 1;
    }
    size_t *all = sg_alloc(ranks, sizeof own);
    sg_status st = all ? sg_team_all(of->team, own, sizeof own, all) : no_memory();
    for (size_t i = 0; st == SG_OK && i < ranks * WORST; i++)
        if (all[i]) number[i % WORST] = all[i];
    free(all);
    return st;
}

sg_status sg_tale_worst_rows(const sg_tale *t, sg_record *r)
{
    const sg_search *s = t->search;
    double of_error = 0, of_rows = WORST / (double)s->ground.rows;
    bad worst[WORST] = {0};
    size_t number[WORST] = {0};
    sg_text text = {0};
    if (!isfinite(s->final[s->best].error) || s->final[s->best].parts < s->ground.parts) return SG_OK;
    double all = find_worst(s, worst);
    for (size_t i = 0; i < WORST; i++) of_error += worst[i].error / all;
    if (!(of_error > fmax(QUARTER, TENFOLD * of_rows))) return SG_OK;
    sg_status st = number_rows(t, worst, number);
    if (st != SG_OK) return st;
    sg_text_format(&text, "%d of %zu rows make up %.0f %% of the squared error on rows left out", WORST, s->ground.rows,
                   100 * of_error);
    for (size_t i = 0; i < WORST; i++) sg_text_format(&text, "%s%zu", i ? ", " : ": rows ", number[i]);
    sg_text_add(&text, "; look whether they are right");
    return add_note(r, "note_worst_rows", &text);
}
