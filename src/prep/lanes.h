/* lanes.h: a few doubles side by side, where the compiler's own vector code would not do: eight of them at once hide
 * what one addition waits for the last. Each operation is IEEE's on each lane, so bits do not depend on it. */
#ifndef SG_PREP_LANES_H
#define SG_PREP_LANES_H

#if defined(__SSE2__)

#include <emmintrin.h>

typedef __m128d sg_two;

static inline sg_two sg_two_at(const double *x) { return _mm_loadu_pd(x); }
static inline void sg_two_put(double *x, sg_two v) { _mm_storeu_pd(x, v); }
static inline sg_two sg_two_add(sg_two a, sg_two b) { return _mm_add_pd(a, b); }
static inline sg_two sg_two_sub(sg_two a, sg_two b) { return _mm_sub_pd(a, b); }
static inline sg_two sg_two_mul(sg_two a, sg_two b) { return _mm_mul_pd(a, b); }
/* b where a is NaN. */
static inline sg_two sg_two_min(sg_two a, sg_two b) { return _mm_min_pd(a, b); }
static inline sg_two sg_two_max(sg_two a, sg_two b) { return _mm_max_pd(a, b); }

#else

typedef struct sg_two { double lane[2]; } sg_two;

static inline sg_two sg_two_at(const double *x) { return (sg_two){{x[0], x[1]}}; }
static inline void sg_two_put(double *x, sg_two v) { x[0] = v.lane[0], x[1] = v.lane[1]; }
static inline sg_two sg_two_add(sg_two a, sg_two b) { return (sg_two){{a.lane[0] + b.lane[0], a.lane[1] + b.lane[1]}}; }
static inline sg_two sg_two_sub(sg_two a, sg_two b) { return (sg_two){{a.lane[0] - b.lane[0], a.lane[1] - b.lane[1]}}; }
static inline sg_two sg_two_mul(sg_two a, sg_two b) { return (sg_two){{a.lane[0] * b.lane[0], a.lane[1] * b.lane[1]}}; }
static inline double sg_less_of(double a, double b) { return a < b ? a : b; }
static inline double sg_more_of(double a, double b) { return a > b ? a : b; }
static inline sg_two sg_two_min(sg_two a, sg_two b) { return (sg_two){{sg_less_of(a.lane[0], b.lane[0]), sg_less_of(a.lane[1], b.lane[1])}}; }
static inline sg_two sg_two_max(sg_two a, sg_two b) { return (sg_two){{sg_more_of(a.lane[0], b.lane[0]), sg_more_of(a.lane[1], b.lane[1])}}; }

#endif

#endif
