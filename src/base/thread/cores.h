/* cores.h: the processor cores that this process may use. */
#pragma once

#include <stddef.h>

/* Returns the number of cores that this process may use, which is at least 1. */
size_t sg_core_count(void);
/* Returns the index of the core that the calling thread runs on, or -1 if it is unknown. */
int sg_core_current(void);

/* Tells the processor that the thread is spinning. */
#if defined(__x86_64__) || defined(__i386__)
static inline void sg_cpu_relax(void) { __builtin_ia32_pause(); }
#elif defined(__aarch64__)
static inline void sg_cpu_relax(void) { __asm__ volatile("yield" ::: "memory"); }
#else
static inline void sg_cpu_relax(void) {}
#endif
