/* clamp.c: into [low, high], so that no finite input can overflow what follows. */
#include "prep/view.h"

#include <string.h>

static size_t count(const sg_step *s, int k)
{
    (void)k;
    return s->in;
}

static const char *wrong(const sg_step *s)
{
    for (size_t i = 0; i < s->in; i++)
        if (!(s->number[0][i] <= s->number[1][i])) return "low must not be above high";
    return NULL;
}

static void apply(const sg_step *s, size_t n, size_t pitch, const double *x, double *z)
{
    for (size_t k = 0; k < s->in; k++) {
        double low = s->number[0][k], high = s->number[1][k];
        for (size_t i = k * pitch; i < k * pitch + n; i++) {
            double v = x[i] < low ? low : x[i];
            z[i] = v > high ? high : v;
        }
    }
}

static double inverse(const sg_step *s, size_t feature, double z)
{
    (void)s;
    (void)feature;
    return z;
}

static void compose(const sg_step *s, size_t inputs, const double *matrix, const double *shift, double *new_matrix,
                    double *new_shift)
{
    memcpy(new_matrix, matrix, s->in * inputs * sizeof *matrix);
    memcpy(new_shift, shift, s->in * sizeof *shift);
}

const sg_step_kind sg_step_clamp = {"clamp", {"low", "high"}, count, 1, wrong, apply, inverse, compose};
