/* gram.c: normal equations for any machine, and the choice. */
#include "linalg/gram_rows.h"
#include "linalg/linalg.h"

const sg_gram sg_gram_portable = {gram_add, cross_add};

#if defined(__x86_64__)
static const sg_gram *chosen(void) { return __builtin_cpu_supports("avx2") ? &sg_gram_avx2 : &sg_gram_portable; }
#else
static const sg_gram *chosen(void) { return &sg_gram_portable; }
#endif

void sg_gram_add(const double *phi, const double *w, size_t rows, size_t n, double *gram)
{
    chosen()->gram(phi, w, rows, n, gram);
}

void sg_cross_add(const double *phi, const double *w, const double *y, size_t rows, size_t n,
                  size_t outputs, double *cross)
{
    chosen()->cross(phi, w, y, rows, n, outputs, cross);
}
