/* pca.c: the principal component transform. Each output is the dot product of a component (a row of the matrix) and the
 * inputs. */
#include "prep/transform_pipeline.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <string.h>

static size_t count(const sg_transform *s, int k) { return k == 0 ? s->out * s->in : 0; }

static const char *validate(const sg_transform *s)
{
    (void)s;
    return NULL;
}

static void apply(const sg_transform *s, size_t n, size_t pitch, const double *x, double *z)
{
    for (size_t o = 0; o < s->out; o++) {
        double *sum = z + o * pitch;
        for (size_t i = 0; i < n; i++) sum[i] = 0;
        for (size_t k = 0; k < s->in; k++) {
            double c = s->parameter[0][o * s->in + k];
            const double *from = x + k * pitch;
            for (size_t i = 0; i < n; i++) sum[i] += c * sg_transform_clamp_finite(from[i]);
        }
    }
}

static void compose(const sg_transform *s, size_t inputs, const double *matrix, const double *shift, double *new_matrix,
                    double *new_shift)
{
    for (size_t j = 0; j < inputs; j++)
        for (size_t o = 0; o < s->out; o++) {
            double sum = 0;
            for (size_t i = 0; i < s->in; i++) sum += s->parameter[0][o * s->in + i] * matrix[i * inputs + j];
            new_matrix[o * inputs + j] = sum;
        }
    apply(s, 1, 1, shift, new_shift);
}

const sg_transform_kind sg_transform_pca = {"pca", {"components", NULL}, count, 0, validate, apply, NULL, compose};

/* Directions with negligible variance reflect only rounding errors, so membership functions on them would be
 * meaningless. */
static size_t count_nonzero_variance(const double *values, size_t n)
{
    size_t k = 0;
    while (k < n && values[k] > 1e-10 * values[0]) k++;
    return k;
}

sg_status sg_pca_fit(const double *gram, size_t n, size_t max_components, sg_pipeline *v)
{
    double *full = sg_calloc(n * n, sizeof *full), *vectors = sg_calloc(n * n, sizeof *vectors);
    double *values = sg_calloc(n, sizeof *values), *work = sg_calloc(n, sizeof *work);
    sg_transform *step = NULL;
    if (full && vectors && values && work) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++) full[i * n + j] = full[j * n + i] = gram[i * n + j];
        sg_eigen(full, n, values, vectors, work);
        size_t keep = count_nonzero_variance(values, n);
        if (keep > max_components) keep = max_components;
        step = sg_pipeline_append(v, &sg_transform_pca, keep);
        if (step) memcpy(step->parameter[0], vectors, keep * n * sizeof *vectors);
    }
    sg_free_all(full, vectors, values, work);
    return step ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while computing the principal components of %zu inputs", n);
}
