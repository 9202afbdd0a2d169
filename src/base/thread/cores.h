/* cores.h: which processor cores this process may use. */
#pragma once

#include <stddef.h>

/* Returns the number of cores this process may use, at least 1. */
size_t sg_core_count(void);
/* Returns the core the calling thread is running on, or -1 if unknown. */
int sg_core_current(void);

/* Hint to the processor that the thread is spinning. */
#if defined(__x86_64__) || defined(__i386__)
static inline void sg_cpu_relax(void) { __builtin_ia32_pause(); }
#elif defined(__aarch64__)
static inline void sg_cpu_relax(void) { __asm__ volatile("yield" ::: "memory"); }
#else
static inline void sg_cpu_relax(void) {}
#endif
