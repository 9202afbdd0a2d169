/* tale.c: see tale.h. The table; the notes are in tale_notes.c. */
#include "auto/tale.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const why[] = {
    [SG_LINE] = "ridge regression: no rules did better on rows that they were not trained on",
    [SG_BEST] = "the best rules, trained again on all rows",
    [SG_TAUGHT] = "a student of all of these together, trained again on all rows",
    [SG_TOGETHER] = "all of these together, trained again on all rows",
    [SG_STOPPED] = "the best that was known when it was stopped",
};

double sg_tale_units(const sg_search *s, double error)
{
    return sqrt(s->ground.outputs == 1 ? error * s->ground.variance[0] : error);
}

static bool note(const sg_search *s, sg_record *r, const char *name, const char *what, const sg_candidate *c,
                 double error)
{
    char text[320], setting[200] = "";
    if (c && c->trees)
        snprintf(setting, sizeof setting, ", %zu trees of %zu leaves", sg_candidate_stop(c), c->trees->leaves);
    else if (c && c->looks) {
        int n = snprintf(setting, sizeof setting, ", %zu of %zu steps: ", sg_candidate_stop(c), c->length);
        for (size_t i = 0; i < 2 && c->besides[i]; i++)
            n += snprintf(setting + n, sizeof setting - (size_t)n, "--%s, ", c->besides[i]);
        sg_setting_text(&s->choices, &c->setting, setting + n, sizeof setting - (size_t)n);
    }
    snprintf(text, sizeof text, "%s: %s %.5g%s", what, s->ground.outputs == 1 ? "RMSE" : "relative error",
             sg_tale_units(s, error), setting);
    return sg_record_add(r, name, text, false);
}

static int by_error(const void *a, const void *b)
{
    const sg_candidate *x = *(const sg_candidate *const *)a, *y = *(const sg_candidate *const *)b;
    if (x->error != y->error) return x->error < y->error ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* The setting that says how ridge regression does: any that ran. */
static const sg_candidate *plain(const sg_search *s)
{
    return isfinite(s->final[0].error) ? &s->final[0] : &s->final[s->best];
}

/* The error of what was chosen on rows that it was not trained on, as the table has it. Of several targets it is no
 * RMSE. */
static bool note_error(const sg_tale *t, sg_record *r)
{
    const sg_search *s = t->search;
    char number[SG_NUMBER_SIZE];
    const sg_candidate *best = &s->final[s->best];
    bool limited = t->verdict == SG_BEST && t->outside->taken && best->theta;
    double error = t->verdict == SG_TAUGHT ? t->student->error : limited ? t->outside->limited : best->error;
    if (t->verdict == SG_TOGETHER) error = s->together;
    if (s->ground.outputs > 1 || !isfinite(error)) return true;
    return sg_record_add(r, "valid_rmse", sg_number_shortest(sg_tale_units(s, error), number), true);
}

static bool note_candidates(const sg_search *s, sg_record *r)
{
    const sg_candidate *c[SG_CANDIDATES];
    char name[32];
    bool ok = true;
    for (size_t i = 0; i < s->finals; i++) c[i] = &s->final[i];
    qsort(c, s->finals, sizeof *c, by_error);
    if (isfinite(s->final[s->best].error)) ok = note(s, r, "tried_ridge", "ridge regression", NULL, plain(s)->curve[0]);
    for (size_t i = 0; ok && i < s->finals; i++) {
        if (!isfinite(c[i]->error)) continue;
        snprintf(name, sizeof name, "tried_%zu", i + 1);
        bool doubted = !c[i]->trees && c[i]->error < s->final[s->best].error;
        ok = note(s, r, name,
                  c[i]->trees ? sg_boost_name(c[i]->trees)
                  : doubted   ? "rules, perhaps by luck"
                              : "rules",
                  c[i], c[i]->error);
    }
    return ok;
}

/* Where rows left out lie beyond the others: else there is nothing to tell. */
static bool note_limit(const sg_tale *t, sg_record *r)
{
    const sg_outside *o = t->outside;
    if (o->limited == o->as_is) return true;
    return note(t->search, r, "tried_limit",
                o->taken ? "the best rules with --limit range, which is kept"
                         : "the best rules with --limit range, which is worse",
                NULL, o->limited);
}

static bool note_student(const sg_tale *t, sg_record *r)
{
    const sg_search *s = t->search;
    if (!isfinite(t->student->error)) return true;
    double same = sg_candidate_error(&s->final[s->best], &s->ground, s->plan.screened);
    return note(s, r, "tried_student", "a student of that, on some of the parts", NULL, t->student->error) &&
           note(s, r, "tried_same", "the best rules, on the same parts", NULL, same);
}

/* Rows that come again; only what is handed out together knows them. */
static bool note_recall(const sg_search *s, sg_record *r)
{
    static const char held[] = "rows whose inputs come again are known by heart, so the model holds the inputs of all "
                               "its training rows, a rule "
                               "for each: hand it out as you would hand out these";
    if (!isfinite(s->recalled)) return true;
    return note(s, r, "tried_recall", "with what is known of rows whose inputs come again, which is kept", NULL,
                s->recalled) &&
           sg_record_add(r, "note_recall", held, false);
}

/* Tables of effects that nobody asked for. */
static bool note_effects(const sg_tale *t, sg_record *r)
{
    const sg_search *s = t->search;
    size_t who = s->best;
    for (size_t i = 0; t->verdict == SG_TOGETHER && i < s->finals; i++)
        if (s->weight[i] > 0 && *sg_options_text(s->final[i].options, "effects")) who = i;
    const char *of = sg_options_text(s->final[who].options, "effects");
    if (t->verdict == SG_TOGETHER && !(s->weight[who] > 0)) return true;
    if (t->verdict == SG_TAUGHT || !*of || sg_options_given(s->user, "effects")) return true;
    sg_text text = {0};
    sg_text_format(
        &text,
        "the effects of %s were tried on values that the training rows hold, too, and help with such alone: for others "
        "train with --effects \"\"",
        of);
    bool ok = !text.failed && sg_record_add(r, "note_effects", text.bytes, false);
    sg_text_release(&text);
    return ok;
}

sg_status sg_tale_write(const sg_tale *t, sg_model *m)
{
    const sg_search *s = t->search;
    sg_record *r = &m->record;
    bool ok = note_error(t, r) && note_candidates(s, r) && note_limit(t, r);
    if (ok && isfinite(s->together)) ok = note(s, r, "tried_together", "all of these together", NULL, s->together);
    ok = ok && note_recall(s, r) && note_student(t, r) && sg_record_add(r, "chosen", why[t->verdict], false) &&
         note_effects(t, r);
    if (!ok) return sg_fail(SG_ENOMEM, "out of memory for the training record");
    if (t->verdict == SG_STOPPED) return SG_OK;
    sg_status st = sg_tale_unstable(t, r);
    return st == SG_OK ? sg_tale_worst_rows(t, r) : st;
}
