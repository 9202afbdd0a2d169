/* conformal_interval.c: split conformal prediction intervals.
 *
 * The n errors on held-out rows and the error of a new row are exchangeable. Therefore, with probability at least
 * `level`, the new error is at most the ceil((n + 1) level)-th smallest of them, for any model and distribution. */
#include "model/model.h"

#include <math.h>

static double clamp(double y, double low, double high) { return y < low ? low : y > high ? high : y; }

/* Returns the error at a rank, interpolated linearly between the stored ranks. */
static double error_at_rank(const sg_error_quantiles *e, double rank)
{
    size_t i = 0;
    while (i + 1 < e->points && e->rank[i] < rank) i++;
    if (i == 0 || e->rank[i] <= rank) return e->abs_error[i];
    double gap = e->rank[i] - e->rank[i - 1], part = gap > 0 ? (rank - e->rank[i - 1]) / gap : 1;
    return e->abs_error[i - 1] + part * (e->abs_error[i] - e->abs_error[i - 1]);
}

/* Computes the rank for an interval of the given level. The tolerance absorbs rounding errors in (n + 1) level. */
static sg_status conformal_rank(const sg_model *m, double level, double *out)
{
    const double tolerance = 1 - 1e-9, n = (double)m->calibration.effective_rows;
    if (!(level > 0 && level < 1))
        return sg_fail(SG_EINVAL, "the level of an interval must be above 0 and below 1, not %g", level);
    if (!m->calibration.errors)
        return sg_fail(SG_EDATA,
                       "the model is not calibrated; train it with --preset auto or --intervals 10, or run sugeno "
                       "calibrate on rows that were not used in training");
    *out = ceil((n + 1) * level * tolerance);
    if (*out <= n) return SG_OK;
    return sg_fail(
        SG_EDATA,
        "an interval of level %g needs the errors of at least %.0f rows, but the model has the errors of only %.0f; "
        "ask for a level of at most %.3g, or train or calibrate the model on more rows",
        level, ceil(level / (1 - level) * tolerance), n, floor(1000 * n / (n + 1)) / 1000);
}

sg_status sg_model_interval(const sg_model *m, double level, const double *y, size_t rows, double *lower, double *upper)
{
    double rank;
    sg_status st = conformal_rank(m, level, &rank);
    for (size_t o = 0; st == SG_OK && o < m->outputs; o++) {
        double size = error_at_rank(&m->calibration.errors[o], rank);
        for (size_t i = o; i < rows * m->outputs; i += m->outputs) {
            lower[i] = clamp(y[i] - size, m->clip_low[o], m->clip_high[o]);
            upper[i] = clamp(y[i] + size, m->clip_low[o], m->clip_high[o]);
        }
    }
    return st;
}

int sg_model_has_support(const sg_model *m) { return m->blocks == 0 || m->calibration.support_rows > 0; }

size_t sg_model_calibration_rows(const sg_model *m)
{
    return m->calibration.errors ? m->calibration.effective_rows : 0;
}
