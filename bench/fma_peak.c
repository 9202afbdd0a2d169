/* fma_peak.c: independent chains of multiply-adds in registers.
 *
 * A multiply-add has a latency of four or five cycles, and two can start in each cycle, so ten or more chains keep the
 * units busy. Twelve chains and two constants fit into sixteen registers. On processors with wider vectors (AVX-512,
 * SVE) this is the peak of the instruction sets that the kernels use. */
#include "fma_peak.h"

#include <math.h>

enum { CHAINS = 12, ROUNDS = 20000 };

#define EACH(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11)

/* Chains converge to -shift / (scale - 1), so numbers stay normal. */
#define PEAK(NAME, ATTRIBUTES, VECTOR, LANES, BROADCAST, FMA, FIRST)                                                   \
    ATTRIBUTES static size_t NAME(void)                                                                                \
    {                                                                                                                  \
        VECTOR a[CHAINS], scale = BROADCAST(0.75f), shift = BROADCAST(0.3125f);                                        \
        for (int i = 0; i < CHAINS; i++) a[i] = BROADCAST((float)i);                                                   \
        EACH(LOAD)                                                                                                     \
        for (int k = 0; k < ROUNDS; k++) { EACH(FMA) }                                                                 \
        EACH(STORE)                                                                                                    \
        for (int i = 1; i < CHAINS; i++) a[0] += a[i];                                                                 \
        sink = (double)FIRST(a[0]);                                                                                    \
        return (size_t)CHAINS * ROUNDS * LANES;                                                                        \
    }
#define LOAD(i)  __typeof__(scale) a##i = a[i];
#define STORE(i) a[i] = a##i;

static volatile double sink; /* keeps the compiler from removing the chains */

#define SELF(x)       (x)
#define SCALAR_F64(i) a##i = fma(a##i, scale, shift);
#define SCALAR_F32(i) a##i = fmaf(a##i, scale, shift);
PEAK(scalar_f64, , double, 1, SELF, SCALAR_F64, SELF)
PEAK(scalar_f32, , float, 1, SELF, SCALAR_F32, SELF)

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2        __attribute__((target("avx2,fma")))
#define AVX2_F64(i) a##i = _mm256_fmadd_pd(a##i, scale, shift);
#define AVX2_F32(i) a##i = _mm256_fmadd_ps(a##i, scale, shift);
#define FIRST(v)    ((v)[0])
PEAK(vector_f64, AVX2, __m256d, 4, _mm256_set1_pd, AVX2_F64, FIRST)
PEAK(vector_f32, AVX2, __m256, 8, _mm256_set1_ps, AVX2_F32, FIRST)
static int has_vector(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
static const char *const vector_name = "avx2";

#elif defined(__aarch64__)

#include <arm_neon.h>

#define NEON_F64(i) a##i = vfmaq_f64(shift, a##i, scale);
#define NEON_F32(i) a##i = vfmaq_f32(shift, a##i, scale);
#define FIRST(v)    ((v)[0])
PEAK(vector_f64, , float64x2_t, 2, vdupq_n_f64, NEON_F64, FIRST)
PEAK(vector_f32, , float32x4_t, 4, vdupq_n_f32, NEON_F32, FIRST)
static int has_vector(void) { return 1; }
static const char *const vector_name = "neon";

#else

static size_t vector_f64(void) { return scalar_f64(); }
static size_t vector_f32(void) { return scalar_f32(); }
static int has_vector(void) { return 0; }
static const char *const vector_name = "scalar";

#endif

size_t fma_peak_f64(void) { return has_vector() ? vector_f64() : scalar_f64(); }
size_t fma_peak_f32(void) { return has_vector() ? vector_f32() : scalar_f32(); }
const char *fma_peak_units(void) { return has_vector() ? vector_name : "scalar"; }
