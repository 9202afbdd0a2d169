/* cores.h: the cores that threads run on. */
#ifndef SG_BASE_THREAD_CORES_H
#define SG_BASE_THREAD_CORES_H

#include <stddef.h>

/* How many this process may use, at least 1. */
size_t sg_core_count(void);
/* The one that the calling thread runs on at this moment, or -1 where that is not known. */
int sg_core_current(void);

/* Tells the core that this thread only waits for another one's write. */
#if defined(__x86_64__) || defined(__i386__)
static inline void sg_cpu_relax(void) { __builtin_ia32_pause(); }
#elif defined(__aarch64__)
static inline void sg_cpu_relax(void) { __asm__ volatile("yield" ::: "memory"); }
#else
static inline void sg_cpu_relax(void) {}
#endif

#endif
