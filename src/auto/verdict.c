/* verdict.c: see verdict.h. */
#include "auto/verdict.h"

#include <math.h>

/* Squared errors on some parts differ by chance, too, and teachers know more than they show there. Not so where the
 * other choice is ridge regression, which has little that could be wrong: what takes its place must be better, and
 * visibly. */
static const double FAVOUR = 1.02, BEYOND = 0.98;

bool sg_worth_teaching(sg_search *s)
{
    const sg_candidate *best = &s->final[s->best];
    if (s->plan.student == 0 || sg_watch_stopped(&s->watch)) return false;
    return best->best > 0 || s->together < BEYOND * best->error;
}

sg_verdict sg_verdict_of(sg_search *s, const sg_candidate *student)
{
    const sg_candidate *best = &s->final[s->best];
    if (sg_watch_stopped(&s->watch)) return SG_STOPPED;
    bool line = best->best == 0;
    if (s->plan.ensemble && isfinite(s->together))
        return line && !(s->together < BEYOND * best->error) ? SG_LINE : SG_TOGETHER;
    if (student->error < (line ? BEYOND : FAVOUR) * sg_candidate_error(best, &s->ground, s->plan.screened))
        return SG_TAUGHT;
    return line ? SG_LINE : SG_BEST;
}
