/* rate_schedule.c: see rate_schedule.h. */
#include "train/optim/rate_schedule.h"

#include "base/number/portable_math.h"

sg_rate_schedule sg_rate_schedule_from_options(const sg_options *o)
{
    double iterations = sg_options_real(o, "iters");
    return (sg_rate_schedule){.iterations = iterations,
                              .warmup = iterations * sg_options_real(o, "warmup"),
                              .cosine = sg_options_equals(o, "schedule", "cosine")};
}

double sg_rate_schedule_factor(const sg_rate_schedule *s, size_t k)
{
    const double pi = 3.141592653589793;
    double at = (double)k;
    if (at < s->warmup) return at / s->warmup;
    if (!s->cosine) return 1;
    return 0.5 * (1 + sg_cos(pi * (at - s->warmup) / (s->iterations - s->warmup + 1)));
}
