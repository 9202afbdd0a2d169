/* dot_tiles_simd.h: computes the dot products of several rows with several others. One file for each instruction set
 * includes it.
 *
 * A dot product is accumulated in four partial sums: the product of the elements at k is added to sum k mod 4, in
 * ascending order of k. This makes it reproducible bit for bit. A tile of dot products stays in registers while its
 * rows are read once. */
#include <stddef.h>

/* The type of dot_tiles below. cholesky.c selects the variant for this CPU. */
typedef void sg_dot_tiles_fn(size_t tall, size_t wide, const double *a, const double *b, size_t stride, size_t n,
                             double *out);
extern sg_dot_tiles_fn *const sg_dot_tiles_avx2;

#define INLINE static inline __attribute__((always_inline))

/* Four doubles. Without AVX2, the compiler uses two registers. */
typedef double four __attribute__((vector_size(32), aligned(8)));

INLINE void dot_tile(size_t tall, size_t wide, const double *a, const double *b, size_t stride, size_t n, four *out,
                     size_t out_stride)
{
    four sum[4][2] = {0};
    for (size_t k = 0; k < n; k += 4)
        for (size_t i = 0; i < tall; i++) {
            four left = *(const four *)(a + i * stride + k);
            for (size_t j = 0; j < wide; j++) sum[i][j] += left * *(const four *)(b + j * stride + k);
        }
    for (size_t i = 0; i < tall; i++)
        for (size_t j = 0; j < wide; j++) out[i * out_stride + j] = sum[i][j];
}

/* For rows [0, tall) of a and [0, wide) of b, which are `stride` elements apart: stores the partial sums of the dot
 * products of their first n elements at out[(i * wide + j) * 4]. n must be a multiple of 4, and tall must be at most
 * 4. */
static void dot_tiles(size_t tall, size_t wide, const double *a, const double *b, size_t stride, size_t n, double *out)
{
    four *to = (four *)out;
    size_t j = 0;
    for (; j + 2 <= wide; j += 2)
        if (tall == 4) dot_tile(4, 2, a, b + j * stride, stride, n, to + j, wide);
        else dot_tile(tall, 2, a, b + j * stride, stride, n, to + j, wide);
    if (j < wide) dot_tile(tall, 1, a, b + j * stride, stride, n, to + j, wide);
}
