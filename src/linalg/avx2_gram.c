/* avx2_gram.c: computes the Gram matrix with AVX2, bitwise identical to the result of gram.c.
 *
 * A tile of the matrix stays in registers while a strip of rows is added, one row after another. */
#include "linalg/linalg.h"

#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))

enum { LANES = 4, STRIP = 32, TILE_ROWS = 4, TILE_VECTORS = 2 };

typedef struct strip {
    const double *phi, *w; /* (count, n) and (count); w is NULL for weights of 1 */
    size_t count, n;
    double weighted[STRIP][TILE_ROWS]; /* w * phi for the current rows of the matrix */
} strip;

/* Updates a tile: `tall` rows of the matrix, the first at g, and `wide` vectors of columns, the first at column j. */
INLINE void add_tile(const strip *s, size_t tall, size_t wide, size_t j, double *g)
{
    const size_t n = s->n;
    const double *phi = s->phi + j;
    __m256d sum[TILE_ROWS][TILE_VECTORS], right[TILE_VECTORS];
    for (size_t a = 0; a < tall; a++)
        for (size_t b = 0; b < wide; b++) sum[a][b] = _mm256_loadu_pd(g + a * n + j + b * LANES);
    for (size_t r = 0; r < s->count; r++, phi += n) {
        for (size_t b = 0; b < wide; b++) right[b] = _mm256_loadu_pd(phi + b * LANES);
        for (size_t a = 0; a < tall; a++) {
            __m256d left = _mm256_broadcast_sd(&s->weighted[r][a]);
            for (size_t b = 0; b < wide; b++) sum[a][b] = _mm256_add_pd(sum[a][b], _mm256_mul_pd(left, right[b]));
        }
    }
    for (size_t a = 0; a < tall; a++)
        for (size_t b = 0; b < wide; b++) _mm256_storeu_pd(g + a * n + j + b * LANES, sum[a][b]);
}

/* Updates columns [0, last) of `tall` rows, the first of which is row i, in whole vectors. */
INLINE void add_band(strip *s, size_t tall, size_t i, size_t last, double *gram)
{
    double *g = gram + i * s->n;
    size_t j = 0;
    for (size_t r = 0; r < s->count; r++)
        for (size_t a = 0; a < tall; a++) s->weighted[r][a] = (s->w ? s->w[r] : 1) * s->phi[r * s->n + i + a];
    for (; j + TILE_VECTORS * LANES <= last; j += TILE_VECTORS * LANES) add_tile(s, tall, TILE_VECTORS, j, g);
    for (; j < last; j += LANES) add_tile(s, tall, 1, j, g);
}

/* Updates bands of TILE_ROWS rows, whose last tile extends beyond the diagonal, and then the remaining rows. */
static void add_strip(strip *s, double *gram)
{
    const size_t n = s->n, whole = n / TILE_ROWS * TILE_ROWS;
    for (size_t i = 0; i < whole; i += TILE_ROWS) add_band(s, TILE_ROWS, i, i + TILE_ROWS, gram);
    for (size_t i = whole; i < n; i++) {
        add_band(s, 1, i, whole, gram);
        for (size_t j = whole; j <= i; j++)
            for (size_t r = 0; r < s->count; r++) gram[i * n + j] += s->weighted[r][0] * s->phi[r * n + j];
    }
}

void sg_gram_add_avx2(const double *phi, const double *w, size_t rows, size_t n, double *gram)
{
    strip s = {.n = n};
    for (size_t r = 0; r < rows; r += STRIP) {
        s.phi = phi + r * n;
        s.w = w ? w + r : NULL;
        s.count = rows - r < STRIP ? rows - r : STRIP;
        add_strip(&s, gram);
    }
}
