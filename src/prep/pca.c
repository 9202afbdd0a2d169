/* pca.c: principal components: each output is a row of the components times x. */
#include "prep/pca.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <stdlib.h>
#include <string.h>

static size_t count(const sg_step *s, int k) { return k == 0 ? s->out * s->in : 0; }

static const char *wrong(const sg_step *s)
{
    (void)s;
    return NULL;
}

/* Infinities of opposite signs would make a NaN. */
static double limited(double x)
{
    double v = x < -SG_FARTHEST ? -SG_FARTHEST : x;
    return v > SG_FARTHEST ? SG_FARTHEST : v;
}

static void apply(const sg_step *s, size_t n, size_t pitch, const double *x, double *z)
{
    for (size_t o = 0; o < s->out; o++) {
        double *sum = z + o * pitch;
        for (size_t i = 0; i < n; i++) sum[i] = 0;
        for (size_t k = 0; k < s->in; k++) {
            double c = s->number[0][o * s->in + k];
            const double *from = x + k * pitch;
            for (size_t i = 0; i < n; i++) sum[i] += c * limited(from[i]);
        }
    }
}

static void compose(const sg_step *s, size_t inputs, const double *matrix, const double *shift, double *new_matrix,
                    double *new_shift)
{
    for (size_t j = 0; j < inputs; j++)
        for (size_t o = 0; o < s->out; o++) {
            double sum = 0;
            for (size_t i = 0; i < s->in; i++) sum += s->number[0][o * s->in + i] * matrix[i * inputs + j];
            new_matrix[o * inputs + j] = sum;
        }
    apply(s, 1, 1, shift, new_shift);
}

const sg_step_kind sg_step_pca = {"pca", {"components", NULL}, count, 0, wrong, apply, NULL, compose};

/* Directions in which the rows do not spread are rounding error; an MF on them would be, too. */
static size_t with_spread(const double *values, size_t n)
{
    size_t k = 0;
    while (k < n && values[k] > 1e-10 * values[0]) k++;
    return k;
}

sg_status sg_pca_fit(const double *gram, size_t n, size_t most, sg_view *v)
{
    double *full = sg_alloc(n * n, sizeof *full), *vectors = sg_alloc(n * n, sizeof *vectors);
    double *values = sg_alloc(n, sizeof *values), *work = sg_alloc(n, sizeof *work);
    sg_step *step = NULL;
    if (full && vectors && values && work) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++) full[i * n + j] = full[j * n + i] = gram[i * n + j];
        sg_eigen(full, n, values, vectors, work);
        size_t keep = with_spread(values, n);
        if (keep > most) keep = most;
        step = sg_view_append(v, &sg_step_pca, keep);
        if (step) memcpy(step->number[0], vectors, keep * n * sizeof *vectors);
    }
    free(full);
    free(vectors);
    free(values);
    free(work);
    return step ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for principal components of %zu inputs", n);
}
