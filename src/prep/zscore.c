/* zscore.c: (x - mean) / scale. */
#include "prep/view.h"

static size_t count(const sg_step *s, int k)
{
    (void)k;
    return s->in;
}

static const char *wrong(const sg_step *s)
{
    for (size_t i = 0; i < s->in; i++)
        if (!(s->number[1][i] >= 1e-100)) return "scale must be above 0";
    return NULL;
}

static void apply(const sg_step *s, size_t n, size_t pitch, const double *x, double *z)
{
    for (size_t k = 0; k < s->in; k++) {
        double mean = s->number[0][k], inverse = 1 / s->number[1][k];
        for (size_t i = k * pitch; i < k * pitch + n; i++) z[i] = (x[i] - mean) * inverse;
    }
}

static double inverse(const sg_step *s, size_t feature, double z)
{
    return z * s->number[1][feature] + s->number[0][feature];
}

static void compose(const sg_step *s, size_t inputs, const double *matrix, const double *shift, double *new_matrix,
                    double *new_shift)
{
    for (size_t i = 0; i < s->in; i++) {
        double scale = s->number[1][i];
        for (size_t j = 0; j < inputs; j++) new_matrix[i * inputs + j] = matrix[i * inputs + j] / scale;
        new_shift[i] = (shift[i] - s->number[0][i]) / scale;
    }
}

const sg_step_kind sg_step_zscore = {"zscore", {"mean", "scale"}, count, 1, wrong, apply, inverse, compose};
