/* avx2_gram.c: normal equations for AVX2. */
#include "linalg/gram_rows.h"

const sg_gram sg_gram_avx2 = {gram_add, cross_add};
