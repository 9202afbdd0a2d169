/* zscore.c: the transform (x - mean) / scale. */
#include "prep/transform_pipeline.h"

static size_t count(const sg_transform *s, int k)
{
    (void)k;
    return s->in;
}

static const char *validate(const sg_transform *s)
{
    for (size_t i = 0; i < s->in; i++)
        if (!(s->parameter[1][i] >= 1e-100)) return "scale must be above 0";
    return NULL;
}

static void apply(const sg_transform *s, size_t n, size_t pitch, const double *x, double *z)
{
    for (size_t k = 0; k < s->in; k++) {
        double mean = s->parameter[0][k], inverse = 1 / s->parameter[1][k];
        for (size_t i = k * pitch; i < k * pitch + n; i++) z[i] = (x[i] - mean) * inverse;
    }
}

static double inverse(const sg_transform *s, size_t feature, double z)
{
    return z * s->parameter[1][feature] + s->parameter[0][feature];
}

static void compose(const sg_transform *s, size_t inputs, const double *matrix, const double *shift, double *new_matrix,
                    double *new_shift)
{
    for (size_t i = 0; i < s->in; i++) {
        double scale = s->parameter[1][i];
        for (size_t j = 0; j < inputs; j++) new_matrix[i * inputs + j] = matrix[i * inputs + j] / scale;
        new_shift[i] = (shift[i] - s->parameter[0][i]) / scale;
    }
}

const sg_transform_kind sg_transform_zscore = {"zscore", {"mean", "scale"}, count,  1, validate,
                                               apply,    inverse,           compose};
