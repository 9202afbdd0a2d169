/* fma_peak.h: measures the peak rate of multiply-adds on one core. */
#pragma once

#include <stddef.h>

/* Runs some hundred thousand independent multiply-adds in registers. Returns their number. */
size_t fma_peak_f64(void);
size_t fma_peak_f32(void);
/* "avx2", "neon", or "scalar". */
const char *fma_peak_units(void);
