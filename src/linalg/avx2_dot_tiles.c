/* avx2_dot_tiles.c: compiles the dot products of cholesky.c for AVX2. */
#include "linalg/dot_tiles_simd.h"

sg_dot_tiles_fn *const sg_dot_tiles_avx2 = dot_tiles;
