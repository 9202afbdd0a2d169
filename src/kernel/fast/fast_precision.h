/* fast_precision.h: the differences between double and float kernels. The vector header, which must be included first,
 * defines `real`, `vec` and LANES. */
#pragma once

#include "kernel/kernel.h"

static const double log2_of_e = 0x1.71547652b82fep0;

/* Sanitizers fill unrolled code with checks, which take minutes to compile. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

/* TILE marks a function whose sizes are constants in every call. With intrinsics it is inlined, so that small arrays of
 * vectors become registers. In plain C, a vector is itself an array: inlining gains little and compiles slowly. */
#if SANITIZED || defined(PORTABLE_VECTORS)
#define SPECIALIZED 0
#define TILE        static
#else
#define SPECIALIZED 1
#define TILE        static inline __attribute__((always_inline))
#endif
/* EACH is a loop in a TILE function. It must be unrolled before the compiler chooses registers. */
#if SANITIZED
#define UNROLLED
#elif !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 16")
#elif SPECIALIZED
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED
#endif
/* NOLINTNEXTLINE(bugprone-macro-parentheses): i is declared here */
#define EACH(i, count) UNROLLED for (int i = 0; i < (count); i++)

#ifdef SG_F32
#define PRECISION          "f32"
#define ROUND_MAGIC        0x1.8p23f
#define MIN_EXPONENT       (-120.0f)
/* Limits for the ratios of fast_grid_predict.h: the number of ratios, the exponent of their product, the scale of
 * coefficients that avoids overflow, and the bounds that coefficients must satisfy. */
#define MAX_RATIOS         5
#define MAX_RATIO_EXPONENT 120
#define RATIO_SCALE        0x1p-60f
#define MAX_RATIO_COEF     1e8
#define MAX_COEF_SPREAD    32
/* Squared distances are clamped to this. */
#define MAX_DISTANCE       1e37f
/* Inputs and parameters are clamped to +- this number, so that their products do not overflow. */
#define MAX_MAGNITUDE      1e12f
#define EXP2_COEFFICIENTS                                                                                              \
    {                                                                                                                  \
        0x1.62e4311733cb7p-1f, 0x1.ebfbe2c540d82p-3f, 0x1.c6ae72dfc2656p-5f, 0x1.3b270e6417bb2p-7f,                    \
            0x1.5f7276d809020p-10f, 0x1.470b4a7656448p-13f                                                             \
    }

/* Clamps in float, because the vector code that gcc generates for clamping in double is three times as long. */
static real to_real(double x)
{
    real y = (real)x, low = y < -MAX_MAGNITUDE ? -MAX_MAGNITUDE : y;
    return low > MAX_MAGNITUDE ? MAX_MAGNITUDE : low;
}

static inline vec v_to_real(const double *x)
{
    return v_min(v_set1((real)MAX_MAGNITUDE), v_max(v_set1((real)-MAX_MAGNITUDE), v_from_double(x)));
}

/* Converts the first n of the SG_PITCH values of each feature to `real`; n must be a multiple of the vector length. */
static const real *as_real(const double *x, size_t features, size_t n, real *buffer)
{
    for (size_t k = 0; k < features; k++)
        for (size_t i = k * SG_PITCH; i < k * SG_PITCH + n; i += LANES) v_store(buffer + i, v_to_real(x + i));
    return buffer;
}
#else
#define PRECISION          "f64"
#define ROUND_MAGIC        0x1.8p52
#define MIN_EXPONENT       (-1000.0)
#define MAX_RATIOS         10
#define MAX_RATIO_EXPONENT 1000
#define RATIO_SCALE        0x1p-500
#define MAX_RATIO_COEF     1e50
#define MAX_COEF_SPREAD    1e40 /* no limit in effect: ratios are clamped only outside 2^-100 to 2^100 */
#define MAX_DISTANCE       1e300
#define EXP2_COEFFICIENTS                                                                                              \
    {                                                                                                                  \
        0x1.62e42fefa39f3p-1, 0x1.ebfbdff82c598p-3, 0x1.c6b08d7048f31p-5, 0x1.3b2ab6fba1e1cp-7, 0x1.5d87fe7bbbe07p-10, \
            0x1.4309130961163p-13, 0x1.ffcbee3b0af8cp-17, 0x1.62bfd49ed0adfp-20, 0x1.b54167a0b9061p-24,                \
            0x1.e605f979c7a5dp-28, 0x1.c0638527edf34p-32                                                               \
    }

static real to_real(double x) { return x; }
static inline vec v_to_real(const double *x) { return v_load(x); }

/* NOLINTNEXTLINE(readability-non-const-parameter): floats are written to it */
static const real *as_real(const double *x, size_t features, size_t n, real *buffer)
{
    (void)features;
    (void)n;
    (void)buffer;
    return x;
}
#endif
