/* gram.h: what linalg.h says of sums over rows, for each instruction set; all give the same bits. */
#ifndef SG_LINALG_GRAM_H
#define SG_LINALG_GRAM_H

#include <stddef.h>

typedef struct sg_gram {
    void (*gram)(const double *phi, const double *w, size_t rows, size_t n, double *gram);
    void (*cross)(const double *phi, const double *w, const double *y, size_t rows, size_t n, size_t outputs, double *cross);
} sg_gram;

extern const sg_gram sg_gram_portable, sg_gram_avx2;

#endif
