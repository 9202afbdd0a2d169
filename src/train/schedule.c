/* schedule.c: see schedule.h. */
#include "train/schedule.h"

#include "base/elementary.h"

sg_schedule sg_schedule_of(const sg_options *o)
{
    double iterations = sg_options_number(o, "iters");
    return (sg_schedule){.iterations = iterations,
                         .warm = iterations * sg_options_number(o, "warmup"),
                         .cosine = sg_options_is(o, "schedule", "cosine")};
}

double sg_schedule_factor(const sg_schedule *s, size_t k)
{
    const double pi = 3.141592653589793;
    double at = (double)k;
    if (at < s->warm) return at / s->warm;
    if (!s->cosine) return 1;
    return 0.5 * (1 + sg_cos(pi * (at - s->warm) / (s->iterations - s->warm + 1)));
}
