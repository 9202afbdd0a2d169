/* clamp.c: the transform that clamps each feature to [low, high], so that no finite input overflows later steps. */
#include "prep/transform_pipeline.h"

#include <string.h>

static size_t count(const sg_transform *s, int k)
{
    (void)k;
    return s->in;
}

static const char *validate(const sg_transform *s)
{
    for (size_t i = 0; i < s->in; i++)
        if (!(s->parameter[0][i] <= s->parameter[1][i])) return "low must not be above high";
    return NULL;
}

static void apply(const sg_transform *s, size_t n, size_t pitch, const double *x, double *z)
{
    for (size_t k = 0; k < s->in; k++) {
        double low = s->parameter[0][k], high = s->parameter[1][k];
        for (size_t i = k * pitch; i < k * pitch + n; i++) {
            double v = x[i] < low ? low : x[i];
            z[i] = v > high ? high : v;
        }
    }
}

static double inverse(const sg_transform *s, size_t feature, double z)
{
    (void)s;
    (void)feature;
    return z;
}

static void compose(const sg_transform *s, size_t inputs, const double *matrix, const double *shift, double *new_matrix,
                    double *new_shift)
{
    memcpy(new_matrix, matrix, s->in * inputs * sizeof *matrix);
    memcpy(new_shift, shift, s->in * sizeof *shift);
}

const sg_transform_kind sg_transform_clamp = {"clamp", {"low", "high"}, count, 1, validate, apply, inverse, compose};
