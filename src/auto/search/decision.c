/* decision.c: see decision.h. */
#include "auto/search/decision.h"

#include <math.h>

/* Squared errors on some parts differ by chance, too, and teachers know more than they show there. Not so where the
 * other choice is ridge regression, which has little that could be wrong: what takes its place must be better, and
 * visibly. */
static const double DISTILL_TOLERANCE = 1.02, RIDGE_IMPROVEMENT = 0.98;

bool sg_decision_try_distill(sg_search *s)
{
    const sg_candidate *best = &s->finalist[s->best_rules];
    if (s->plan.distill_steps == 0 || sg_search_progress_stopped(&s->progress)) return false;
    return best->best_eval > 0 || s->ensemble_error < RIDGE_IMPROVEMENT * best->error;
}

sg_decision sg_decision_make(sg_search *s, const sg_candidate *student)
{
    const sg_candidate *best = &s->finalist[s->best_rules];
    if (sg_search_progress_stopped(&s->progress)) return SG_DECISION_STOPPED;
    bool line = best->best_eval == 0;
    if (s->plan.ensemble_seeds && isfinite(s->ensemble_error))
        return line && !(s->ensemble_error < RIDGE_IMPROVEMENT * best->error) ? SG_DECISION_RIDGE
                                                                              : SG_DECISION_ENSEMBLE;
    if (student->error <
        (line ? RIDGE_IMPROVEMENT : DISTILL_TOLERANCE) * sg_candidate_error(best, &s->data, s->plan.screen_folds))
        return SG_DECISION_DISTILLED;
    return line ? SG_DECISION_RIDGE : SG_DECISION_BEST_RULES;
}
