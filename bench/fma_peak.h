/* fma_peak.h: what the multiply-add units of one core can do. */
#ifndef BENCH_FMA_PEAK_H
#define BENCH_FMA_PEAK_H

#include <stddef.h>

/* Does some hundred thousand independent multiply-adds in registers; returns how many. */
size_t fma_peak_f64(void);
size_t fma_peak_f32(void);
/* "avx2", "neon", or "scalar". */
const char *fma_peak_units(void);

#endif
